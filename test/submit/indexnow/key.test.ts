import { describe, expect, it, onTestFinished } from 'vitest'
import { seconds } from '../../../src/core/duration.ts'
import { httpClient } from '../../../src/core/http.ts'
import { Secret } from '../../../src/core/secret.ts'
import { checkKeyFile, hideKey, isIndexNowKey } from '../../../src/submit/channels/indexnow/key.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { scenario } from '../../support/scenario.ts'
import { forbids } from '../../support/stand-ins/indexnow-engine.ts'
import { answers, breaks, openStandIn, type Step } from '../../support/stand-ins/stand-in.ts'
import { beginIndexNow, CANARY, ONE_BY_ONE, pages } from './support.ts'

/** What the check says of a key file that is served so. */
async function check(step: Step) {
  const clock = new FakeClock()
  const site = await openStandIn({ clock, decide: () => ({ reply: { status: 404 } }) })
  onTestFinished(() => site.close())
  site.always(step)
  if (step.fault === 'hang') void site.arrival().then(() => clock.advance(seconds(10)))
  const keyLocation = `${site.origin}/${CANARY}.txt`
  const checked = await checkKeyFile({
    key: new Secret(CANARY),
    keyLocation,
    http: httpClient({ fetch, clock, userAgent: 'Sluice/test', allowPrivate: true }),
    timeoutMs: seconds(10),
  })
  const shown = hideKey(keyLocation, new Secret(CANARY))
  return checked.ok ? { kind: 'right', message: '', shown } : { ...checked.failure, shown }
}

describe('the IndexNow key', () => {
  scenario('S21', 'is 8 to 128 of A-Z, a-z, 0-9 and -', () => {
    const keys = ['abcdefgh', 'A-Z-0-9-', 'a'.repeat(128), CANARY]
    expect(keys.filter((key) => !isIndexNowKey(key))).toEqual([])

    const wrong = [
      '',
      'abcdefg',
      'a'.repeat(129),
      'abc_defgh',
      'abcdefgh\n',
      ' abcdefgh',
      'schlüssel',
    ]
    expect(wrong.filter(isIndexNowKey)).toEqual([])
  })

  scenario('S21', 'is shown by its first 4 characters, a short one not at all', () => {
    expect(hideKey(`https://a.b/${CANARY}.txt`, new Secret(CANARY))).toBe('https://a.b/c4n4….txt')
    expect(hideKey('https://a.b/abcd1234.txt', new Secret('abcd1234'))).toBe('https://a.b/….txt')
  })

  scenario('S21', 'is not printed though an engine repeats it in its answers', async () => {
    const { engine, submit, lines } = await beginIndexNow()
    const key = CANARY.replaceAll('-', '')
    const echo = JSON.stringify({ errorCode: key, message: key })
    engine.script(answers(500, echo), answers(429, echo), answers(403, echo))

    const { report } = await submit({ urls: pages(3), key, rules: ONE_BY_ONE })

    expect(report.errors).toEqual([expect.stringContaining('it does not accept the key')])
    expect(JSON.stringify([lines, report])).not.toContain(key.slice(4))
  })

  scenario('S21', 'is hidden where the advice names its file', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.script(forbids('InvalidKey'))

    const { report } = await submit({ urls: pages(1) })

    expect(report.errors[0]).toContain('Open https://example.com/c4n4….txt')
  })
})

describe('the key file', () => {
  scenario('S21', 'is right when it holds the key', async () => {
    expect(await check(answers(200, CANARY))).toMatchObject({ kind: 'right' })
  })

  scenario('S21', 'may end with a line break and begin with a byte order mark', async () => {
    expect(await check(answers(200, `${CANARY}\n`))).toMatchObject({ kind: 'right' })
    expect(await check(answers(200, `\uFEFF${CANARY}\r\n`))).toMatchObject({ kind: 'right' })
  })

  scenario('S21', 'that is missing, wrong, moved or out of reach is told apart', async () => {
    const page = '<!doctype html><title>Not here</title>'
    const found = await Promise.all(
      [
        answers(404, 'not here'),
        answers(403),
        answers(200, 'another-key'),
        answers(200, `${CANARY}${CANARY}`),
        answers(200, ''),
        answers(200, page),
        answers(200, page.repeat(1_000)),
        answers(301, '', { location: '/elsewhere' }),
        answers(503),
        breaks('reset'),
        breaks('hang'),
        { ...answers(200, CANARY), ...breaks('wrong-length') },
      ].map(check),
    )

    expect(
      found.map(({ kind, message, shown }) => [kind, message.replaceAll(shown, 'FILE')]),
    ).toEqual([
      ['missing', said('answers 404.')],
      ['missing', said('answers 403.')],
      ['wrong-content', said('holds something else than the key.')],
      ['wrong-content', said('holds something else than the key.')],
      ['wrong-content', said('holds something else than the key.')],
      ['wrong-content', said('holds a web page instead of the key.')],
      ['wrong-content', said('holds a web page instead of the key.')],
      ['redirected', said('answers with a redirect (301).')],
      ['unreachable', said('answers 503.')],
      ['unreachable', expect.stringContaining('FILE could not be reached (ECONNRESET).')],
      ['unreachable', expect.stringContaining('FILE did not finish within 10000 ms.')],
      ['unreachable', expect.stringContaining('FILE could not be reached')],
    ])
    expect(JSON.stringify(found)).not.toContain(CANARY)
  })

  it('is not asked for any more once the run is to stop', async () => {
    const clock = new FakeClock()
    const checked = await checkKeyFile({
      key: new Secret(CANARY),
      keyLocation: `http://127.0.0.1:9/${CANARY}.txt`,
      http: httpClient({ fetch, clock, userAgent: 'Sluice/test', allowPrivate: true }),
      timeoutMs: seconds(10),
      signal: AbortSignal.abort(),
    })

    expect(checked).toMatchObject({ ok: false, failure: { kind: 'unreachable' } })
    expect(clock.waiting).toBe(0)
  })
})

function said(what: string): string {
  return `The key file FILE ${what} Engines refuse submissions until it holds exactly the key: open it in a browser to see.`
}
