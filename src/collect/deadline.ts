import type { Clock } from '../core/clock.ts'

/** Does `work` with a signal that aborts when `ms` have passed, or when `outer` does; leaves nothing waiting. */
export async function withDeadline<T>(
  { clock, ms, outer }: { clock: Clock; ms: number; outer?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const cancel = clock.after(ms, abort)
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort)
  try {
    return await work(controller.signal)
  } finally {
    cancel()
    outer?.removeEventListener('abort', abort)
  }
}
