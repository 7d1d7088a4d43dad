import { describe, expect, it } from 'vitest'
import { minutes } from '../../../src/core/duration.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { scenario } from '../../support/scenario.ts'
import { forbids } from '../../support/stand-ins/indexnow-engine.ts'
import { answers, breaks, type Step, USUAL } from '../../support/stand-ins/stand-in.ts'
import { beginIndexNow, ONE_BY_ONE, outcomes, pages, PATIENT, whilePassing } from './support.ts'

const INSTANT_RETRIES = { ...ONE_BY_ONE, maxRetries: 0 } as const

/** What three URLs, sent one after the other, come to when the first meets this answer. */
async function meet(step: Step) {
  const { engine, submit } = await beginIndexNow()
  engine.script(step)
  const { report, settled } = await submit({ urls: pages(3), rules: INSTANT_RETRIES })
  return { ...report, outcomes: outcomes(settled) }
}

describe('what an engine answers', () => {
  scenario('S26', '200 is accepted', async () => {
    expect(await meet(USUAL)).toMatchObject({
      outcomes: ['accepted 1 (200)', 'accepted 1 (200)', 'accepted 1 (200)'],
      errors: [],
      warnings: [],
    })
  })

  scenario('S26', '202 is accepted, pending verification', async () => {
    expect(await meet(answers(202))).toMatchObject({
      outcomes: ['pending 1 (202)', 'accepted 1 (200)', 'accepted 1 (200)'],
      successful: 3,
      pending: 1,
      errors: [],
    })
  })

  scenario('S26', '202 lasts until the engine has seen the key file', async () => {
    const { submit } = await beginIndexNow({ keyCheck: 'later' })

    const { report } = await submit({ urls: pages(200) })

    expect(report).toMatchObject({ successful: 200, pending: 200, stopped: undefined })
  })

  scenario('S26', '400 and 422 reject that URL, with advice, and the others go on', async () => {
    const malformed = await meet(answers(400))
    const mismatched = await meet(answers(422))

    expect(malformed.outcomes.toSorted()).toEqual([
      'accepted 1 (200)',
      'accepted 1 (200)',
      'rejected 1 (400)',
    ])
    expect(malformed.errors).toEqual([expect.stringContaining('the log names them')])
    expect(mismatched.outcomes).toContain('rejected 1 (422)')
    expect(mismatched.errors).toEqual([expect.stringContaining("not on the site's host")])
    expect(mismatched).toMatchObject({ requests: 3, stopped: undefined })
  })

  scenario('S26', 'a rejected URL is named in the log, without its query', async () => {
    const { engine, submit, lines } = await beginIndexNow()
    engine.script(answers(422))

    await submit({ urls: ['https://example.com/a?token=geheim'] })

    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { event: 'indexnow.rejected', url: 'https://example.com/a?…', status: 422 },
    ])
    expect(JSON.stringify(lines)).not.toContain('geheim')
  })

  it.each(['UserForbiddedToAccessSite', 'KeyNotFound', 'InvalidKey'] as const)(
    'S26 — 403 %s refuses everything: nothing is sent again, and the key file is to be looked at',
    async (code) => {
      expect(await meet(forbids(code))).toMatchObject({
        outcomes: ['failed 1 (403)', 'failed 2 (403)'],
        requests: 1,
        stopped: 'refused',
        errors: [expect.stringMatching(`answered 403 \\(${code}\\).* Open https.* make a new key`)],
        warnings: [],
      })
    },
  )

  scenario('S26', '401, and 403 without a word, refuse everything too', async () => {
    for (const step of [answers(401), forbids(), answers(403, '<html>Forbidden</html>')]) {
      expect(await meet(step)).toMatchObject({
        requests: 1,
        failed: 3,
        stopped: 'refused',
        errors: [expect.stringContaining('it does not accept the key')],
      })
    }
  })

  scenario('S26', '403 SiteVerificationNotCompleted leaves everything for later', async () => {
    expect(await meet(forbids('SiteVerificationNotCompleted'))).toMatchObject({
      outcomes: [],
      requests: 1,
      left: 3,
      failed: 0,
      stopped: 'unverified',
      errors: [],
      warnings: [expect.stringContaining('Nothing to do')],
    })
  })

  scenario('S26', 'a key file that is not there is 403, and told so', async () => {
    const { submit } = await beginIndexNow({ keyCheck: 'before' })

    const { report } = await submit({
      urls: ['http://127.0.0.1:9/'],
      host: '127.0.0.1:9',
      keyLocation: 'http://127.0.0.1:9/key.txt',
    })

    expect(report.errors).toEqual([expect.stringContaining('403 (KeyNotFound)')])
  })

  it('takes 413 and 414 for a request that is too long, not for a refusal', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.script(answers(413))

    const batch = await submit({ urls: pages(4), mode: 'post' })
    const single = await meet(answers(414))

    expect(outcomes(batch.settled)).toEqual(['accepted 2 (200)', 'accepted 2 (200)'])
    expect(single.outcomes).toContain('rejected 1 (414)')
  })

  it('goes no further where an answer is none of an IndexNow endpoint', async () => {
    for (const step of [answers(404), answers(302, '', { location: '/' }), answers(204)]) {
      expect(await meet(step)).toMatchObject({
        requests: 1,
        failed: 3,
        stopped: 'refused',
        errors: [expect.stringContaining("Check the engine's address")],
      })
    }
  })

  it('goes by the status where the text of an answer breaks off', async () => {
    expect(await meet(breaks('wrong-length'))).toMatchObject({ successful: 3, requests: 3 })
  })

  it('waits for nobody once an answer has ended it all', async () => {
    const clock = new ManualClock()
    const began = clock.now()
    const { engine, submit } = await beginIndexNow({ clock })
    engine.script(answers(503), forbids('InvalidKey'))

    const running = submit({ urls: pages(2), rules: { retryBaseMs: minutes(1) } })
    const { settled } = await whilePassing(clock, running)

    expect(outcomes(settled).toSorted()).toEqual(['failed 1 (403)', 'failed 1 (503)'])
    expect(clock.now() - began).toBeLessThan(minutes(1))
  })

  it('gives one reason for the end, the first', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.script(forbids('InvalidKey'))

    const { report } = await submit({
      urls: pages(3),
      rules: ONE_BY_ONE,
      budget: { subrequests: 1 },
    })

    expect(report).toMatchObject({ failed: 3, left: 0, stopped: 'refused' })
  })

  it('settles what is under way after another request was refused', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.script(USUAL, forbids('InvalidKey'), USUAL)

    const { report } = await submit({ urls: pages(50), rules: PATIENT })

    expect(report).toMatchObject({ failed: 50 - report.successful, left: 0, stopped: 'refused' })
    expect(report.successful).toBe(engine.received.size)
    expect(engine.requests.length).toBeLessThanOrEqual(4)
  })
})
