import { html, raw } from 'hono/html'
import type { RunStatus } from '../stores/run-store.ts'
import type { Language } from './language.ts'
import type { Html } from './layout.ts'
import type { Session } from './session.ts'

/** In UTC; the page's script adds the local time for whoever points at it. */
export function time(instant: number | undefined, { time: write, words }: Language): Html {
  if (instant === undefined) return html`<span class="dim">${words.never}</span>`
  return html`<time datetime="${new Date(instant).toISOString()}">${write(instant)}</time>`
}

/** The colour is never alone: the word says the same. */
export function statusPill(status: RunStatus | 'paused', { words }: Language): Html {
  return html`<span class="pill ${status}">${words[status]}</span>`
}

export type PillKind = 'succeeded' | 'running' | 'warning' | 'failed' | 'paused' | 'plain'

export function pill(kind: PillKind, text: string): Html {
  return html`<span class="pill ${kind}">${text}</span>`
}

export interface Column {
  readonly name: string
  readonly kind?: 'number' | 'wide'
}

/** Wider than a phone: it scrolls by itself, also by keyboard. */
export function table(label: string, columns: readonly Column[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map(
            ({ name, kind }) => html`<th scope="col" class="${kind ?? ''}">${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

/** Counts under their names, in a row. */
export function tiles(
  counts: readonly (readonly [name: string, count: number])[],
  { number }: Language,
): Html {
  return html`<dl class="tiles small">
    ${counts.map(
      ([name, count]) =>
        html`<div>
          <dt>${capital(name)}</dt>
          <dd><strong>${number(count)}</strong></dd>
        </div>`,
    )}
  </dl>`
}

/** Some are words of a sentence elsewhere. */
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Places of one subject, told apart by their addresses. */
export function tabs(
  label: string,
  places: readonly { readonly to: string; readonly text: string; readonly isHere: boolean }[],
): Html {
  return html`<nav class="tabs" aria-label="${label}">
    ${places.map(
      ({ to, text, isHere }) =>
        html`<a href="${to}" ${isHere ? raw('aria-current="page"') : ''}>${text}</a>`,
    )}
  </nav>`
}

export interface Choice {
  readonly name: string
  readonly label: string
  readonly chosen: string
  readonly choices: readonly (readonly [value: string, text: string])[]
}

/** Asks the page again for a part of what it shows. */
export function filterForm(
  to: string,
  choices: readonly Choice[],
  { words }: Pick<Language, 'words'>,
): Html {
  return html`<form method="get" action="${to}" class="row filters">
    ${choices.map(
      ({ name, label, chosen, choices: offered }) =>
        html`<label
          >${label}
          <select name="${name}">
            <option value="">${words.all}</option>
            ${offered.map(
              ([value, text]) =>
                html`<option value="${value}" ${value === chosen ? raw('selected') : ''}>
                  ${text}
                </option>`,
            )}
          </select>
        </label>`,
    )}
    <button>${words.filter}</button>
  </form>`
}

export interface Action {
  readonly to: string
  readonly text: string
  readonly fields?: Readonly<Record<string, string>>
  readonly kind?: 'main' | 'plain' | 'danger'
  readonly hint?: string
}

/** A button that changes something: a form of its own, so that it works without a script. */
export function action({ to, text, fields = {}, kind = 'plain', hint }: Action, session: Session) {
  if (session.role !== 'admin') return html``
  return html`<form method="post" action="${to}">
    <input type="hidden" name="form_token" value="${session.formToken}" />
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button class="${kind}" title="${hint ?? ''}">${text}</button>
  </form>`
}

/** A message of ours in the language of the page; what is not ours, as a quotation. */
export function said(message: string, language: Language, write = asText): Html {
  const own = language.words.message(message)
  return own === undefined ? html`<q lang="en">${message}</q>` : write(own)
}

const asText = (text: string): Html => html`${text}`

export function messageList(messages: readonly string[], language: Language): Html {
  return html`<ul class="messages">
    ${messages.map((message) => html`<li>${said(message, language)}</li>`)}
  </ul>`
}

export function empty(title: string, hint: string, next: Html | '' = ''): Html {
  return html`<div class="empty">
    <h2>${title}</h2>
    <p>${hint}</p>
    ${next}
  </div>`
}

export function notice(text: string | Html, kind: 'good' | 'bad' = 'good'): Html {
  return html`<p class="notice ${kind}" role="status">${text}</p>`
}

/** An engine's address as people know it. */
export function engineName(engine: string): string {
  return URL.parse(engine)?.host ?? engine
}

export const siteLink = (id: string) => `/sites/${encodeURIComponent(id)}`

/** What a form has done, told by the page it leads to. */
const DONE = {
  started: 'doneStarted',
  paused: 'donePaused',
  resumed: 'doneResumed',
  removed: 'doneRemoved',
  saved: 'doneSaved',
  added: 'doneAdded',
  disabled: 'doneDisabled',
  reactivated: 'doneReactivated',
  acknowledged: 'doneAcknowledged',
} as const

export function doneNotice(done: string | undefined, { words }: Language): Html {
  if (done === undefined || !Object.hasOwn(DONE, done)) return html``
  return notice(words[DONE[done as keyof typeof DONE]])
}
