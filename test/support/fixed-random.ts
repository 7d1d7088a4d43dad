import type { Random } from '../../src/core/random.ts'

/** Chance that is the same every time: bytes count up from 0, ids are numbered. */
export function fixedRandom(): Random {
  let made = 0
  return {
    fraction: () => 0.5,
    bytes: (count) => Uint8Array.from({ length: count }, (_, i) => i),
    uuid: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
  }
}
