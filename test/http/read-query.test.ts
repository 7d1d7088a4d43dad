import { expect, it } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import { answer } from '../../src/http/envelope.ts'
import { httpApp } from '../../src/http/http-app.ts'
import { addOperation } from '../../src/http/operation.ts'
import { countingRandom } from '../support/counting-random.ts'
import { FakeClock } from '../support/fake-clock.ts'

/** Answers with the query as it was read, and counts how often a site was. */
function openEcho() {
  let reads = 0
  const site = z
    .string()
    .transform((text) => {
      reads++
      return text
    })
    .optional()
  const app = httpApp({
    clock: new FakeClock(),
    random: countingRandom(),
    log: silentLog,
    tokens: { admin: new Secret('admin-token-of-the-test'), advice: '' },
    modules: [
      (routes) =>
        addOperation(
          routes,
          {
            methods: ['get'],
            path: '/echo',
            access: 'anybody',
            subject: 'Test',
            summary: 'The query',
            query: z.strictObject({ site }),
            status: 200,
            answer: {},
          },
          (c, query) => answer(c, { query }),
        ),
    ],
  })
  const ask = async (address: string) => {
    const { query, error } = (await (await app.request(`/echo${address}`)).json()) as {
      query?: unknown
      error?: { code: string }
    }
    return error ? error.code : query
  }
  return { ask, reads: () => reads }
}

it('reads each query as itself, however often it is asked', async () => {
  const { ask } = openEcho()
  const expected = [
    ['#?site=a', {}],
    ['?site=a', { site: 'a' }],
    ['?site=b', { site: 'b' }],
    ['?site=%61%20b', { site: 'a b' }],
    ['?site=a#?site=b', { site: 'a' }],
    ['', {}],
    ['?', {}],
    ['?sight=a', 'INVALID_INPUT'],
    ['?site=a&sight=b', 'INVALID_INPUT'],
  ] as const
  const addresses = expected.map(([address]) => address)

  const first = await Promise.all(addresses.map(ask))
  const again = await Promise.all(addresses.map(ask))

  expect(first).toEqual(expected.map(([, read]) => read))
  expect(again).toEqual(first)
})

it('reads the same text once, but remembers neither long ones nor many', async () => {
  const { ask, reads } = openEcho()
  const askAll = async (...names: readonly string[]) => {
    const before = reads()
    for (const name of names) expect(await ask(`?site=${name}`)).toEqual({ site: name })
    return reads() - before
  }
  const many = Array.from({ length: 100 }, (_, n) => `site-${n}`)
  const long = 'x'.repeat(200)

  const same = await askAll('a', 'a', 'a')
  const longer = await askAll(long, long)
  await askAll(...many)

  expect([same, longer, await askAll('a')]).toEqual([1, 2, 1])
})
