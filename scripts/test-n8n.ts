/** `npm run test:n8n`: the shipped workflows in a real n8n, which is installed first. Further words go to vitest. */
import { spawnSync } from 'node:child_process'
import { installN8n } from './n8n/install.ts'

const folder = installN8n()
const words = ['run', '--config', 'test/n8n/vitest.config.ts', ...process.argv.slice(2)]
const { status } = spawnSync('vitest', words, {
  stdio: 'inherit',
  env: { ...process.env, SLUICE_N8N: folder },
})
process.exitCode = status ?? 1
