import { html, raw } from 'hono/html'
import type { HttpApp } from '../../http/http-env.ts'
import type { SiteRecord } from '../../stores/site-store.ts'
import type { DoctorReport } from '../../submit/doctor/finding.ts'
import { storedFields } from '../../submit/sealed-settings.ts'
import { changeSite, createSite, type ShownSite, shownSite } from '../../submit/sites.ts'
import type { InvalidSettings } from '../../submit/site-settings.ts'
import { SEARCH_ENGINES } from '../../submit/search-engines.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { byLabels } from '../by-labels.ts'
import { addPage, type Call, type Shown } from '../page.ts'
import { doneNotice, said, siteLink } from '../parts.ts'
import {
  type Field,
  FIELD_NAMES,
  type FieldName,
  givenFrom,
  shownValue,
  SITE_FORM,
} from '../site-fields.ts'
import { findings } from './findings.ts'
import { missingPage } from './missing.ts'

export function siteFormPages(app: HttpApp, deps: DashboardDeps): void {
  const { stores, sites, examine } = deps
  const byId = (call: Call) => stores.sites.get(call.c.req.param('id') ?? '')

  addPage(app, deps, { method: 'get', path: '/sites/new', role: 'admin' }, (call) =>
    formPage(call, deps, { valueOf: newValue }),
  )

  addPage(app, deps, { method: 'post', path: '/sites/new', role: 'admin' }, async (call) => {
    const created = await createSite(sites, givenFrom(call.fields, 'new'))
    if (created.ok) return leave(call, created.value.id, 'added')
    const { failure } = created
    const form = { valueOf: typedValue(call) }
    if (failure.kind !== 'site-exists')
      return formPage(call, deps, { ...form, problems: saidBy(failure, call) })
    const problems = [html`${call.language.words.siteExists(failure.id)}`]
    return { ...formPage(call, deps, { ...form, problems }), status: 409 }
  })

  const edit = { path: '/sites/:id/edit', role: 'admin' } as const
  addPage(app, deps, { method: 'get', ...edit }, async (call) => {
    const record = await byId(call)
    if (!record) return missingPage(call.language)
    const wanted = call.c.req.query('check') === '1' && examine
    const report = wanted ? await wanted(record.id, call.c.req.raw.signal) : undefined
    const valueOf = (name: FieldName) => storedValue(name, record)
    return formPage(call, deps, { record, valueOf, ...(report && { report }) })
  })

  addPage(app, deps, { method: 'post', ...edit }, async (call) => {
    const record = await byId(call)
    if (!record) return missingPage(call.language)
    const changed = await changeSite(sites, record.id, givenFrom(call.fields, 'change'))
    if (changed.ok) return leave(call, record.id, 'saved')
    const { failure } = changed
    if (failure.kind === 'site-missing') return missingPage(call.language)
    const problems =
      failure.kind === 'invalid-settings'
        ? saidBy(failure, call)
        : [html`${call.language.words.formStale}`]
    return formPage(call, deps, { record, valueOf: typedValue(call), problems })
  })
}

function leave({ c, fields }: Call, id: string, done: 'added' | 'saved'): Response {
  const wantsCheck = fields.get('next') === 'check'
  const to = wantsCheck ? `/edit?check=1&done=${done}` : `?done=${done}`
  return c.redirect(`${siteLink(id)}${to}`, 303)
}

const saidBy = ({ problems }: InvalidSettings, { language }: Call): readonly Html[] =>
  problems.map((problem) => said(problem, language, (text) => byLabels(text, language)))

type ValueOf = (name: FieldName) => string

const newValue: ValueOf = (name) => (name === 'enabled' ? 'yes' : '')

/** What was typed is shown again, but for secrets: those are typed again. */
const typedValue =
  ({ fields }: Call): ValueOf =>
  (name) =>
    SITE_FORM[name].kind === 'secret' ? '' : (fields.get(name) ?? '')

function storedValue(name: FieldName, record: SiteRecord): string {
  const stored = storedFields(record)
  if (name === 'enabled') return stored['enabled'] === false ? '' : 'yes'
  return shownValue(name, stored)
}

interface Form {
  readonly record?: SiteRecord
  readonly valueOf: ValueOf
  readonly problems?: readonly Html[]
  readonly report?: DoctorReport
}

