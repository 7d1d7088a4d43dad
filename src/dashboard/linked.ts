import { html } from 'hono/html'
import type { Html } from './layout.ts'

/** What messages tell programs to ask for, and the page that shows people the same. */
const PAGES: readonly (readonly [asked: RegExp, page: (id: string) => string])[] = [
  [/^GET \/api\/runs\/([\w-]+)$/, (id) => `/runs/${id}`],
  [/^GET \/api\/sites\/([^/\s]+)\/runs$/, (id) => `/sites/${id}#runs`],
]

const ASKED = /(GET \/api\/(?:runs\/[\w-]+|sites\/[^/\s]+\/runs))/

/** A message of ours, in which an address of the API is a link to the page that people want. */
export function linked(message: string): Html {
  return html`${message.split(ASKED).map((part) => {
    const to = pageOf(part)
    return to === undefined ? part : html`<a href="${to}">${to}</a>`
  })}`
}

function pageOf(part: string): string | undefined {
  for (const [asked, page] of PAGES) {
    const id = asked.exec(part)?.[1]
    if (id !== undefined) return page(id)
  }
  return undefined
}
