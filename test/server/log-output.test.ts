import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type LogFormat, logOutput } from '../../src/apps/node/log-output.ts'
import { openLog } from '../../src/core/log.ts'
import { FakeClock } from '../support/fake-clock.ts'

function logTo(format: LogFormat) {
  const stream = new PassThrough()
  const write = logOutput(format, stream as unknown as NodeJS.WriteStream)
  const log = openLog({ clock: new FakeClock('2025-01-15T10:20:30Z'), level: 'info', write })
  return { log, stream, written: () => (stream.read() as Buffer | null)?.toString() ?? '' }
}

describe('the log', () => {
  it('is one JSON object a line', () => {
    const { log, written } = logTo('json')

    log.with({ requestId: 'r1' }).warn('a.b', 'two\nlines', { count: 2 })

    expect(written()).toBe(
      '{"time":"2025-01-15T10:20:30.000Z","level":"warn","event":"a.b","msg":"two\\nlines","requestId":"r1","count":2}\n',
    )
  })

  it('is a line with its fields for people', () => {
    const { log, written } = logTo('pretty')

    log.info('a.b', 'Something happened.', {
      count: 2,
      where: 'here',
      list: ['a b'],
      no: undefined,
    })

    expect(written()).toBe(
      '10:20:30 INFO  Something happened. a.b count=2 where=here list=["a b"]\n',
    )
  })

  it('lets nobody end a line or move the cursor from inside a message', () => {
    const { log, written } = logTo('pretty')

    log.info('a.b', 'x\r\n\u001b[2J10:20:30 INFO  forged', { path: 'y\n\u001b[1A' })

    const line = written()
    expect(line.match(/\n/g)).toHaveLength(1)
    expect(line).not.toContain('\u001b')
  })

  it('shows the stack of an error below its line', () => {
    const { log, written } = logTo('pretty')

    log.error('a.b', 'It broke.', { error: new Error('because') })

    expect(written()).toMatch(/^10:20:30 ERROR It broke\. a\.b\n {4}Error: because\n {4} +at /)
  })

  it('does not repeat to people what they have just read', () => {
    const pretty = logTo('pretty')
    const json = logTo('json')

    for (const { log } of [pretty, json]) {
      log.error('a.b', 'It broke.', { error: 'It broke.', where: 'here' })
    }

    expect(pretty.written()).toBe('10:20:30 ERROR It broke. a.b where=here\n')
    expect(json.written()).toContain('"error":"It broke."')
  })

  it('goes on when nobody reads any more', () => {
    const { stream } = logTo('json')

    expect(stream.emit('error', new Error('EPIPE'))).toBe(true)
  })
})
