import type { AlertNotice, AlertState, AlertStep } from '../core/alert.ts'

/** Something a person is to be told, once. */
export interface AlertMessage {
  readonly id: number
  readonly notice: AlertNotice
  readonly at: number
  readonly alert: AlertState
  readonly deliveredAt: number | undefined
}

export interface AlertStore {
  /**
   * Moves one alert on by `step` and, where that gives a notice, records its message in the same transaction:
   * a process that dies before it is sent leaves it undelivered, not unsaid. `step` is pure and may run again.
   */
  move(
    key: string,
    step: (before: AlertState | undefined) => AlertStep,
    now: number,
  ): Promise<AlertStep>
  /** Every alert that is watched, firing or resolved, by key. */
  list(): Promise<readonly AlertState[]>
  /** Oldest first. */
  undelivered(): Promise<readonly AlertMessage[]>
  delivered(id: number, at: number): Promise<void>
  /** Newest first. */
  messages(limit: number): Promise<readonly AlertMessage[]>
}
