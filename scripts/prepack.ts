/** Makes `dist/`, and a manifest without dependencies for npm to pack. `scripts/postpack.ts` brings ours back. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { assetFiles, bundle } from './pack/bundle.ts'
import { licencesOf } from './pack/licences.ts'
import { putPackedManifest } from './pack/manifest.ts'

const { text, inputs } = await bundle('src/apps/cli/main.ts')
mkdirSync('dist', { recursive: true })
writeFileSync('dist/sluice.js', text)
chmodSync('dist/sluice.js', 0o755)
writeFileSync('dist/LICENSES.txt', licencesOf([...Object.keys(inputs), ...assetFiles]))
putPackedManifest()
