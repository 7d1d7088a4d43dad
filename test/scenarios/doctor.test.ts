import { expect } from 'vitest'
import type { DoctorReport } from '../../src/submit/doctor/finding.ts'
import { scenario } from '../support/scenario.ts'
import { KEY, openWorld, sitemapOf } from '../support/world.ts'

scenario('R09', 'a running server examines a site, and submits nothing', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf([['/a', '2025-01-02']]) })
  world.site.remove(`/${KEY}.txt`)
  const id = await world.addSite()

  const { status, body } = await world.api('GET', `/api/sites/${id}/doctor`)

  const { checks, summary } = body as unknown as DoctorReport
  expect(status).toBe(200)
  expect(summary.errors).toBe(1)
  expect(checks.find(({ level }) => level === 'error')).toMatchObject({
    code: 'key-file-missing',
    site: id,
    fix: expect.stringContaining('nothing but the key') as string,
  })
  expect(JSON.stringify(body)).not.toContain(KEY.slice(0, 5))
  expect(world.engine.received.size).toBe(0)
})

scenario('R09', 'there is no doctor for a site that is not there', async () => {
  const world = await openWorld()

  expect(await world.api('GET', '/api/sites/nobody/doctor')).toMatchObject({
    status: 404,
    body: { error: { code: 'NOT_FOUND' } },
  })
})
