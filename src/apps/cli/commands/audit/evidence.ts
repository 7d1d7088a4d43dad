import { type Found, openSearch, type Sought } from './secret-forms.ts'

/** Where a secret must not be. */
export const PLACES = {
  log: 'all that is logged',
  answers: 'HTTP answers: exports, errors, headers',
  commands: 'all that commands print',
  files: 'every byte of every file of the data folder',
  tables: 'every value of every table, the outbox among them',
  backup: 'the backup',
  requests: 'requests to others than the one it is for',
} as const

export type PlaceName = keyof typeof PLACES

export interface Leak extends Found {
  readonly place: PlaceName
  /** Which answer, which file, which table. */
  readonly where: string
}

export interface SearchedPlace {
  readonly place: PlaceName
  readonly meaning: string
  readonly pieces: number
  readonly bytes: number
}

/** What is searched: it is looked at as it comes and not kept. */
export interface Evidence {
  /** `except`: secrets that belong there. */
  add(place: PlaceName, where: string, text: string | Uint8Array, except?: readonly string[]): void
  leaks(): readonly Leak[]
  places(): readonly SearchedPlace[]
  /** The places where the marker was not found: they were not really looked at. */
  unproven(): readonly PlaceName[]
}

export interface EvidenceOptions {
  readonly sought: readonly Sought[]
  /** No secret: it goes the ways of the secrets and must be found in each of these. */
  readonly marker?: { readonly value: string; readonly in: readonly PlaceName[] }
}

export function openEvidence({ sought, marker }: EvidenceOptions): Evidence {
  const search = openSearch(sought)
  const leaks = new Map<string, Leak>()
  const counts = new Map<PlaceName, { pieces: number; bytes: number }>()
  const proven = new Set<PlaceName>()
  return {
    add(place, where, text, except = []) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const count = counts.get(place) ?? { pieces: 0, bytes: 0 }
      counts.set(place, { pieces: count.pieces + 1, bytes: count.bytes + bytes.length })
      if (marker && Buffer.from(bytes).includes(marker.value)) proven.add(place)
      for (const found of search(bytes)) {
        if (except.includes(found.secret)) continue
        const leak = { ...found, place, where }
        leaks.set(JSON.stringify(leak), leak)
      }
    },
    leaks: () => [...leaks.values()],
    places: () =>
      [...counts].map(([place, count]) => ({ place, meaning: PLACES[place], ...count })),
    unproven: () => (marker?.in ?? []).filter((place) => !proven.has(place)),
  }
}
