/**
 * Everything Sluice does because of the time, and nothing else does. Times are UTC.
 * The server's timer reads it; when sites are submitted can be set otherwise with CRON_SCHEDULE.
 *
 * At 00:00 UTC nothing resets a quota: a quota's account holds its day, so a new day opens an empty account.
 */
export const SCHEDULE = {
  'submit-all-sites': {
    cron: '0 0 * * *',
    does: 'Reads every enabled site and submits what is new, changed or gone.',
  },
  'collect-notes': {
    cron: '*/5 * * * *',
    does: 'Claims candidates, fetches their notes and writes them. Only where COLLECT_SCHEDULE says so: n8n may do it.',
  },
  recover: {
    everyMinutes: 15,
    does: 'Times out executions that fell silent and frees what they held (RECOVERY_INTERVAL_MINUTES).',
  },
  'count-candidates': {
    cron: '55 * * * *',
    does: "Counts candidates by state, for the dashboard. A day's last count stays, hence shortly before the hour is over.",
  },
  'check-alerts': {
    cron: '*/5 * * * *',
    does: 'Raises what only the passing of time raises, and sends what is undelivered.',
  },
} as const satisfies Record<
  string,
  ({ cron: string } | { everyMinutes: number }) & { does: string }
>
