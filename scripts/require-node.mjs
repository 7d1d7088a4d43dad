// Runs at the end of `npm ci`, on whatever Node the npm scripts will get, so it must parse on old ones.
const REQUIRED_MAJOR = 24
const found = process.versions.node

if (Number.parseInt(found, 10) < REQUIRED_MAJOR) {
  console.error(`
Sluice needs Node ${REQUIRED_MAJOR} or newer; this is Node ${found}.

On Linux (x64, arm64) and Windows (x64) \`npm ci\` brings Node ${REQUIRED_MAJOR} by itself, as an optional
dependency. There is no such package for ${process.platform}-${process.arch}, or it was left out (--omit=optional).
Install Node ${REQUIRED_MAJOR} from https://nodejs.org, then run \`npm ci\` again.
`)
  process.exitCode = 1
}
