import type { Random } from '../../src/core/random.ts'

/** Chance that can be told in advance: each value follows from the number of those before it. */
export function countingRandom(): Random {
  let count = 0
  return {
    fraction: () => (count++ * 0.618_033_988_75) % 1,
    bytes: (length) => Uint8Array.from({ length }, () => count++ & 0xff),
    uuid: () => `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`,
  }
}
