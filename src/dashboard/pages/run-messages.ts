import { html } from 'hono/html'
import type { Run } from '../../stores/run-store.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { engineName, messageList } from '../parts.ts'

/** What a run has to say, by whom it is about; what differs in an address or a number only is said once. */
export function messagesSection(run: Run, kind: 'errors' | 'warnings', language: Language): Html {
  const { words } = language
  const bing = kind === 'errors' && run.bing?.error !== undefined ? [run.bing.error] : []
  const said = [...new Set([...run[kind], ...bing])]
  if (said.length === 0) return html``
  const groups = Map.groupBy(said, (message) => subjectOf(message, run) ?? words.ofTheRest)
  return html`<section class="${kind === 'errors' ? 'bad' : 'warn'}">
    <h2>${words[kind]} <span class="dim">${said.length}</span></h2>
    ${[...groups].map(
      ([subject, messages]) =>
        html`<h3>${subject}</h3>
          ${alikeTogether(messages).map((alike) => messageGroup(alike, language))}`,
    )}
  </section>`
}

function subjectOf(message: string, { engines, bing }: Run): string | undefined {
  const engine = engines.find((one) => message.includes(one.engine))
  if (engine) return engineName(engine.engine)
  return message === bing?.error || /^Bing\b/.test(message) ? 'Bing Webmaster' : undefined
}

function alikeTogether(messages: readonly string[]): readonly (readonly string[])[] {
  const shapeOf = (message: string) =>
    message.replaceAll(/https?:\/\/[^\s"',;)]+/g, '…').replaceAll(/\d+/g, '#')
  return [...Map.groupBy(messages, shapeOf).values()]
}

function messageGroup([first = '', ...others]: readonly string[], language: Language): Html {
  const { words, count } = language
  return html`${messageList([first], language)}
  ${
    others.length === 0
      ? ''
      : html`<details>
          <summary>${words.alike(count(others.length))}</summary>
          ${messageList(others, language)}
        </details>`
  }`
}
