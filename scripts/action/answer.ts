import type { ShownRun } from '../../src/submit/shown-run.ts'

/** The document of `sluice submit --json`. */
export type Answer =
  | { readonly run: ShownRun; readonly urls?: readonly unknown[] }
  | { readonly error: { readonly code: string; readonly message: string } }

export function readAnswer(document: string): Answer {
  try {
    return JSON.parse(document) as Answer
  } catch {
    const message = 'Sluice ended without an answer. The log of this step says why.'
    return { error: { code: 'no-answer', message } }
  }
}
