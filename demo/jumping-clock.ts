import { type Clock, systemClock } from '../src/core/clock.ts'

/** The system's time, some time ago, until it jumps: then whatever was due in between rings, in order. */
export interface JumpingClock extends Clock {
  /** Never backwards. */
  jumpTo(instant: number): void
}

interface Alarm {
  readonly at: number
  readonly ring: () => void
}

export function openJumpingClock(start: number): JumpingClock {
  const alarms = new Set<Alarm>()
  let behindMs = systemClock.now() - start
  const now = () => systemClock.now() - behindMs

  const after = (ms: number, ring: () => void) => {
    const alarm = { at: now() + ms, ring: () => cancel() && ring() }
    const cancelTimer = systemClock.after(ms, alarm.ring)
    const cancel = () => {
      cancelTimer()
      return alarms.delete(alarm)
    }
    alarms.add(alarm)
    return () => void cancel()
  }
  return {
    now,
    after,
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
    jumpTo(instant) {
      for (;;) {
        const [next] = [...alarms].filter(({ at }) => at <= instant).sort((a, b) => a.at - b.at)
        if (!next) break
        behindMs -= Math.max(0, next.at - now())
        next.ring()
      }
      behindMs -= Math.max(0, instant - now())
    },
  }
}
