/** What action.yml runs: `sluice submit`, then a table in the step's summary and the outputs. */
import { spawnSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readAnswer } from './action/answer.ts'
import { outputsOf, summaryOf } from './action/summary.ts'

const {
  ACTION_SITEMAP = '',
  ACTION_ENGINES = '',
  ACTION_MODE = 'auto',
  ACTION_DRY_RUN,
  GITHUB_STEP_SUMMARY,
  GITHUB_OUTPUT,
} = process.env

const PROGRAM = fileURLToPath(new URL('../src/apps/cli/main.ts', import.meta.url))
const engines = ACTION_ENGINES.split(/[\s,]+/).filter((engine) => engine !== '')
const words = [
  'submit',
  '--json',
  '--mode',
  ACTION_MODE,
  ...engines.flatMap((engine) => ['--engine', engine]),
  ...(ACTION_DRY_RUN === 'true' ? ['--dry-run'] : []),
  '--',
  ACTION_SITEMAP,
]

// The key goes by INDEXNOW_API_KEY: whoever lists processes sees arguments.
const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...words], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
  maxBuffer: 1024 ** 3,
})
const answer = readAnswer(stdout)
const summary = summaryOf(answer)
if (GITHUB_STEP_SUMMARY) appendFileSync(GITHUB_STEP_SUMMARY, summary)
else process.stdout.write(summary)
if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, outputsOf(answer))
process.exitCode = status ?? 1
