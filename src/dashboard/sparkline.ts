import { html } from 'hono/html'
import type { DailyTotals } from '../stores/run-store.ts'
import type { Html } from './layout.ts'

const HEIGHT = 28
const STEP = 8
const WIDTH = 6

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
  const none = days.map(({ all }) => (all === 0 ? 1 : 0))
  const failed = days.map(({ good, all }) => (good < all ? height(all) : 0))
  const good = days.map((day) => height(day.good))
  return html`<svg
    class="spark"
    viewBox="0 0 ${days.length * STEP - (STEP - WIDTH)} ${HEIGHT}"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    <path class="none" d="${bars(none)}" />
    <path class="failed" d="${bars(failed)}" />
    <path class="good" d="${bars(good)}" />
  </svg>`
}

/** One path for all: an element for each bar made the overview three times as long. */
function bars(heights: readonly number[]): string {
  return heights
    .map((height, i) => (height > 0 ? `M${i * STEP} ${HEIGHT}v-${height}h${WIDTH}v${height}z` : ''))
    .join('')
}
