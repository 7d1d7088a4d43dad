import { html } from 'hono/html'
import type { Html } from './layout.ts'

export interface Bar {
  readonly label: string
  readonly good: number
  readonly failed: number
  readonly goal: number
}

/** How far something has come. What failed has its own colour: a full bar must not look like success. */
export function bar({ label, good, failed, goal }: Bar): Html {
  const most = Math.max(goal, good + failed, 1)
  return html`<svg
    class="bar"
    viewBox="0 0 ${most} 1"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    <rect class="good" width="${good}" height="1" />
    <rect class="failed" x="${good}" width="${failed}" height="1" />
  </svg>`
}
