import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readGiven } from '../../src/http/read-given.ts'

const body = z.strictObject({
  site: z.string().optional(),
  urls: z.array(z.string('a URL, as text'), 'a list of URLs'),
  wait: z.enum(['true', 'false']).optional(),
  channel: z.enum(['all', 'indexnow', 'bing']).optional(),
  limit: z.int().min(1).max(100).optional(),
  note: z.string().min(3).max(5).optional(),
  inside: z.strictObject({ apiKey: z.string() }).optional(),
})

const saidOf = (given: unknown) => {
  const read = readGiven(body, given)
  return read.ok ? 'nothing' : read.failure
}

describe('what is wrong with a request', () => {
  it.each([
    [{ urls: [] }, 'nothing'],
    [{}, 'urls is missing: it should be a list of URLs.'],
    [{ urls: 'x' }, 'urls is text: it should be a list of URLs.'],
    [{ urls: ['a', 7] }, 'urls[1] is a number: it should be a URL, as text.'],
    [{ urls: [], note: 'abcdef' }, 'note is too long: it should be at most 5 characters.'],
    [{ urls: [], note: 'a' }, 'note is too short: it should be at least 3 characters.'],
    [{ urls: [], note: '' }, 'note is empty: it should be at least 3 characters.'],
    [{ urls: [], wait: 'yes' }, 'wait is "yes": it should be true or false.'],
    [{ urls: [], channel: 'x' }, 'channel is "x": it should be all, indexnow or bing.'],
    [{ urls: [], limit: 0 }, 'limit is 0: it should be at least 1.'],
    [{ urls: [], limit: 1.5 }, 'limit is 1.5: it should be a whole number.'],
    [{ urls: [], limit: 'x' }, 'limit is "x": it should be a number.'],
    [{ urls: [], site: null }, 'site is null: it should be text.'],
    [{ urls: [], site: {} }, 'site is an object: it should be text.'],
    [[], 'The body is a list: it should be a JSON object.'],
    [null, 'The body is null: it should be a JSON object.'],
    [{ urls: [], Site: 'x' }, '"Site" is not known here. Did you mean site?'],
    [
      { urls: [], inside: { apiKey: 'a', api_keys: 'b' } },
      '"api_keys" is not known here. Did you mean apiKey?',
    ],
    [
      { urls: [], colour: 'x' },
      '"colour" is not known here. Known are site, urls, wait, channel, limit, note, inside: leave it out.',
    ],
    [
      { wait: 1, limit: 999 },
      'urls is missing: it should be a list of URLs. wait is 1: it should be true or false. limit is 999: it should be at most 100.',
    ],
  ])('%j: %s', (given, said) => {
    expect(saidOf(given)).toBe(said)
  })

  it('never shows a text that may be a secret', () => {
    for (const given of [
      { urls: 'canary' },
      { urls: [], note: 'canary-0123456789' },
      { urls: [], inside: 'canary' },
      { urls: [], inside: { apiKey: ['canary'] } },
      { urls: [], wait: 'https://example.com/?key=canary' },
      { urls: [], '?key=canary': 1 },
    ]) {
      expect(saidOf(given)).toMatch(/ it should be |not known/)
      expect(saidOf(given)).not.toContain('canary')
    }
  })

  it('knows that nothing is asked for', () => {
    const read = readGiven(z.strictObject({}), { x: '1' })

    expect(read).toMatchObject({ failure: '"x" is not known here. Nothing is: leave it out.' })
  })
})
