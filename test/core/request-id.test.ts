import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  childTrace,
  parseTraceparent,
  requestIdFrom,
  traceparentOf,
} from '../../src/core/request-id.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN_ID = '00f067aa0ba902b7'
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`

scenario('C06', 'the caller’s request id is kept, one is made where it is absent', () => {
  expect(requestIdFrom('req-42', countingRandom())).toBe('req-42')
  expect(requestIdFrom('Root=1-67891233-abcdef012345678912345678', countingRandom())).toBe(
    'Root=1-67891233-abcdef012345678912345678',
  )

  const made = '00000000-0000-4000-8000-000000000000'
  expect(requestIdFrom(null, countingRandom())).toBe(made)
  expect(requestIdFrom(undefined, countingRandom())).toBe(made)
  expect(requestIdFrom('', countingRandom())).toBe(made)
})

it('makes an id where the caller’s could break a log line, a header or a page', () => {
  const unfit = ['a b', 'a\nlevel=error', 'a\r\nset-cookie: x', '<b>', '"', 'é', 'x'.repeat(129)]
  for (const id of unfit) expect(requestIdFrom(id, countingRandom())).toMatch(/^0{8}-/)
  expect(requestIdFrom('x'.repeat(128), countingRandom())).toHaveLength(128)
})

describe('traceparent', () => {
  scenario('C06', 'a W3C trace goes on under the same trace id', () => {
    const parent = parseTraceparent(TRACEPARENT)
    const child = childTrace(parent, countingRandom())

    expect(parent).toEqual({ traceId: TRACE_ID, spanId: SPAN_ID, flags: '01' })
    expect(traceparentOf(child)).toBe(`00-${TRACE_ID}-8000000000000000-01`)
  })

  it('keeps the caller’s wish not to be sampled', () => {
    const parent = parseTraceparent(`00-${TRACE_ID}-${SPAN_ID}-00`)
    expect(childTrace(parent, countingRandom()).flags).toBe('00')
  })

  it('begins a new trace where there is none', () => {
    const first = traceparentOf(childTrace(undefined, countingRandom()))
    expect(first).toBe('00-00000000000040008000000000000000-8000000000000001-01')
    expect(parseTraceparent(first)).toBeDefined()
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty header', ''],
    ['capitals', TRACEPARENT.toUpperCase()],
    ['a zero trace id', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['a zero span id', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${TRACE_ID}-${SPAN_ID}-01`],
    ['more than version 00 has', `${TRACEPARENT}-extra`],
    ['a short trace id', `00-${TRACE_ID.slice(1)}-${SPAN_ID}-01`],
    ['two headers in one', `${TRACEPARENT},${TRACEPARENT}`],
  ])('does not take %s for a trace', (_, header) =>
    expect(parseTraceparent(header)).toBeUndefined(),
  )

  it('takes what it knows from a later version', () => {
    expect(parseTraceparent(`01-${TRACE_ID}-${SPAN_ID}-01-more`)?.traceId).toBe(TRACE_ID)
    expect(parseTraceparent(`01-${TRACE_ID}-${SPAN_ID}-01more`)).toBeUndefined()
  })

  it('reads back what it writes', () => {
    const hex = (length: number) =>
      fc
        .string({
          unit: fc.constantFrom(...'0123456789abcdef'.split('')),
          minLength: length,
          maxLength: length,
        })
        .filter((text) => !/^0+$/.test(text))
    fc.assert(
      fc.property(hex(32), hex(16), hex(2), (traceId, spanId, flags) => {
        const trace = { traceId, spanId, flags }
        expect(parseTraceparent(traceparentOf(trace))).toEqual(trace)
      }),
    )
  })
})
