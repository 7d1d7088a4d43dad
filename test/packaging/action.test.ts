import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { summaryOf } from '../../scripts/action/summary.ts'
import { SETTINGS } from '../../src/apps/settings.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openSite, urlset } from '../support/stand-ins/site.ts'

const KEY = 'key-that-nobody-may-print'

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

const action = parse(readFileSync('action.yml', 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}
const { steps } = action.runs
const submit = steps.at(-1)

describe('action.yml', () => {
  it('uses actions of a named version, and runs a file that is there', () => {
    const [, script = ''] = /^node "\$ACTION_PATH\/(\S+)"$/.exec(submit?.run ?? '') ?? []

    expect(action.runs.using).toBe('composite')
    for (const { uses } of steps) expect(uses ?? 'x@v1').toMatch(/@v\d+$/)
    expect(existsSync(script)).toBe(true)
  })

  it('hands every input over by the environment, never as a part of a script', () => {
    const given = Object.values(submit?.env ?? {}).join(' ')

    for (const name of Object.keys(action.inputs)) expect(given).toContain(`\${{ inputs.${name} }}`)
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
    const names = Object.keys(submit?.env ?? {}).filter((name) => !name.startsWith('ACTION_'))
    expect(names.filter((name) => !(name in SETTINGS))).toEqual([])
  })
})

it('is shown in an example that it would take', () => {
  const [, example = ''] =
    /^```yaml\n([^]*?)^```/m.exec(readFileSync('docs/github-action.md', 'utf8')) ?? []
  const workflow = parse(example) as {
    readonly jobs: { readonly submit: { readonly steps: readonly (Step & { with?: object })[] } }
  }
  const [use] = workflow.jobs.submit.steps

  expect(use?.uses).toMatch(/@v\d+\.\d+\.\d+$/)
  expect(Object.keys(use?.with ?? {}).filter((name) => !(name in action.inputs))).toEqual([])
  expect(Object.keys(use?.with ?? {})).toEqual(['sitemap', 'key'])
})

describe('the action', () => {
  it('submits, writes a table and the outputs, and never the key', async () => {
    const world = await openSmallWorld()

    const { code, output } = await world.runAction({})

    expect({ code, outputs: world.outputs() }).toEqual({
      code: 0,
      outputs: 'submitted=3\nfailed=0\nstatus=succeeded\n',
    })
    expect(Object.keys(action.outputs)).toEqual(['submitted', 'failed', 'status'])
    expect(world.summary()).toContain('| engine | due | accepted | failed |')
    expect(world.summary()).toContain(`| ${world.engine.endpoint} | 3 | 3 | 0 |`)
    expect(world.engine.received.size).toBe(3)
    expect(`${output}${world.summary()}${world.outputs()}`).not.toContain(KEY)
  })

  it('shows in a dry run what would be sent, and sends nothing', async () => {
    const world = await openSmallWorld()

    const { code } = await world.runAction({ ACTION_DRY_RUN: 'true' })

    expect(code).toBe(0)
    expect(world.summary()).toMatch(/a dry run of 127\.0\.0\.1:\d+, 3 pages would be sent/)
    expect(world.engine.requests).toEqual([])
  })

  it('says why when nothing could be submitted', async () => {
    const world = await openSmallWorld()

    const { code } = await world.runAction({ ACTION_SITEMAP: 'example' })

    expect({ code, outputs: world.outputs() }).toEqual({
      code: 2,
      outputs: 'submitted=0\nfailed=0\nstatus=refused\n',
    })
    expect(world.summary()).toMatch(/^### Sluice: nothing was submitted\n\n.*http:\/\//)
  })
})

it('lets nobody write markup into the summary', () => {
  const error = { code: 'x', message: '[a](b) <img> |\n# c' }
  expect(summaryOf({ error })).toBe(
    '### Sluice: nothing was submitted\n\n\\[a\\](b) \\<img\\> \\| \\# c\n',
  )
})

/** A site of three pages and an engine, and the action as the runner would call it. */
async function openSmallWorld() {
  const clock = new FakeClock()
  const site = await openSite({ clock, files: { [`/${KEY}.txt`]: KEY } })
  site.put({ '/sitemap.xml': urlset(site.url('/a'), site.url('/b'), site.url('/c')) })
  const engine = await openIndexNowEngine({ clock })
  const folder = mkdtempSync(join(tmpdir(), 'sluice-action-'))
  onTestFinished(async () => {
    await Promise.all([site.close(), engine.close()])
    rmSync(folder, { recursive: true, force: true })
  })
  const written = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    engine,
    summary: () => written('summary.md'),
    outputs: () => written('outputs'),
    runAction: (changed: Readonly<Record<string, string>>) =>
      new Promise<{ code: number; output: string }>((done) => {
        const env = {
          PATH: process.env['PATH'],
          ACTION_SITEMAP: site.url('/sitemap.xml'),
          ACTION_ENGINES: engine.endpoint,
          ACTION_MODE: action.inputs['mode']?.default,
          ACTION_DRY_RUN: action.inputs['dry-run']?.default,
          INDEXNOW_API_KEY: KEY,
          SLUICE_DATA: join(folder, 'data'),
          SLUICE_ALLOW_PRIVATE: '1',
          GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
          GITHUB_OUTPUT: join(folder, 'outputs'),
          ...changed,
        }
        execFile(process.execPath, ['scripts/action.ts'], { env }, (error, stdout, stderr) => {
          done({ code: Number(error?.code ?? 0), output: `${stdout}${stderr}` })
        })
      }),
  }
}
