import { EXIT } from './exit-codes.ts'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Ctrl-C once: `onFirst`; once more: the end, at once. Returns what makes it as it was. */
export function catchInterruption(onFirst: () => void): () => void {
  let isFirst = true
  const listener = () => {
    if (!isFirst) process.exit(EXIT.failed)
    isFirst = false
    onFirst()
  }
  for (const signal of SIGNALS) process.on(signal, listener)
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener)
  }
}

/** Ctrl-C ends the work by its signal, and what it has come to is still used. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const restore = catchInterruption(() => stopping.abort())
  try {
    return await work(stopping.signal)
  } finally {
    restore()
  }
}
