import { setImmediate as allTicks } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { groupCalls } from '../../src/stores/postgres/group-calls.ts'

interface Group {
  readonly asks: readonly string[]
  letGo(): void
  refuse(): void
}

/** Each group waits until it is let go, or refused; they are known by their number, from 0 on. */
function openGrouped() {
  const groups: Group[] = []
  const rests: number[] = []
  const awaited: PromiseWithResolvers<Group>[] = []
  const place = (number: number) => (awaited[number] ??= Promise.withResolvers<Group>())
  const call = groupCalls<string, string>({
    together: (asks) =>
      new Promise((done, refuse) => {
        const letGo = () => done(asks.map((ask) => `${ask} together`))
        const group = { asks, letGo, refuse: () => refuse(new Error('no')) }
        place(groups.push(group) - 1).resolve(group)
      }),
    async alone(ask) {
      if (ask === 'bad') throw new Error('bad')
      return `${ask} alone`
    },
    atRest: () => rests.push(groups.length),
  })
  return {
    call,
    group: (number: number) => place(number).promise,
    asks: () => groups.map(({ asks }) => asks),
    /** How many groups there had been each time. */
    rests,
  }
}

it('takes together what comes at once, and then what came meanwhile', async () => {
  const { call, group, asks } = openGrouped()

  const first = Promise.all([call('a'), call('b')])
  const one = await group(0)
  const second = Promise.all([call('c'), call('d'), call('e')])
  await allTicks()
  const before = asks()
  one.letGo()
  const early = await first
  const next = await group(1)
  next.letGo()
  const late = await second

  expect(before).toEqual([['a', 'b']])
  expect(asks()).toEqual([...before, ['c', 'd', 'e']])
  expect(early).toEqual(['a together', 'b together'])
  expect(late).toEqual(['c together', 'd together', 'e together'])
})

it('lets one that is refused be refused alone, and goes on', async () => {
  const { call, group } = openGrouped()

  const ended = Promise.allSettled([call('a'), call('bad'), call('c')])
  const one = await group(0)
  one.refuse()
  const outcomes = await ended
  const after = call('d')
  const next = await group(1)
  next.letGo()

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await after).toBe('d together')
})

it('is at rest when nobody asks again', async () => {
  const { call, group, rests } = openGrouped()

  const asksTwice = call('a').then(() => call('b'))
  const one = await group(0)
  one.letGo()
  const other = await group(1)
  other.letGo()
  await asksTwice
  await allTicks()

  expect(rests).toEqual([2])
})
