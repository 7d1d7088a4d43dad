import { expect, it } from 'vitest'
import { groupCalls } from '../../src/stores/postgres/group-calls.ts'

interface Group {
  readonly asks: readonly string[]
  letGo(): void
  refuse(): void
}

/** Each group waits until it is let go, or refused. */
function openGrouped() {
  const groups: Group[] = []
  let came = Promise.withResolvers<Group>()
  const call = groupCalls<string, string>({
    together: (asks) =>
      new Promise((done, refuse) => {
        const letGo = () => done(asks.map((ask) => `${ask} together`))
        const group = { asks, letGo, refuse: () => refuse(new Error('no')) }
        groups.push(group)
        came.resolve(group)
        came = Promise.withResolvers<Group>()
      }),
    goesInTurn: (ask) => ask.startsWith('turn'),
    async alone(ask) {
      if (ask === 'bad') throw new Error('bad')
      return `${ask} alone`
    },
  })
  return { call, nextGroup: () => came.promise, asks: () => groups.map(({ asks }) => asks) }
}

it('takes together what comes at once, and then what came meanwhile', async () => {
  const { call, nextGroup, asks } = openGrouped()

  const coming = nextGroup()
  const first = Promise.all([call('a'), call('b')])
  const group = await coming
  const second = Promise.all([call('c'), call('d'), call('e')])
  const following = nextGroup()
  group.letGo()
  const early = await first
  const next = await following
  next.letGo()
  const late = await second

  expect(asks()).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ])
  expect(early).toEqual(['a together', 'b together'])
  expect(late).toEqual(['c together', 'd together', 'e together'])
})

it('lets one that is refused be refused alone, and goes on', async () => {
  const { call, nextGroup } = openGrouped()

  const coming = nextGroup()
  const ended = Promise.allSettled([call('a'), call('bad'), call('c')])
  const group = await coming
  const following = nextGroup()
  group.refuse()
  const outcomes = await ended
  const after = call('d')
  const next = await following
  next.letGo()

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await after).toBe('d together')
})

it('has two groups under way, but of those that go in turn one', async () => {
  const { call, nextGroup, asks } = openGrouped()

  const coming = nextGroup()
  const first = call('turn 1')
  const group = await coming
  const following = nextGroup()
  const others = Promise.all([call('turn 2'), call('a'), call('turn 3')])
  const second = await following
  const third = nextGroup()
  group.letGo()
  const last = await third
  second.letGo()
  last.letGo()

  expect(await first).toBe('turn 1 together')
  expect(await others).toEqual(['turn 2 together', 'a together', 'turn 3 together'])
  expect(asks()).toEqual([['turn 1'], ['a'], ['turn 2', 'turn 3']])
})
