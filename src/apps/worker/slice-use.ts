import type { UtcDay } from '../../core/utc-day.ts'
import type { Family, Sample } from '../../dashboard/metrics/exposition.ts'

/** What the slices of a day have used of what a plan allows. */
export interface SliceUse {
  readonly day: UtcDay
  readonly slices: number
  readonly requests: number
  readonly urls: number
  readonly ms: number
  /** Broke off, or did not come to their end. */
  readonly failures: number
  /** Of Durable Objects. */
  readonly rowsRead: number
  readonly rowsWritten: number
  /** Of KV. */
  readonly kvReads: number
  readonly kvWrites: number
}

const NONE: Omit<SliceUse, 'day'> = {
  slices: 0,
  requests: 0,
  urls: 0,
  ms: 0,
  failures: 0,
  rowsRead: 0,
  rowsWritten: 0,
  kvReads: 0,
  kvWrites: 0,
}

/** A new day begins anew. */
export function addUse(
  before: SliceUse | undefined,
  added: Pick<SliceUse, 'day'> & Partial<SliceUse>,
): SliceUse {
  const today = before?.day === added.day ? before : { ...NONE, day: added.day }
  const names = Object.keys(NONE) as (keyof typeof NONE)[]
  const sums = names.map((name) => [name, today[name] + (added[name] ?? 0)])
  return { ...NONE, ...Object.fromEntries(sums), day: added.day }
}

const FAMILIES = [
  ['slices', 'sluice_slices_total', 'Slices of runs on this UTC day.'],
  ['failures', 'sluice_slice_failures_total', 'Slices that broke off on this UTC day.'],
  ['requests', 'sluice_slice_requests_total', 'Requests that slices made on this UTC day.'],
  ['urls', 'sluice_slice_urls_total', 'URLs that slices judged on this UTC day.'],
  ['rowsRead', 'sluice_rows_read_total', 'Rows of Durable Objects read by slices today.'],
  ['rowsWritten', 'sluice_rows_written_total', 'Rows of Durable Objects written by slices today.'],
  ['kvReads', 'sluice_kv_reads_total', 'Reads of KV by slices today.'],
  ['kvWrites', 'sluice_kv_writes_total', 'Writes to KV by slices today.'],
] as const satisfies readonly (readonly [keyof typeof NONE, string, string])[]

/** SPEC X05: what each site's runs used today, by site. */
export function useMetrics(
  uses: ReadonlyMap<string, SliceUse | undefined>,
  today: UtcDay,
): readonly Family[] {
  const current = [...uses].flatMap(([site, use]) => (use?.day === today ? [{ site, use }] : []))
  return FAMILIES.map(([field, name, help]) => ({
    name,
    help,
    type: 'counter',
    samples: current.map(({ site, use }): Sample => ({ labels: { site }, value: use[field] })),
  }))
}
