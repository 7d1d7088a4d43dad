import { expect, onTestFinished } from 'vitest'
import { systemClock as clock } from '../../src/core/clock.ts'
import { openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openSite, sitemapIndex } from '../support/stand-ins/site.ts'
import { KEY } from '../support/world.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A site and an engine for one test. */
export async function standIns() {
  const site = await openSite({ clock, files: { [`/${KEY}.txt`]: KEY } })
  const engine = await openIndexNowEngine({ clock })
  onTestFinished(async () => void (await Promise.all([site.close(), engine.close()])))
  return { site, engine }
}

export type StandIns = Awaited<ReturnType<typeof standIns>>

export async function addSite(
  worker: WorkerProcess,
  { site, engine }: StandIns,
  settings: Readonly<Record<string, unknown>> = {},
) {
  const usual = {
    sitemapUrl: site.url('/sitemap.xml'),
    apiKey: KEY,
    searchEngines: [engine.endpoint],
    requestIntervalMs: 0,
  }
  const added = await worker.api('POST', '/api/sites', { id: 'shop', ...usual, ...settings })
  expect(added, JSON.stringify(added.body)).toMatchObject({ status: 201 })
}

/** `/sitemap.xml` is an index of these files. */
export function putFiles({ site }: StandIns, files: readonly string[]): void {
  const named = files.map((file, n) => [`/${n}.xml`, file] as const)
  site.put({
    '/sitemap.xml': sitemapIndex(...named.map(([name]) => `{origin}${name}`)),
    ...Object.fromEntries(named),
  })
}
