import type { Result } from '../../core/result.ts'
import type { Call } from './command.ts'
import type { Complaint } from './complaint.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Place } from './place.ts'

/** Does the work at a place that was opened for it, and closes it, whatever comes of it. */
export async function atPlace<P extends Place>(
  { refuse }: Call,
  opened: Result<P, Complaint>,
  work: (place: P) => Promise<Result<ExitCode, Complaint>>,
): Promise<ExitCode> {
  if (!opened.ok) return refuse(opened.failure)
  const place = opened.value
  try {
    const done = await work(place)
    return done.ok ? done.value : refuse(done.failure)
  } finally {
    await place.close()
  }
}
