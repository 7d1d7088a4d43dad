const NUMBERS = new Intl.NumberFormat('en')

/** Numbers, times and engines as a person reads them. */
export const inWords = {
  count: (count: number) => NUMBERS.format(count),

  /** `1 URL`, `1,200 URLs` */
  urls: (count: number) => `${NUMBERS.format(count)} ${count === 1 ? 'URL' : 'URLs'}`,

  /** `0.4 s`, `12 s`, `1 min 05 s`, `2 h 10 min` */
  duration(ms: number): string {
    if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`
    const seconds = Math.round(ms / 1_000)
    if (seconds < 60) return `${seconds} s`
    const minutes = Math.floor(seconds / 60)
    if (minutes < 60) return `${minutes} min ${twoDigits(seconds % 60)} s`
    return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} min`
  },

  /** Most endpoints are told apart by their host; the path is said where it is not the usual one. */
  engine(engine: string): string {
    const url = URL.parse(engine)
    if (!url) return engine
    return url.pathname === '/indexnow' ? url.host : `${url.host}${url.pathname}`
  },

  /** `2026-11-16 00:04 UTC` */
  time: (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`,
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
