import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  acknowledgeAlert,
  stepAlert,
  type AlertRule,
  type AlertState,
  type AlertText,
} from '../../src/core/alert.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'

const RULE: AlertRule = { key: 'no-cookie', severity: 'P0', raiseAfterMs: 0, clearAfterMs: 0 }
const WRONG: AlertText = { title: 'No active cookie', cause: 'all banned', advice: 'Add one.' }

/** The notices of a life: what was seen at each minute, and when somebody was told. */
function live(rule: AlertRule, seen: (minute: number) => AlertText | undefined, until: number) {
  let state: AlertState | undefined
  const notices: string[] = []
  for (let minute = 0; minute <= until; minute++) {
    const step = stepAlert(state, { rule, wrong: seen(minute), now: minutes(minute) })
    state = step.state
    if (step.notice) notices.push(`${minute} ${step.notice}`)
  }
  return { state, notices }
}

describe('alert', () => {
  scenario('C40', 'an alert is raised once, repeated after 5, 15 and 60 min, cleared once', () => {
    const { state, notices } = live(RULE, (minute) => (minute < 150 ? WRONG : undefined), 400)

    expect(notices).toEqual([
      '0 raised',
      '5 repeated',
      '20 repeated',
      '80 repeated',
      '140 repeated',
      '150 resolved',
    ])
    expect(state).toMatchObject({ status: 'resolved', resolvedAt: minutes(150) })
  })

  it('is not repeated once somebody acknowledged it, and is told anew when it is raised anew', () => {
    const step = (state: AlertState | undefined, minute: number, wrong?: AlertText) =>
      stepAlert(state, { rule: RULE, wrong, now: minutes(minute) })
    const raised = step(undefined, 0, WRONG).state
    const seen = { at: minutes(1), by: 'admin' }

    const known = acknowledgeAlert(raised, seen).state
    const later = step(known, 500, WRONG)
    const again = acknowledgeAlert(later.state, { at: minutes(9), by: 'another' }).state
    const over = step(again, 501)
    const anew = step(over.state, 502, WRONG)

    expect(later.notice).toBeUndefined()
    expect(again?.acknowledged).toEqual(seen)
    expect(over).toMatchObject({ notice: 'resolved', state: { acknowledged: seen } })
    expect(acknowledgeAlert(over.state, seen).state).toBe(over.state)
    expect(anew.notice).toBe('raised')
    expect(anew.state).not.toHaveProperty('acknowledged')
    expect(acknowledgeAlert(undefined, seen)).toEqual({ state: undefined })
  })

  scenario('C40', 'it is raised only when the condition held for its time without a break', () => {
    const rule = { ...RULE, raiseAfterMs: minutes(10) }
    const brokenAtNine = (minute: number) => (minute === 9 ? undefined : WRONG)

    expect(live(rule, () => WRONG, 12).notices).toEqual(['10 raised'])
    expect(live(rule, () => WRONG, 9).state).toMatchObject({ status: 'watching', since: 0 })
    expect(live(rule, brokenAtNine, 22).notices).toEqual(['20 raised'])
  })

  it('is cleared only when the condition was gone for its time without a break', () => {
    const rule = { ...RULE, clearAfterMs: minutes(3) }
    const flapping = (minute: number) => (minute % 3 === 0 && minute < 10 ? WRONG : undefined)

    const { notices } = live(rule, flapping, 20)

    expect(notices).toEqual(['0 raised', '6 repeated', '13 resolved'])
  })

  it('is not repeated while the condition is gone but not yet cleared', () => {
    const rule = { ...RULE, clearAfterMs: hours(1) }
    const { notices } = live(rule, (minute) => (minute < 2 ? WRONG : undefined), 50)
    expect(notices).toEqual(['0 raised'])
  })

  it('is one notice, not many, when nobody looked for hours', () => {
    const raised = stepAlert(undefined, { rule: RULE, wrong: WRONG, now: 0 })
    const late = stepAlert(raised.state, { rule: RULE, wrong: WRONG, now: hours(9) })
    const next = stepAlert(late.state, { rule: RULE, wrong: WRONG, now: hours(9) + minutes(1) })
    expect([late.notice, next.notice]).toEqual(['repeated', undefined])
  })

  it('can be raised again after it was resolved, from the beginning', () => {
    const twice = (minute: number) => (minute < 7 || minute >= 20 ? WRONG : undefined)
    const { state, notices } = live(RULE, twice, 26)

    expect(notices).toEqual(['0 raised', '5 repeated', '7 resolved', '20 raised', '25 repeated'])
    expect(state).toMatchObject({ status: 'firing', raisedAt: minutes(20), notifications: 2 })
    expect(state).not.toHaveProperty('resolvedAt')
  })

  it('remembers nothing of what never became an alert', () => {
    const rule = { ...RULE, raiseAfterMs: minutes(10) }
    const { state, notices } = live(rule, (minute) => (minute < 5 ? WRONG : undefined), 6)
    expect([state, notices]).toEqual([undefined, []])
    expect(stepAlert(undefined, { rule, wrong: undefined, now: 0 })).toEqual({ state: undefined })
  })

  it('tells what is wrong now, not what was', () => {
    const before = stepAlert(undefined, { rule: RULE, wrong: { ...WRONG, count: 7 }, now: 0 })
    const other = { title: 'Cookies cooling', cause: 'all cooling', advice: 'Wait.' }

    const { state } = stepAlert(before.state, {
      rule: { ...RULE, severity: 'P1' },
      wrong: other,
      now: 1,
    })

    expect(state).toMatchObject({ ...other, severity: 'P1', status: 'firing', raisedAt: 0 })
    expect(state).not.toHaveProperty('count')
  })

  it('never raises twice without resolving between, nor resolves what was not raised', () => {
    const rules = fc.record({
      key: fc.constant('x'),
      severity: fc.constantFrom('P0', 'P1', 'P2'),
      raiseAfterMs: fc.nat(minutes(10)),
      clearAfterMs: fc.nat(minutes(10)),
    })
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(minutes(30))), { maxLength: 60 })
    fc.assert(
      fc.property(rules, steps, (rule, seen) => {
        let state: AlertState | undefined
        let now = 0
        let firing = false
        let wrongSince: number | undefined
        for (const [isWrong, elapsed] of seen) {
          now += elapsed
          wrongSince = isWrong ? (wrongSince ?? now) : undefined
          const step = stepAlert(state, { rule, wrong: isWrong ? WRONG : undefined, now })
          const heldMs = wrongSince === undefined ? -1 : now - wrongSince
          const allowed = {
            raised: !firing && heldMs >= rule.raiseAfterMs,
            repeated: firing && isWrong,
            resolved: firing && !isWrong,
            none: true,
          }
          expect(allowed[step.notice ?? 'none']).toBe(true)
          if (step.notice) firing = step.notice !== 'resolved'
          expect(step.state?.status === 'firing').toBe(firing)
          state = step.state
        }
      }),
    )
  })
})
