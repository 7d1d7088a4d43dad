import type { ShownRun } from '../../src/submit/shown-run.ts'
import type { Answer } from './answer.ts'

/** For the page of the workflow run, in Markdown. */
export function summaryOf(answer: Answer): string {
  if ('error' in answer)
    return paragraphs('### Sluice: nothing was submitted', cell(answer.error.message))
  const { run, urls } = answer
  const title = urls
    ? `### Sluice: a dry run of ${cell(run.siteId)}, ${urls.length} pages would be sent`
    : `### Sluice: ${cell(run.siteId)} ${run.status}`
  const numbers = `${run.total} pages, ${run.new} new or changed, ${run.cached} known already, ${run.deleted} deleted.`
  return paragraphs(
    title,
    numbers,
    enginesTable(run),
    listOf('Errors', run.errors),
    listOf('Warnings', run.warnings),
  )
}

/** `name=value` lines, as GITHUB_OUTPUT takes them. */
export function outputsOf(answer: Answer): string {
  const { submitted, failed, status } =
    'error' in answer ? { submitted: 0, failed: 0, status: 'refused' } : answer.run
  return `submitted=${submitted}\nfailed=${failed}\nstatus=${status}\n`
}

function enginesTable({ engines, bing }: ShownRun): string {
  const rows = [...engines, ...(bing ? [{ engine: 'Bing Webmaster', ...bing }] : [])].map(
    ({ engine, total, successful, failed }) =>
      `| ${cell(engine)} | ${total} | ${successful} | ${failed} |`,
  )
  if (rows.length === 0) return ''
  return ['| engine | due | accepted | failed |', '|---|---:|---:|---:|', ...rows].join('\n')
}

function listOf(title: string, messages: readonly string[]): string {
  if (messages.length === 0) return ''
  return [`**${title}**`, '', ...messages.map((message) => `- ${cell(message)}`)].join('\n')
}

/** Words of others make no table, no link and no markup. */
function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#!]/g, (mark) => `\\${mark}`)
}

function paragraphs(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
