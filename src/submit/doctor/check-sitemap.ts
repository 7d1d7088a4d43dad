import { printableUrl } from '../../core/redact.ts'
import type { FileFailure } from '../sitemap/failures.ts'
import type { FileReport } from '../sitemap/file-report.ts'
import { shownKeyFile } from './check-key.ts'
import { checkLastmods } from './check-lastmods.ts'
import { type Finding, finding } from './finding.ts'
import { MOST_SHOWN } from './limits.ts'
import type { Patient } from './patient.ts'
import { toldFailure } from './sitemap-failures.ts'
import type { Survey } from './survey-sitemap.ts'
import type { SeenAnswer } from './witness.ts'

/** What a survey means: files that were not read, URLs that will not be submitted, dates that help nobody. */
export function checkSitemap(
  survey: Survey,
  patient: Patient,
  answers: readonly SeenAnswer[],
): readonly Finding[] {
  const subject = printableUrl(patient.sitemapUrl)
  const failures = failedFiles(survey)
  return [
    ...failures,
    ...(failures.length === 0 ? [wholeOrEmpty(survey, subject, answers)] : []),
    ...foreignUrls(survey, subject, patient),
    ...invalidUrls(survey, subject),
    ...longFiles(survey),
    ...wrongEncoding(survey, answers),
    ...checkLastmods(survey, subject),
    ...keyScope(survey, patient),
  ]
}

/** One finding for each kind of failure: an index may name a thousand files that are gone. */
function failedFiles({ report }: Survey): readonly Finding[] {
  const failed = report.files.flatMap((file) =>
    file.failure ? [{ file, failure: file.failure, ...toldFailure(file.failure) }] : [],
  )
  return [...Map.groupBy(failed, ({ code }) => code)].flatMap(([code, [first, ...others]]) => {
    if (!first) return []
    const more = others.length > 0 ? ` The same is true of ${amountOf(others.length)}.` : ''
    return finding(code, {
      subject: shownFile(first.file),
      message: `The file ${first.what.replace(/\.$/, '')}.${more}`,
      fix: first.fix,
      details: {
        ...placeOf(first.failure),
        count: failed.filter((one) => one.code === code).length,
        files: [first, ...others].slice(0, MOST_SHOWN).map(({ file }) => shownFile(file)),
      },
    })
  })
}

function placeOf(failure: FileFailure) {
  return failure.kind === 'broken' ? { line: failure.line, column: failure.column } : {}
}

/** What is no address is shown as what it is. */
function shownFile({ url }: FileReport): string {
  return URL.canParse(url) ? printableUrl(url) : url.slice(0, 200)
}

function wholeOrEmpty(
  { report }: Survey,
  subject: string,
  answers: readonly SeenAnswer[],
): Finding {
  const { files, urls, foreign } = report
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const gzip = [...new Set(files.flatMap((file) => gzipSigns(file, answers)))]
  const details = {
    urls,
    foreign,
    bytes,
    count: files.length,
    formats: [...new Set(files.flatMap(({ format }) => format ?? []))],
    gzip,
  }
  if (urls + foreign === 0) {
    return finding('sitemap-empty', {
      subject,
      message: `There is no URL in ${files.length === 1 ? 'the sitemap' : `its ${files.length} files`}.`,
      fix: 'Look at what generates it: drafts only, a wrong filter, or the wrong file.',
      details,
    })
  }
  const packed = gzip.length > 0 ? [`gzip by its ${gzip.join(' and its ')}`] : []
  const parts = files.length === 1 ? '1 file' : `${files.length} files`
  const size = [`${bytes.toLocaleString('en-US')} bytes`, ...packed].join(', ')
  return finding('sitemap', {
    subject,
    message: `${urls + foreign} URLs in ${parts} (${details.formats.join(', ')}; ${size}).`,
    details,
  })
}

/** By what a file shows that it is compressed. Sluice believes its first bytes alone. */
function gzipSigns({ url }: FileReport, answers: readonly SeenAnswer[]): string[] {
  const own = answers.filter((answer) => answer.url === url)
  return [
    ...(/\.gz$/i.test(URL.parse(url)?.pathname ?? '') ? ['name'] : []),
    ...(own.some(({ contentEncoding }) => contentEncoding?.includes('gzip')) ? ['header'] : []),
    ...(own.some(({ beginsAsGzip }) => beginsAsGzip()) ? ['content'] : []),
  ]
}

