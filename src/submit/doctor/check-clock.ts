import { type Finding, finding } from './finding.ts'
import { CLOCK_OFF_MS, CLOCK_WRONG_MS } from './limits.ts'
import type { SeenAnswer } from './witness.ts'

/**
 * This machine's time against that of everybody who answered. Where one of them agrees, it is another's clock that is
 * wrong: so the nearest counts.
 */
export function checkClock(answers: readonly SeenAnswer[]): Finding {
  const subject = 'clock'
  const offs = answers.flatMap((answer) => offOf(answer) ?? [])
  const [offMs] = offs.toSorted((a, b) => Math.abs(a) - Math.abs(b))
  if (offMs === undefined) {
    return finding('clock-unknown', {
      subject,
      message: 'No server told the time, so that this clock could not be compared.',
      fix: 'Put the other problems right first, then run the doctor again.',
    })
  }
  const details = { offMs, compared: offs.length }
  const off = Math.abs(offMs)
  if (off <= CLOCK_OFF_MS) {
    return finding('clock', { subject, message: 'The clock is right.', details })
  }
  const message = `The clock is ${inWords(off)} ${offMs > 0 ? 'ahead' : 'behind'}.`
  const fix =
    'Let the machine set its clock by the network (NTP), for example: timedatectl set-ntp true'
  return finding(off > CLOCK_WRONG_MS ? 'clock-wrong' : 'clock-off', {
    subject,
    message,
    fix,
    details,
  })
}

/** Ahead is positive. A cache tells the time at which it got the answer, and how long ago that was. */
function offOf({ at, date, age }: SeenAnswer): number | undefined {
  const told = Date.parse(date ?? '')
  if (Number.isNaN(told)) return undefined
  return at - told - Math.max(0, Number(age ?? 0) || 0) * 1_000
}

function inWords(ms: number): string {
  const inMinutes = Math.round(ms / 60_000)
  if (inMinutes < 120) return `${inMinutes} minutes`
  const inHours = Math.round(inMinutes / 60)
  return inHours < 48 ? `${inHours} hours` : `${Math.round(inHours / 24)} days`
}
