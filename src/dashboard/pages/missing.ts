import { html } from 'hono/html'
import type { Language } from '../language.ts'
import type { Shown } from '../page.ts'
import { empty } from '../parts.ts'

export function missingPage({ words }: Language): Shown {
  const next = html`<a class="button" href="/">${words.toOverview}</a>`
  return {
    title: words.notFound,
    status: 404,
    body: html`<h1 class="visually-hidden">${words.notFound}</h1>
      ${empty(words.notFound, words.notFoundHint, next)}`,
  }
}