function foreignUrls(
  { report, foreignHosts }: Survey,
  subject: string,
  { host }: Patient,
): readonly Finding[] {
  const { urls, foreign } = report
  if (foreign === 0) return []
  const others = foreignHosts.slice(0, MOST_SHOWN)
  const details = { foreign, urls, hosts: others }
  if (urls > 0) {
    const message = `${foreign} of ${urls + foreign} URLs are not on ${host} but on ${others.join(', ')}, and are left out.`
    const fix = `Add a site of its own for ${others[0]}, with its own key file, or take these URLs out of the sitemap.`
    return [finding('sitemap-foreign-urls', { subject, message, fix, details })]
  }
  const message = `All ${foreign} URLs are on ${others.join(', ')}, none on ${host}: nothing would be submitted.`
  const fix = `Use the sitemap's address on ${others[0]}, with the key file there too, or let the sitemap name pages of ${host}.`
  return [finding('sitemap-all-foreign', { subject, message, fix, details })]
}

function invalidUrls({ report }: Survey, subject: string): readonly Finding[] {
  const count = Object.values(report.invalid).reduce((sum, some) => sum + some, 0)
  if (count === 0) return []
  // Why, not what: such a value may hold anything.
  const reasons = Object.entries(report.invalid).map(([reason, some]) => `${some} ${reason}`)
  return [
    finding('sitemap-invalid-urls', {
      subject,
      message: `${count} entries are left out (${reasons.join(', ')}).`,
      fix: 'sluice sitemap --json lists them under "invalid": whole http(s) addresses of at most 2,048 characters are taken.',
      details: { count, reasons: { ...report.invalid } },
    }),
  ]
}

function longFiles({ report }: Survey): readonly Finding[] {
  const [first, ...others] = report.files.filter(({ warning }) => warning !== undefined)
  if (!first) return []
  return [
    finding('sitemap-too-many-urls', {
      subject: shownFile(first),
      message: `The file has ${first.count} URLs; engines may ignore those past 50,000.`,
      fix: 'Split it, and name the parts in a sitemap index.',
      details: { count: others.length + 1 },
    }),
  ]
}

const amountOf = (files: number) => (files === 1 ? 'another file' : `${files} other files`)

/** Such a file is asked for once more, without compression, and then read. */
function wrongEncoding({ report }: Survey, answers: readonly SeenAnswer[]): readonly Finding[] {
  const read = report.files.filter(({ status }) => status === 'read')
  const wrong = read.find(({ url }) =>
    answers.some((answer) => answer.url === url && answer.askedPlain),
  )
  if (!wrong) return []
  return [
    finding('sitemap-gzip-header', {
      subject: shownFile(wrong),
      message: 'The server names a "Content-Encoding", but what it sends is not encoded so.',
      fix: 'Correct that header on the server: Sluice gets by, other readers do not.',
    }),
  ]
}

function keyScope(survey: Survey, patient: Patient): readonly Finding[] {
  const { folder, outside, outsidePath, report } = survey
  const { host, keyLocation } = patient
  const subject = shownKeyFile(patient)
  const keyHost = URL.parse(keyLocation)?.host
  if (keyHost !== host) {
    return [
      finding('key-scope-foreign-host', {
        subject,
        message: `The key file is on ${keyHost}, the pages are on ${host}: engines believe it for its own host only.`,
        fix: `Put the key file on ${host}.`,
      }),
    ]
  }
  if (folder === '/') {
    const message = `The key file covers all of ${host}.`
    return [finding('key-scope', { subject, message, details: { folder } })]
  }
  const fix = `Put the key file at the root of ${host} and leave keyLocation out; in ${folder} it covers that folder only.`
  if (outside > 0) {
    const message = `${outside} of ${report.urls} URLs, such as ${outsidePath}, are not under ${folder}, which is all that the key file covers.`
    return [finding('key-scope-exceeded', { subject, message, fix, details: { folder, outside } })]
  }
  if (report.urls === 0) {
    const message = `The key file covers only what is under ${folder}; no URL could be compared with it.`
    return [finding('key-scope-folder', { subject, message, fix, details: { folder } })]
  }
  const message = `The key file covers ${folder}, and all ${report.urls} URLs are under it.`
  return [finding('key-scope', { subject, message, details: { folder } })]
}