function formPage(call: Call, deps: DashboardDeps, form: Form): Shown {
  const { language, session, c } = call
  const { words } = language
  const { record, problems = [], report } = form
  const site = record && shownSite(record, deps.sites.defaults)
  const title = site ? words.editTitle(site.name) : words.addSite
  const group = (name: Field['group']) =>
    FIELD_NAMES.filter((field) => SITE_FORM[field].group === name).map((field) =>
      control(field, { value: form.valueOf(field), site, language }),
    )
  const isMoreOpen = problems.length > 0
  return {
    title,
    status: problems.length > 0 ? 400 : 200,
    body: html`${
        site ? html`<p class="crumbs"><a href="${siteLink(site.id)}">${site.name}</a></p>` : ''
      }
      <h1>${title}</h1>
      ${doneNotice(c.req.query('done'), language)}
      ${
        problems.length > 0
          ? html`<div class="notice bad" role="alert">
              <strong>${words.wrongFields}</strong>
              <ul>
                ${problems.map((problem) => html`<li>${problem}</li>`)}
              </ul>
            </div>`
          : ''
      }
      ${report ? findings(report, language) : ''}
      <form method="post" class="site-form">
        <input type="hidden" name="form_token" value="${session.formToken}" />
        <fieldset>
          <legend>${words.basics}</legend>
          ${group('basics')}
        </fieldset>
        <fieldset>
          <legend>${words.bing}</legend>
          ${group('bing')}
        </fieldset>
        <details ${isMoreOpen ? raw('open') : ''}>
          <summary>${words.more}</summary>
          <fieldset>
            <legend class="visually-hidden">${words.more}</legend>
            ${group('more')}
          </fieldset>
        </details>
        <div class="actions">
          <button class="main">${words.save}</button>
          ${
            deps.examine
              ? html`<button name="next" value="check">${words.saveAndCheck}</button>`
              : ''
          }
          <a class="button quiet" href="${site ? siteLink(site.id) : '/'}">${words.cancel}</a>
        </div>
      </form>`,
  }
}

interface Shape {
  readonly value: string
  readonly site: ShownSite | undefined
  readonly language: Language
}

function control(name: FieldName, { value, site, language }: Shape): Html {
  const field: Field = SITE_FORM[name]
  const { words } = language
  const label = words[name]
  if (field.kind === 'switch') {
    return html`<p class="field switch">
      <input
        type="checkbox"
        id="${name}"
        name="${name}"
        value="yes"
        ${value ? raw('checked') : ''}
      />
      <label for="${name}">${label}</label>
    </p>`
  }
  const hint = hintOf(name, field, { value, site, language })
  const described = hint ? html`aria-describedby="${name}-hint"` : ''
  return html`<p class="field">
    <label for="${name}">${label}</label>
    ${input(name, field, { value, site, described, words })}
    ${hint ? html`<span class="hint" id="${name}-hint">${hint}</span>` : ''}
  </p>`
}

interface Input {
  readonly value: string
  readonly site: ShownSite | undefined
  readonly described: Html | ''
  readonly words: Language['words']
}

function input(name: FieldName, field: Field, { value, site, described, words }: Input): Html {
  const usual = usualOf(name, site)
  if (field.kind === 'list') {
    return html`<textarea
      id="${name}"
      name="${name}"
      rows="${Math.max(2, value.split('\n').length)}"
      placeholder="${usual}"
      ${described}
    >
${value}</textarea>`
  }
  if (field.kind === 'choice') {
    const chosen = value || usual
    return html`<select id="${name}" name="${name}" ${described}>
      ${field.choices?.map(
        (choice) =>
          html`<option value="${choice}" ${choice === chosen ? raw('selected') : ''}>
            ${words.choiceOf[choice]}
          </option>`,
      )}
    </select>`
  }
  const type = field.kind === 'secret' ? 'password' : 'text'
  const needed = field.required && !(site && field.kind === 'secret') ? raw('required') : ''
  const keyboard = field.kind === 'number' ? raw('inputmode="numeric"') : ''
  return html`<input
    type="${type}"
    id="${name}"
    name="${name}"
    value="${value}"
    placeholder="${usual}"
    autocomplete="off"
    spellcheck="false"
    ${needed}
    ${keyboard}
    ${described}
  />`
}

/** What holds where nothing is given. */
function usualOf(name: FieldName, site: ShownSite | undefined): string {
  if (SITE_FORM[name].kind === 'secret') return ''
  if (name === 'searchEngines') return SEARCH_ENGINES.indexnow
  const value: unknown = site?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function hintOf(name: FieldName, field: Field, { site, language }: Shape): string | undefined {
  const { words } = language
  if (field.kind === 'secret' && site?.[name as 'apiKey']) return words.secretKept
  if (name === 'searchEngines') return words.searchEnginesHint
  if (field.kind === 'list') return words.perLine
  const hints: Partial<Record<FieldName, string>> = {
    sitemapUrl: words.sitemapUrlHint,
    apiKey: words.apiKeyHint,
    name: words.nameHint,
    bingDailyQuota: words.bingDailyQuotaHint,
  }
  return hints[name]
}
