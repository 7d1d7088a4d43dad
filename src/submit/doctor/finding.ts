import type { Json } from '../../core/json.ts'
import { redactText } from '../../core/redact.ts'
import { CODES, type FindingCode, type Level } from './codes.ts'

/** What one check came to. */
export interface Finding {
  readonly code: FindingCode
  readonly level: Level
  /** Absent where it is about this machine, not about a site. */
  readonly site?: string
  /** What was looked at, as it may be printed. */
  readonly subject: string
  readonly message: string
  /** What to do; on everything that is not ok. */
  readonly fix?: string
  readonly details?: Readonly<Record<string, Json>>
}

type Told = Pick<Finding, 'subject' | 'message' | 'fix' | 'details'>

/** The level follows from the code: the same finding is never a warning here and an error there. */
export function finding(code: FindingCode, { subject, message, fix, details }: Told): Finding {
  return {
    code,
    level: CODES[code].level,
    subject: redactText(subject),
    message: redactText(message),
    ...(fix !== undefined && { fix: redactText(fix) }),
    ...(details && { details }),
  }
}

export interface Summary {
  readonly ok: number
  readonly warnings: number
  readonly errors: number
}

export interface DoctorReport {
  readonly checks: readonly Finding[]
  readonly summary: Summary
}

export function reportOf(checks: readonly Finding[]): DoctorReport {
  const count = (level: Level) => checks.filter((check) => check.level === level).length
  return {
    checks,
    summary: { ok: count('ok'), warnings: count('warning'), errors: count('error') },
  }
}
