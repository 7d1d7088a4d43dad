/**
 * How many different URLs were submitted and how many failed, over all engines: one that two engines accept is
 * submitted once. A URL that one engine takes and another refuses counts in both.
 */
export interface UrlTally {
  settled(hashes: Uint32Array, accepted: boolean): void
  submitted(): number
  failed(): number
}

const ACCEPTED = 1
const FAILED = 2

/** With a single engine nothing can be counted twice, and nothing need be remembered. */
export function openUrlTally(engines: number): UrlTally {
  // 53 of the 64 bits make an exact number; URLs that share them would only be counted as one.
  const seen = new Map<number, number>()
  const counts = { submitted: 0, failed: 0 }
  return {
    settled(hashes, accepted) {
      if (engines === 1) {
        counts[accepted ? 'submitted' : 'failed'] += hashes.length / 2
        return
      }
      const mark = accepted ? ACCEPTED : FAILED
      for (let at = 0; at < hashes.length; at += 2) {
        const key = (hashes[at] as number) * 2 ** 21 + ((hashes[at + 1] as number) >>> 11)
        const before = seen.get(key) ?? 0
        if ((before & mark) !== 0) continue
        seen.set(key, before | mark)
        if (accepted) counts.submitted++
        else counts.failed++
      }
    },
    submitted: () => counts.submitted,
    failed: () => counts.failed,
  }
}
