import { describe, expect, it } from 'vitest'
import { openLog, silentLog, type LogLevel, type LogLine } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scenario } from '../support/scenario.ts'

function logTo(level: LogLevel = 'info') {
  const lines: LogLine[] = []
  const clock = new FakeClock('2025-01-15T00:00:00Z')
  const log = openLog({ clock, level, write: (line) => lines.push(line) })
  return { log, lines, clock }
}

describe('log', () => {
  it('writes one object a line: time, level, event, msg, then the fields', () => {
    const { log, lines, clock } = logTo()

    clock.advance(1_500)
    log.info('run.finished', 'example.com: 150 URLs', { siteId: 'example.com', total: 150 })

    expect(JSON.stringify(lines)).toBe(
      '[{"time":"2025-01-15T00:00:01.500Z","level":"info","event":"run.finished",' +
        '"msg":"example.com: 150 URLs","siteId":"example.com","total":150}]',
    )
  })

  it.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
  ] as const)('at level %s writes %j', (level, written) => {
    const { log, lines } = logTo(level)
    log.debug('a.b', '')
    log.info('a.b', '')
    log.warn('a.b', '')
    log.error('a.b', '')
    expect(lines.map((line) => line.level)).toEqual(written)
  })

  scenario('C06', 'the request id is on every line of a request, also from deep inside', () => {
    const { log, lines } = logTo('debug')

    const ofRequest = log.with({ requestId: 'req-42' })
    ofRequest.info('collect.started', 'begin')
    ofRequest.with({ platform: 'xhs' }).warn('collect.retried', 'again', { number: 1 })
    ofRequest.with({ a: 1 }).with({ b: 2 }).debug('collect.ended', 'end')
    log.info('server.idle', 'nothing to do')

    expect(lines.map(({ requestId }) => requestId)).toEqual([
      'req-42',
      'req-42',
      'req-42',
      undefined,
    ])
    expect(lines[1]).toMatchObject({ platform: 'xhs', number: 1 })
    expect(lines[2]).toMatchObject({ a: 1, b: 2 })
  })

  it('lets a line’s own field go before the log’s', () => {
    const { log, lines } = logTo()
    log.with({ engine: 'all' }).info('a.b', '', { engine: 'bing' })
    expect(lines[0]).toMatchObject({ engine: 'bing' })
  })

  it('lets no field overwrite what every line promises', () => {
    const { log, lines } = logTo()
    log.with({ level: 'debug' }).info('a.b', 'said', { time: 1, event: 'x', msg: 'y', n: 2 })
    expect(lines[0]).toEqual({
      time: '2025-01-15T00:00:00.000Z',
      level: 'info',
      event: 'a.b',
      msg: 'said',
      n: 2,
      field_time: 1,
      field_level: 'debug',
      field_event: 'x',
      field_msg: 'y',
    })
  })

  scenario('C07', 'no line holds a cookie, wherever somebody put it', () => {
    const { log, lines } = logTo()
    const cookie = 'web_session=040069b2canary; a1=18canary0123456789'

    log
      .with({ cookie, nested: { headers: { cookie } } })
      .error('collect.failed', `sent ${cookie}`, {
        error: new Error(`bad cookie: ${cookie}`, { cause: { cookie_value: cookie } }),
        body: JSON.stringify({ cookie_value: cookie }),
        key: new Secret(cookie),
      })

    expect(JSON.stringify(lines)).not.toContain('canary')
    expect(lines).toHaveLength(1)
  })

  it('can be silent', () => {
    expect(silentLog.with({ a: 1 })).toBe(silentLog)
    expect(silentLog.error('a.b', 'nobody hears')).toBeUndefined()
    silentLog.debug('a.b', '')
    silentLog.info('a.b', '')
    silentLog.warn('a.b', '')
  })
})
