import * as z from 'zod'

const ANSWER = z.object({ site: z.record(z.string(), z.unknown()) })

/** What a command line changed of a site that was there before it, one line each. Keys are masked, so that another one does not show. */
export function changedSettings(
  names: readonly string[],
  { before, after }: { readonly before: unknown; readonly after: unknown },
): string[] {
  const [old, now] = [ANSWER.safeParse(before), ANSWER.safeParse(after)]
  if (!old.success || !now.success) return []
  return names.flatMap((name) => {
    const [from, to] = [shown(old.data.site[name]), shown(now.data.site[name])]
    return from === to ? [] : `${name}: ${from} → ${to}`
  })
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value)
}
