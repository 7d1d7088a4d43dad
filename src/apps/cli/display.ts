import type { Terminal } from './terminal.ts'

/** Lines on a terminal that are drawn anew in their place. Where nobody looks, nothing is drawn. */
export interface Display {
  /** Whether anybody sees them. */
  readonly isSeen: boolean
  show(lines: readonly string[]): void
  /** Writes something else above them. */
  around(write: () => void): void
  /** Takes the lines away. */
  clear(): void
}

export function openDisplay(terminal: Terminal): Display {
  if (!terminal.isInteractive || terminal.isQuiet) {
    return { isSeen: false, show() {}, around: (write) => write(), clear() {} }
  }
  let shown: readonly string[] = []
  const clear = () => {
    // Up to the first line, and everything from there is gone.
    if (shown.length > 0) terminal.draw(`\u001B[${shown.length}A\u001B[0J`)
    shown = []
  }
  const show = (lines: readonly string[]) => {
    clear()
    // A line that wraps would be two, and the next drawing would begin too low.
    shown = lines.map((line) => line.slice(0, terminal.columns() - 1))
    if (shown.length > 0) terminal.draw(`${shown.join('\n')}\n`)
  }
  return {
    isSeen: true,
    show,
    around(write) {
      const lines = shown
      clear()
      write()
      show(lines)
    },
    clear,
  }
}
