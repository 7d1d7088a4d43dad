import { DamagedLedger } from '../core/ledger/damaged-ledger.ts'
import { TooManyEngines } from './engine-numbers.ts'
import { RunReplaced } from './site-ledger.ts'
import type { SiteRun } from './site-run.ts'

/** Puts into the record why a run broke off and what to do, and into the log what a developer needs. */
export function noteBreakdown({ progress, log }: SiteRun, error: unknown): void {
  const { event, message } = breakdownOf(error)
  progress.error(message)
  if (event === 'run.replaced') log.warn(event, message)
  else log.error(event, message, { error })
}

function breakdownOf(error: unknown) {
  if (error instanceof RunReplaced) {
    return {
      event: 'run.replaced',
      message:
        'Another run of this site took over, because this one had not been heard of for too long.',
    } as const
  }
  if (error instanceof TooManyEngines) {
    return { event: 'run.impossible', message: error.message } as const
  }
  if (error instanceof DamagedLedger) {
    return {
      event: 'run.impossible',
      message:
        'What is stored of this site is damaged, so that it cannot be run. Restore a backup of the data folder, or remove the site and add it again.',
    } as const
  }
  if (isStoreTrouble(error)) {
    return {
      event: 'store.unavailable',
      message:
        'The database could not be used: the disk is full, read-only or broken, or another program locks the file. The log has the details; once that is mended, the next run goes on from here.',
    } as const
  }
  return {
    event: 'run.broken',
    message:
      'The run broke off because of a bug in Sluice; the log has the details. The next run goes on from here.',
  } as const
}

/** SQLite's own errors carry its code; nothing else does. */
function isStoreTrouble(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error
}
