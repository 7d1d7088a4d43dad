import { describe, expect } from 'vitest'
import { hours } from '../../../src/core/duration.ts'
import { watchRun, watchSites } from '../../../src/submit/alerts/watch.ts'
import { scenario } from '../../support/scenario.ts'
import { DEFAULTS } from '../sites/support.ts'
import { engine, factsOf, openAlerts, runOf, SITE } from './support.ts'

describe('watching', () => {
  scenario('R06', 'each run is judged together with those before it', async () => {
    const { stores, alerts, clock, log } = await openAlerts()
    const options = { alerts, runs: stores.runs, log }
    const statuses: (string | undefined)[] = []
    for (const pending of [5, 5, 5, 0]) {
      const run = runOf({
        id: `run-${clock.now()}`,
        startedAt: clock.now(),
        finishedAt: clock.now(),
        engines: [engine({ successful: 5, pending })],
      })
      await stores.runs.finish(run)
      await watchRun(options, factsOf({ run }))
      statuses.push((await alerts.list())[0]?.status)
      clock.advance(hours(24))
    }
    expect(statuses).toEqual([undefined, undefined, 'firing', 'resolved'])
  })

  scenario(
    'R06',
    'a site that is not run is told of after 48 hours, and again once it is',
    async () => {
      const { stores, alerts, clock, log, lines } = await openAlerts()
      const { runs, sites } = stores
      await sites.create(SITE.id, { name: 'Shop', sitemapUrl: SITE.sitemapUrl, apiKey: 'sealed' })
      await sites.create('off.example', { sitemapUrl: 'https://off.example/', enabled: false })
      const options = { alerts, runs, log, sites, defaults: DEFAULTS }
      const hour = async () => {
        clock.advance(hours(1))
        await watchSites(options, clock.now())
      }

      for (let i = 0; i < 60; i++) await hour()
      await runs.finish(runOf({ startedAt: clock.now(), finishedAt: clock.now() }))
      await hour()

      expect(lines.map(({ event, alert, time }) => [event, alert, time])).toEqual([
        ['alert.raised', 'no-success:example.com', '2025-01-17T01:00:00.000Z'],
        ['alert.resolved', 'no-success:example.com', '2025-01-17T13:00:00.000Z'],
      ])
    },
  )
})
