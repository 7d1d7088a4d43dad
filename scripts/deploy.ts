// `npm run deploy`: checks the secrets, deploys, asks the Worker how it is, says how to go back. Further words go to wrangler.
import { ask, wrangler } from './worker/wrangler.ts'

/** Without the first nobody gets in; without the second keys are sealed by one that lies beside them. */
const NEEDED = 'ADMIN_TOKEN'
const WANTED = 'COOKIE_MASTER_KEY'

process.exitCode = await deploy(process.argv.slice(2))

async function deploy(words: readonly string[]): Promise<number> {
  if (words.includes('--dry-run')) return wrangler(['deploy', ...words])
  const secrets = await ask(['secret', 'list', '--format', 'json', ...configWords(words)])
  // Before its first deployment a Worker cannot have any.
  const names = secrets.code === 0 ? namesIn(secrets.output) : []
  const isFirst = secrets.code !== 0
  if (!isFirst && !names.includes(NEEDED)) return refuse()
  if (!names.includes(WANTED))
    say(
      `${WANTED} is not set: Sluice makes a key and keeps it beside what it seals. ${howToSet(WANTED)}`,
    )

  const deployed = await ask(['deploy', ...words])
  process.stdout.write(deployed.output)
  if (deployed.code !== 0) return deployed.code
  if (isFirst) say(`Nobody can get in before ${NEEDED} is set. ${howToSet(NEEDED)}`)
  const [url] = /https:\/\/[\w.-]+\.workers\.dev/.exec(deployed.output) ?? []
  say('To go back to the version before: npx wrangler rollback')
  return url === undefined ? 0 : checkHealth(url)
}

/** Another Worker may be meant than that of wrangler.jsonc. */
function configWords(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => /^(-c|--config)(=|$)/.test(word))
  if (at < 0) return []
  return words[at]?.includes('=') ? words.slice(at, at + 1) : words.slice(at, at + 2)
}

async function checkHealth(url: string): Promise<number> {
  const response = await fetch(`${url}/health`).catch(() => undefined)
  if (response?.ok) {
    say(`${url} is well. To submit your first site: POST ${url}/api/sites, see docs/cloudflare.md.`)
    return 0
  }
  say(
    `${url}/health answers ${response?.status ?? 'nothing'}. Look at the log: npx wrangler tail. A new address takes a minute to work.`,
  )
  return 1
}

function namesIn(output: string): readonly string[] {
  const found = /\[[^]*\]/.exec(output)?.[0] ?? '[]'
  return (JSON.parse(found) as { readonly name: string }[]).map(({ name }) => name)
}

function refuse(): number {
  say(
    `The Worker has no secret ${NEEDED}, so nobody could use it. Nothing was deployed. ${howToSet(NEEDED)}`,
  )
  return 2
}

const howToSet = (name: string) => `Set it: openssl rand -hex 32 | npx wrangler secret put ${name}`

function say(words: string): void {
  process.stderr.write(`${words}\n`)
}
