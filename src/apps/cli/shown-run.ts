import type { z } from 'zod'
import type { RUN } from '../../submit/http/shapes.ts'

/** A run as the API shows it, and as `--json` does. */
export type ShownRun = z.infer<typeof RUN>
