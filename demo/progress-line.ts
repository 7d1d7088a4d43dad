import type { ShownRun } from '../src/submit/shown-run.ts'
import { count } from './narrator.ts'

/** How far a run is, in a line that is written over; nothing where nobody could see it move. */
export interface ProgressLine {
  readonly show: (run: ShownRun) => void
  readonly clear: () => void
}

const WIDTH = 30
const CLEAR_LINE = '\r\u001B[K'

export function openProgressLine(stream: NodeJS.WriteStream = process.stdout): ProgressLine {
  if (!stream.isTTY) return { show: () => undefined, clear: () => undefined }
  return {
    show({ engines }) {
      const total = engines.reduce((sum, engine) => sum + engine.total, 0)
      const done = engines.reduce((sum, { successful, failed }) => sum + successful + failed, 0)
      if (total === 0) return
      const filled = Math.round((WIDTH * done) / total)
      const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled)
      stream.write(`${CLEAR_LINE}            ${bar} ${count(done)} of ${count(total)}`)
    },
    clear: () => void stream.write(CLEAR_LINE),
  }
}
