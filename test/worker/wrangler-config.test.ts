import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { PLANS } from '../../src/apps/worker/plans.ts'
import { SCHEDULE } from '../../src/schedule.ts'
import { scenario } from '../support/scenario.ts'

const MOST_GZIPPED_BYTES = 400 * 1_000

const config = JSON.parse(
  readFileSync('wrangler.jsonc', 'utf8')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/,(\s*[}\]])/g, '$1'),
) as {
  readonly triggers: { readonly crons: readonly string[] }
  readonly observability: { readonly enabled: boolean }
  readonly vars: Readonly<Record<string, string>>
}

scenario('X02', 'the crons of the Worker are those of the schedule, on the free plan', () => {
  // What is collected is not collected there.
  const crons = [SCHEDULE['submit-all-sites'].cron, SCHEDULE['check-alerts'].cron]

  expect(config.triggers.crons).toEqual(crons)
  expect(config.observability.enabled).toBe(true)
  expect(config.vars).toEqual({ WORKERS_PLAN: 'free' })
})

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
  expect(gzipSync(bundle).length).toBeLessThanOrEqual(MOST_GZIPPED_BYTES)
})
