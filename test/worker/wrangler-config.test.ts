import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { PLANS } from '../../src/apps/worker/plans.ts'
import { SCHEDULE } from '../../src/schedule.ts'
import { scenario } from '../support/scenario.ts'

const MOST_GZIPPED_BYTES = 400 * 1_000

interface WranglerConfig {
  readonly name: string
  readonly main: string
  readonly compatibility_date: string
  readonly triggers: { readonly crons: readonly string[] }
  readonly observability: { readonly enabled: boolean }
  readonly vars: Readonly<Record<string, string>>
  readonly kv_namespaces?: readonly { readonly binding: string }[]
}

const configIn = (file: string): WranglerConfig =>
  JSON.parse(
    readFileSync(file, 'utf8')
      .replace(/^\s*\/\/.*$/gm, '')
      .replace(/,(\s*[}\]])/g, '$1'),
  )

const config = configIn('wrangler.jsonc')

scenario('X02', 'the crons of the Worker are those of the schedule, on the free plan', () => {
  // What is collected is not collected there.
  const crons = [SCHEDULE['submit-all-sites'].cron, SCHEDULE['check-alerts'].cron]

  expect(config.triggers.crons).toEqual(crons)
  expect(config.observability.enabled).toBe(true)
  expect(config.vars).toEqual({ WORKERS_PLAN: 'free' })
})

scenario(
  'X02',
  'without objects it is the same Worker, poked by one cron, over one namespace',
  () => {
    const onKv = configIn('wrangler.kv.jsonc')

    for (const field of ['name', 'main', 'compatibility_date', 'observability'] as const) {
      expect(onKv[field]).toEqual(config[field])
    }
    expect(onKv.triggers.crons).toEqual([SCHEDULE['check-alerts'].cron])
    expect(onKv.kv_namespaces).toEqual([{ binding: 'SLUICE_KV' }])
    expect(onKv.vars).toEqual({ WORKERS_PLAN: 'free', STORE: 'kv' })
  },
)

it('keeps every plan below what Cloudflare allows', () => {
  expect(PLANS.free.requests).toBeLessThan(PLANS.free.mostRequests)
  expect(PLANS.free.mostRequests).toBeLessThanOrEqual(50)
  expect(PLANS.paid.mostRequests).toBeLessThanOrEqual(10_000)
})

it('is no more than 400 kB to upload, gzipped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))

  const words = ['scripts/deploy.ts', '--dry-run', '--outdir', folder]
  await promisify(execFile)(process.execPath, words)

  const bundle = readFileSync(join(folder, 'main.js'))
  expect(bundle.includes('SiteRunner')).toBe(true)
  // All that is uploaded: the Worker, and the files of the pages beside it.
  const uploaded = readdirSync(folder).filter((file) => !/\.(map|md)$/.test(file))
  const sizes = uploaded.map((file) => gzipSync(readFileSync(join(folder, file))).length)
  expect(uploaded.filter((file) => /sluice\.css$|uPlot/.test(file))).toHaveLength(3)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_GZIPPED_BYTES)
})
