import { html } from 'hono/html'
import type { DailyTotals } from '../stores/run-store.ts'
import type { Html } from './layout.ts'

const HEIGHT = 28
const STEP = 8

/** What was accepted and what failed, a bar a day; the numbers are on the site's page. */
export function sparkline(daily: readonly DailyTotals[], label: string): Html {
  const days = daily.map(({ indexnow, bing }) => ({
    good: indexnow.successful + bing.successful,
    // What Bing did not take is mostly what its quota left for another day.
    all: indexnow.total + bing.successful,
  }))
  // By the root: a first run of everything must not flatten the days after it.
  const scale = HEIGHT / Math.max(1, Math.sqrt(Math.max(...days.map(({ all }) => all))))
  const height = (count: number) => Math.round(Math.sqrt(count) * scale * 10) / 10
  const bars = days.flatMap(({ good, all }, i) => {
    if (all === 0)
      return [html`<rect x="${i * STEP}" y="${HEIGHT - 1}" width="6" height="1" class="none" />`]
    const [whole, part] = [height(all), height(good)]
    return [
      html`<rect
        x="${i * STEP}"
        y="${HEIGHT - whole}"
        width="6"
        height="${whole}"
        class="failed"
      />`,
      html`<rect x="${i * STEP}" y="${HEIGHT - part}" width="6" height="${part}" class="good" />`,
    ]
  })
  return html`<svg
    class="spark"
    viewBox="0 0 ${days.length * STEP - 2} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${bars}
  </svg>`
}
