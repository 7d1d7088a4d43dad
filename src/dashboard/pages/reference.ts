import { html, raw } from 'hono/html'
import { z } from 'zod'
import { ERROR_CODES } from '../../http/error-codes.ts'
import type { HttpApp } from '../../http/http-env.ts'
import { type Method, type Operation, operationsOf } from '../../http/operation.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { addPage } from '../page.ts'
import { said } from '../parts.ts'

/**
 * The API reference, from the very operations that the routes are made of. Our own page and not a bundle of others': it
 * is a hundredth of their size, keeps the strict policy of all pages, and is read without a script, in both languages.
 */
export function referencePage(app: HttpApp, deps: DashboardDeps): void {
  addPage(app, deps, { method: 'get', path: '/docs', role: 'read' }, ({ language }) => {
    const { words } = language
    const subjects = Map.groupBy(operationsOf(app), ({ subject }) => subject)
    return {
      title: words.referenceTitle,
      body: html`<div class="head">
          <h1>${words.referenceTitle}</h1>
          <a href="/openapi.json">${words.document}</a>
        </div>
        <p>${words.referenceHint}</p>
        <p class="field">
          <label for="try-token">${words.token}</label>
          <input id="try-token" type="password" autocomplete="off" />
        </p>
        ${[...subjects].map(
          ([subject, operations]) =>
            html`<section>
              <h2>${said(subject, language)}</h2>
              ${operations.flatMap((operation) =>
                operation.methods.map((method) => described(operation, method, language)),
              )}
            </section>`,
        )}`,
    }
  })
}

interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query'
  readonly about: string
  readonly required: boolean
}

function described(operation: Operation, method: Method, language: Language): Html {
  const { words } = language
  const { path, access, summary, status, refusals = [], body, answer } = operation
  const parameters = parametersOf(operation, language)
  const id = `${method}${path.replaceAll(/[^\w]+/g, '-')}`
  return html`<details class="operation">
    <summary>
      <span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>
      <span>${said(summary, language)}</span>
      <span class="pill">${access === 'anybody' ? words.openToAll : words.needsScope(access)}</span>
    </summary>
    <form data-try="${method.toUpperCase()} ${path}">
      ${parameters.length > 0 ? html`<h3>${words.parameters}</h3>` : ''}
      ${parameters.map(
        ({ name, place, about, required }) =>
          html`<p class="field">
            <label for="${id}-${name}"
              ><code>${name}</code> <span class="dim">${about}</span></label
            >
            <input
              id="${id}-${name}"
              name="${name}"
              data-place="${place}"
              autocomplete="off"
              ${required ? raw('required') : ''}
            />
          </p>`,
      )}
      ${
        body
          ? html`<p class="field">
                <label for="${id}-body">${words.body} <span class="dim">JSON</span></label>
                <textarea id="${id}-body" data-place="body" rows="5" spellcheck="false">
${exampleOf(body)}</textarea>
              </p>
              ${fieldList(schemaOf(body), language)}`
          : ''
      }
      <h3>${words.answers}</h3>
      <ul class="answers">
        <li><code>${status}</code></li>
        ${refusals.map((code) => html`<li><code>${ERROR_CODES[code].status}</code> ${code}</li>`)}
      </ul>
      ${fieldList(schemaOf(z.object(answer)), language)}
      <button class="needs-script">${words.send}</button>
      <output></output>
    </form>
  </details>`
}

/** The fields of a body or an answer: what each is, and what it means where that is not plain. */
function fieldList(schema: Schema, language: Language): Html {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return html``
  return html`<dl class="facts">
    ${fields.map(
      ({ name, isNeeded, about }) =>
        html`<div>
          <dt><code>${name}</code>${isNeeded ? ' *' : ''}</dt>
          <dd>${aboutOf(about, language)}</dd>
        </div>`,
    )}
  </dl>`
}

interface FieldOf {
  readonly name: string
  readonly isNeeded: boolean
  readonly about: Schema
}

/** With those of the objects and lists in it. */
function fieldsOf({ properties = {}, required = [] }: Schema, before = ''): readonly FieldOf[] {
  return Object.entries(properties).flatMap(([own, about]) => {
    const name = `${before}${own}`
    const inner = about.items ? fieldsOf(about.items, `${name}[].`) : fieldsOf(about, `${name}.`)
    return [{ name, isNeeded: required.includes(own), about }, ...inner]
  })
}

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

function parametersOf({ path, query }: Operation, language: Language): readonly Parameter[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    place: 'path' as const,
    about: '',
    required: true,
  }))
  const { properties = {}, required = [] } = schemaOf(query)
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    place: 'query' as const,
    about: aboutOf(schema, language),
    required: required.includes(name) && schema.default === undefined,
  }))
  return [...inPath, ...inQuery]
}

function aboutOf(schema: Schema, { words }: Language): string {
  const choices = schema.enum?.join(' | ') ?? schema.type ?? ''
  const usual = schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`
  const { description = '' } = schema
  const meaning = words.message(description) ?? description
  return [`${choices}${usual}`, meaning].filter(Boolean).join(' · ')
}

/** The fields that must be there, to be filled in. */
function exampleOf(body: z.ZodType): string {
  const { required = [], properties = {} } = schemaOf(body)
  const fields = required.map((name) => [name, properties[name]?.type === 'array' ? [] : ''])
  return JSON.stringify(Object.fromEntries(fields), null, 2)
}

function schemaOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema
}
