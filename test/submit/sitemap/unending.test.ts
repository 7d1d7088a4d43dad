import { setImmediate as everybodyIdle } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { seconds } from '../../../src/core/duration.ts'
import { nodeGunzip } from '../../../src/apps/node/gunzip.ts'
import type { Gunzip } from '../../../src/submit/sitemap/gunzip.ts'
import { scenario } from '../../support/scenario.ts'
import { urlset } from '../../support/stand-ins/site.ts'
import { breaks } from '../../support/stand-ins/stand-in.ts'
import { siteWith } from './read-site.ts'

/** Tells when what it has decompressed was taken: the file is gzip, so that all comes through here. */
function tellingGunzip() {
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  const gunzip: Gunzip = (take) =>
    nodeGunzip(async (chunk) => {
      await take(chunk)
      resolve()
    })
  return { gunzip, taken }
}

/** Reads a file behind which the connection stays open; gives how long that took. */
async function readUnending(file: string) {
  const { site, clock, read } = await siteWith({ '/sitemap.xml': gzipSync(file) })
  site.always(breaks('unending'))
  const { gunzip, taken } = tellingGunzip()
  const begun = clock.now()
  let isOver = false
  const reading = read({ gunzip, host: 'x.test' }).finally(() => {
    isOver = true
  })
  await taken
  while (!isOver) {
    clock.advance(seconds(1))
    await everybodyIdle()
  }
  return { ...(await reading), tookMs: clock.now() - begun }
}

const LISTED = ['http://x.test/1', 'http://x.test/2']

describe('a server that keeps the connection open behind its answer', () => {
  scenario('S02', 'is not waited for once the document is complete', async () => {
    const { urls, report, tookMs } = await readUnending(urlset(...LISTED))

    expect(urls).toEqual(LISTED)
    expect(report.complete).toBe(true)
    expect(tookMs).toBeLessThan(seconds(30))
  })

  scenario('S13', 'has all of its time while the document is not complete', async () => {
    const { report, tookMs } = await readUnending(urlset(...LISTED).replace('</urlset>', ''))

    expect(report.complete).toBe(false)
    expect(report.files).toMatchObject([
      { status: 'refused', error: expect.stringContaining('did not finish within 30000 ms') },
    ])
    expect(tookMs).toBeGreaterThanOrEqual(seconds(30))
  })

  scenario('S13', 'has all of its time for a list of lines, whose end nothing tells', async () => {
    const { report } = await readUnending(`${LISTED.join('\n')}\n`)

    expect(report.complete).toBe(false)
  })
})
