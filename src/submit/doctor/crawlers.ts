import { SEARCH_ENGINES } from '../search-engines.ts'

/** What `robots-parser` gives, as far as it is used here. */
export interface Robots {
  isDisallowed(url: string, crawler?: string): boolean | undefined
  getMatchingLineNumber(url: string, crawler?: string): number
  getSitemaps(): string[]
}

export interface Crawler {
  readonly name: string
  /** Other words that it takes for its own. */
  readonly also?: readonly string[]
}

const BING: Crawler = { name: 'bingbot', also: ['msnbot'] }
const YANDEX: Crawler = { name: 'YandexBot', also: ['Yandex'] }

/** The crawler that fetches what an engine was told of. The shared endpoint tells all; these two are by far the largest. */
const CRAWLERS: Readonly<Record<keyof typeof SEARCH_ENGINES, readonly Crawler[]>> = {
  indexnow: [BING, YANDEX],
  bing: [BING],
  yandex: [YANDEX],
  naver: [{ name: 'Yeti' }],
  seznam: [{ name: 'SeznamBot' }],
  yep: [{ name: 'YepBot' }],
  amazon: [{ name: 'Amazonbot' }],
}

/** Whose coming matters for a site with these engines. One that is not known tells others, as the shared one does. */
export function crawlersOf(engines: readonly string[]): readonly Crawler[] {
  const names = Object.keys(SEARCH_ENGINES) as (keyof typeof SEARCH_ENGINES)[]
  const crawlers = engines.flatMap((engine) => {
    const host = URL.parse(engine)?.host
    const known = names.find((name) => URL.parse(SEARCH_ENGINES[name])?.host === host)
    return CRAWLERS[known ?? 'indexnow']
  })
  return [...new Set(crawlers)]
}

/** The parser knows a crawler by one word only: the first of its words that has rules of its own decides. */
export function isBlocked(robots: Robots, url: string, { name, also = [] }: Crawler): boolean {
  const forAll = robots.isDisallowed(url, NOBODY) === true
  const own = [name, ...also].map((word) => robots.isDisallowed(url, word) === true)
  return own.find((blocked) => blocked !== forAll) ?? forAll
}

const NOBODY = 'somebody-without-rules'
