import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedState, readLiteral } from '../../../src/collect/platforms/embedded-state.ts'

const STATE = /^\s*window\.__STATE__\s*=\s*/

/** A JSON value, with gaps that are to be written as `undefined`. */
const GAP = '\u0001gap'
const words = fc.constantFrom(
  'undefined',
  ':undefined,',
  '"',
  "'",
  '\\',
  '\\"undefined\\"',
  '}',
  '</a>',
  '😀',
  '\u2028',
)
const texts = fc.oneof(
  fc.string(),
  fc.array(words).map((some) => some.join('')),
)
const { value: states } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    texts.filter((text) => text !== GAP),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.constant(GAP),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      texts.filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}))

const withNull = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(JSON.stringify(GAP), 'null'))
const written = (value: unknown) =>
  JSON.stringify(value).replaceAll(JSON.stringify(GAP), 'undefined').replaceAll('/', '\\u002F')

describe('an embedded state', () => {
  it('keeps the word undefined inside of a text, and makes a bare one null', () => {
    const source = `{"a":undefined,"text":"it is undefined, :undefined,","b":[undefined,NaN], "undefined":1}`

    expect(readLiteral(source)).toEqual({
      ok: true,
      value: { a: null, text: 'it is undefined, :undefined,', b: [null, null], undefined: 1 },
    })
  })

  it('is read as JavaScript would read it', () => {
    const source = String.raw`{a:1e5, 'b':'it\'s "x"', "c":"\x3Cb\u003E	\v", d : -1.5E+2, $e_1: true};var more = 1`

    expect(readLiteral(source)).toEqual({
      ok: true,
      value: { a: 1e5, b: `it's "x"`, c: '<b>\t\v', d: -150, $e_1: true },
    })
  })

  it.each([
    ['', 'not-a-literal'],
    ['f(1)', 'not-a-literal'],
    ['{"a":f(1)}', 'not-a-literal'],
    ['{"a":`x`}', 'not-a-literal'],
    ['{"a":"x', 'unfinished'],
    ['{"a":"x\\', 'unfinished'],
    ['{"a":1', 'unfinished'],
    ['{"a" 1}', 'broken'],
    ['[1}', 'broken'],
    ['['.repeat(501), 'too-deep'],
  ])('is refused where it is none: %j', (source, problem) => {
    expect(readLiteral(source)).toEqual({ ok: false, failure: problem })
  })

  it('comes back as it was written, whatever is in it', () => {
    fc.assert(
      fc.property(fc.array(states, { maxLength: 4 }), fc.string(), (state, after) => {
        expect(readLiteral(written(state) + after)).toEqual({ ok: true, value: withNull(state) })
      }),
    )
  })

  it('never throws, whatever is there instead', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      '\\',
      'undefined',
      ':',
      ',',
      '1',
      '`',
      '\n',
      '\\u',
      'e',
    )
    const noise = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(noise, (source) => {
        const read = readLiteral(`{${source}`)
        expect(typeof read.ok).toBe('boolean')
      }),
    )
  })

  // Two million characters each: what took the square of that would take hours, and run into the time limit.
  it.each([
    ['{"a":'.repeat(400) + ' '.repeat(2_000_000)],
    ['{' + 'undefined '.repeat(200_000)],
    ['{' + 'a'.repeat(2_000_000)],
    ['["' + '\\"'.repeat(1_000_000)],
    ["['" + '"'.repeat(2_000_000)],
    ['["' + '\u0000'.repeat(500_000)],
    ['[' + '1'.repeat(2_000_000)],
    ['[' + '"",'.repeat(700_000)],
  ])('takes its time only once: %.20s…', (source) => {
    expect(readLiteral(source).ok).toBe(false)
  })

  it('is taken from a script, not from what people wrote', () => {
    const spoof = 'window.__STATE__={"spoofed":true}'
    const page = `<html><head><meta name="description" content='${spoof}'></head><body><p>${spoof}</p>
      <!-- <script>${spoof}</script> --><script src="a.js">${spoof}</script>
      <script>var text = "; ${spoof.replaceAll('"', '\\"')}"</script>
      <script> window.__STATE__ = {"real":"a < b && c"} ;</script><script>${spoof}</script>`

    expect(embeddedState(page, STATE)).toEqual({ ok: true, value: { real: 'a < b && c' } })
    expect(embeddedState('<p>nothing</p>', STATE)).toEqual({ ok: false, failure: 'absent' })
  })

  it('ends in a page that nests absurdly deep', () => {
    const page = `${'<div>'.repeat(500_000)}${'</b>'.repeat(500_000)}<script>window.__STATE__={}</script>`

    expect(embeddedState(page, STATE)).toEqual({ ok: false, failure: 'absent' })
  })
})
