import { html } from 'hono/html'
import type { DoctorReport, Finding } from '../../submit/doctor/finding.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { said } from '../parts.ts'

const ORDER = { error: 0, warning: 1, ok: 2 } as const

/** What the doctor found, the worst first. */
export function findings({ checks, summary }: DoctorReport, language: Language): Html {
  const { words, count } = language
  const sorted = checks.toSorted((a, b) => ORDER[a.level] - ORDER[b.level])
  return html`<section class="findings">
    <h2>${words.checks}</h2>
    <p>${words.checkSummary(count(summary.ok), count(summary.warnings), count(summary.errors))}</p>
    <ul>
      ${sorted.map((finding) => item(finding, language))}
    </ul>
  </section>`
}

function item({ level, message, fix, code }: Finding, language: Language): Html {
  const { words } = language
  const word = { ok: words.checkOk, warning: words.checkWarning, error: words.checkError }[level]
  return html`<li class="${level}">
    <span class="pill ${level}">${word}</span>
    <div>
      <p>${said(message, language)} <code>${code}</code></p>
      ${
        fix === undefined ? '' : html`<p class="advice">${words.whatToDo}${said(fix, language)}</p>`
      }
    </div>
  </li>`
}
