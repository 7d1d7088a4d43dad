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
