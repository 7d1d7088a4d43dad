/** The IndexNow endpoints (docs/spec.md, facts), by the names that stand for them. */
export const SEARCH_ENGINES = {
  indexnow: 'https://api.indexnow.org/indexnow',
  bing: 'https://www.bing.com/indexnow',
  yandex: 'https://yandex.com/indexnow',
  naver: 'https://searchadvisor.naver.com/indexnow',
  seznam: 'https://search.seznam.cz/indexnow',
  yep: 'https://indexnow.yep.com/indexnow',
  amazon: 'https://indexnow.amazonbot.amazon/indexnow',
} as const

/** The endpoint that a name, a host or an address stands for. */
export function engineUrl(text: string): string | undefined {
  const word = text.trim()
  const known = Object.entries(SEARCH_ENGINES).find(([name]) => name === word.toLowerCase())
  if (known) return known[1]
  const isAddress = word.includes('://')
  // A word without a dot is no host: whoever writes `bong` meant one of the names.
  if (!isAddress && !/[.:]/.test(word)) return undefined
  const written = isAddress ? word : `https://${word}`
  const url = isHttpAddress(written) ? URL.parse(written) : null
  if (!url || url.search || url.hash) return undefined
  if (url.pathname === '/') url.pathname = '/indexnow'
  return url.href
}

const MAX_URL_LENGTH = 2_048

/** Whether `text` can be requested as it is. A name and password in it would end up in logs. */
export function isHttpAddress(text: string): boolean {
  if (text.length > MAX_URL_LENGTH || !/^https?:\/\/\S+$/i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && !url.username && !url.password
}
