import type { NoteKey } from './candidate-store.ts'

/** What names a candidate in the mirror. No platform's name has a colon. */
export function candidateKeyOf({ platform, noteId }: NoteKey): string {
  return `${platform}:${noteId}`
}

export function noteKeyOf(candidateKey: string): NoteKey {
  const colon = candidateKey.indexOf(':')
  return { platform: candidateKey.slice(0, colon), noteId: candidateKey.slice(colon + 1) }
}
