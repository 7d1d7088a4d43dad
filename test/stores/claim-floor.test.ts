import { expect, it } from 'vitest'
import { ClaimFloor } from '../../src/stores/postgres/claim-floor.ts'

const at = (...positions: number[]) => positions.map((position) => ({ position }))

it('begins behind what was claimed last', () => {
  const floor = new ClaimFloor()

  const first = floor.next()
  floor.raise(first, at(3, 7, 5))
  const second = floor.next()

  expect(first.from).toBe(0)
  expect(second.from).toBe(8)
})

it('looks back after 64 statements, and once more until what is there was claimed', () => {
  const floor = new ClaimFloor()

  const asked = Array.from({ length: 64 }, (_, n) => {
    const one = floor.next()
    floor.raise(one, at(100 + n))
    return one.from
  })
  const back = floor.next()
  floor.raise(back, at(1, 2))
  const after = floor.next()

  expect(asked.slice(1).every((from) => from >= 100)).toBe(true)
  expect(back.from).toBe(0)
  expect(after.from).toBe(3)
})

it('does not let a statement that was sent before end the look back', () => {
  const floor = new ClaimFloor()

  const before = floor.next()
  floor.reset()
  const back = floor.next()
  floor.raise(before, at(900))
  const after = floor.next()

  expect(back.from).toBe(0)
  expect(after.from).toBe(0)
})
