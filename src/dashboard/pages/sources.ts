import { html, raw } from 'hono/html'
import type { Json } from '../../core/json.ts'
import type { HttpApp } from '../../http/http-env.ts'
import type { FoundSource, SourceSearch } from '../../stores/source-store.ts'
import type { CollectDeps, DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { addPage, type Call } from '../page.ts'
import { empty, table, time } from '../parts.ts'
import { collectTabs } from './collect-tabs.ts'

const PAGE = '/collect/sources'
const PER_PAGE = 50
const MOST_TEXT = 200

/** The collected notes, newest first, and a search among them. */
export function sourcesPage(app: HttpApp, deps: DashboardDeps, collect: CollectDeps): void {
  addPage(app, deps, { method: 'get', path: PAGE, role: 'read' }, async (call) => {
    const { words } = call.language
    const ask = askOf(call, collect)
    const { sources, next } = await collect.stores.sources.search(ask)
    const isAsked = ask.text !== undefined || ask.platform !== undefined || ask.before !== undefined
    const hasNone = sources.length === 0 && next === undefined && !isAsked
    return {
      title: words.sources,
      body: html`<h1>${words.sources}</h1>
        ${collectTabs(PAGE, call.language)}
        ${
          hasNone
            ? empty(words.noSources, words.noSourcesHint)
            : html`${searchForm(ask, collect, call.language)} ${found(sources, call.language)}
              ${pager(ask, { next, hasFound: sources.length > 0 }, call.language)}`
        }`,
    }
  })
}

function askOf({ c }: Call, { platforms }: CollectDeps): SourceSearch {
  const text = c.req.query('q')?.trim().slice(0, MOST_TEXT)
  const before = Number(c.req.query('before'))
  return {
    text: text === '' ? undefined : text,
    platform: platforms.find((name) => name === c.req.query('platform')),
    before: Number.isSafeInteger(before) && before > 0 ? before : undefined,
    limit: PER_PAGE,
  }
}

function searchForm(
  { text, platform }: SourceSearch,
  { platforms }: CollectDeps,
  { words }: Language,
): Html {
  return html`<form method="get" role="search" class="row">
    <label for="q" class="visually-hidden">${words.searchSources}</label>
    <input
      id="q"
      name="q"
      type="search"
      placeholder="${words.searchSources}"
      value="${text ?? ''}"
    />
    <label for="platform" class="visually-hidden">${words.platform}</label>
    <select id="platform" name="platform">
      <option value="">${words.allPlatforms}</option>
      ${platforms.map(
        (name) => html`<option ${name === platform ? raw('selected') : ''}>${name}</option>`,
      )}
    </select>
    <button>${words.search}</button>
  </form>`
}

function found(sources: readonly FoundSource[], language: Language): Html {
  const { words } = language
  if (sources.length === 0) return html`<p class="notice">${words.nothingFound}</p>`
  return table(
    words.sources,
    [
      { name: words.title },
      { name: words.author },
      { name: words.platform },
      { name: words.keyword },
      { name: words.published },
      { name: words.collectedAt },
    ],
    sources.map((source) => row(source, language)),
  )
}

function row({ note, createdAt, platform, sourceKeyword }: FoundSource, language: Language): Html {
  const author = fieldsOf(note['author'])
  const hash = textOf(author['hash'])
  const published = Date.parse(textOf(note['published_at']))
  return html`<tr>
    <th scope="row" class="address">${titleOf(note, language)}</th>
    <td>
      ${
        hash === ''
          ? ''
          : html`<a href="${PAGE}?q=${encodeURIComponent(hash)}" title="${hash}"
              >${textOf(author['masked_name']) || hash.slice(0, 8)}</a
            >`
      }
    </td>
    <td>${platform}</td>
    <td>${sourceKeyword ?? ''}</td>
    <td>${Number.isNaN(published) ? '' : time(published, language)}</td>
    <td>${time(createdAt, language)}</td>
  </tr>`
}

/** Somebody else chose the address: only one that a browser opens as a page becomes a link. */
function titleOf(note: FoundSource['note'], { words }: Language): Html {
  const title = textOf(note['title']) || words.untitled
  const address = textOf(note['canonical_url'])
  if (!/^https?:\/\//i.test(address)) return html`${title}`
  return html`<a href="${address}" rel="noreferrer noopener" target="_blank">${title}</a>`
}

function pager(
  { text, platform, before }: SourceSearch,
  { next, hasFound }: { readonly next: number | undefined; readonly hasFound: boolean },
  { words }: Language,
): Html {
  const to = (position?: number) => {
    const query = new URLSearchParams({
      ...(text && { q: text }),
      ...(platform && { platform }),
      ...(position && { before: String(position) }),
    })
    return `${PAGE}?${query}`
  }
  if (next === undefined && before === undefined) return html``
  return html`<nav class="pager" aria-label="${words.pages}">
    ${before === undefined ? '' : html`<a class="button" href="${to()}">${words.newest}</a>`}
    ${
      next === undefined
        ? ''
        : html`<a class="button" href="${to(next)}"
            >${hasFound ? words.older : words.lookFurther}</a
          >`
    }
  </nav>`
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

function fieldsOf(value: Json | undefined): Readonly<Record<string, Json>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, Json>>) : {}
}
