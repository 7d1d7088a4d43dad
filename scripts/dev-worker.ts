// `npm run dev:worker`: the Worker in workerd on this machine, offline. Further words go to wrangler.
import { wrangler } from './worker/wrangler.ts'

process.exitCode = await wrangler(['dev', ...process.argv.slice(2)])
