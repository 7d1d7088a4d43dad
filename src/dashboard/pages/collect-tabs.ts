import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { tabs } from '../parts.ts'

export function collectTabs(here: string, { words }: Language): Html {
  const places = [
    ['/collect', words.executions],
    ['/collect/cookies', words.cookies],
    ['/collect/sources', words.sources],
  ] as const
  return tabs(
    words.collectTitle,
    places.map(([to, text]) => ({ to, text, isHere: to === here })),
  )
}
