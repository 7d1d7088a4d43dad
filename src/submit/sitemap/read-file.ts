import type { HttpReply } from '../../core/http.ts'
import { printableUrl } from '../../core/redact.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import { every, retry } from '../../core/retry.ts'
import { openBody } from './body.ts'
import { type FileFailure, retryOf } from './failures.ts'
import { fetchFile, validatorsOf } from './fetch-file.ts'
import { openFileScan, type FileScan } from './file-scan.ts'
import { newTally, type Tally } from './tally.ts'
import { ENDING_SHARE, MAX_RETRIES } from './limits.ts'
import type { IndexEntry, SitemapFile, Validators } from './file-report.ts'
import type { ReadOptions } from './read-options.ts'
import type { SitemapFormat } from './shapes.ts'

export interface FileAsk {
  readonly file: SitemapFile
  readonly validators: Validators | undefined
}

/** What reading a file came to; of a failed one, what was read before. */
export interface FileEnd {
  readonly result: Result<'read' | 'not-modified', FileFailure>
  readonly format: SitemapFormat | undefined
  readonly children: readonly IndexEntry[]
  readonly tally: Tally
  readonly bytes: number
  readonly validators: Validators
}

/**
 * Reads one file, again from its start when the server or the network failed: then its entries are handed over again,
 * and whoever takes them must not mind.
 */
export async function readFile(ask: FileAsk, options: ReadOptions): Promise<FileEnd> {
  const { clock, retryDelayMs, signal, log } = options
  let encoding: 'identity' | undefined
  let end = nothingRead({ kind: 'stopped', by: 'signal' })
  await retry(
    async () => {
      end = await attempt(ask, options, encoding)
      if (isNotEncoded(end) && !encoding) {
        encoding = 'identity'
        end = await attempt(ask, options, encoding)
      }
      return end.result.ok ? end.result : fail(retryOf(end.result.failure))
    },
    {
      policy: every(retryDelayMs, MAX_RETRIES),
      clock,
      ...(signal && { signal }),
      onRetry: ({ number, of, waitMs }) =>
        log.warn('sitemap.retry', `retry ${number}/${of}`, {
          file: printableUrl(ask.file.url),
          waitMs,
        }),
    },
  )
  return end
}

function isNotEncoded({ result }: FileEnd): boolean {
  return !result.ok && result.failure.kind === 'not-encoded'
}

function nothingRead(failure: FileFailure): FileEnd {
  return {
    result: fail(failure),
    format: undefined,
    children: [],
    tally: newTally(),
    bytes: 0,
    validators: {},
  }
}

async function attempt(
  { file, validators }: FileAsk,
  options: ReadOptions,
  acceptEncoding: 'identity' | undefined,
): Promise<FileEnd> {
  const stopper = new AbortController()
  const signals = options.signal ? [options.signal, stopper.signal] : [stopper.signal]
  const signal = AbortSignal.any(signals)
  const fetched = await fetchFile({ url: file.url, validators, acceptEncoding, signal }, options)
  if (!fetched.ok) return nothingRead(fetched.failure)
  const reply = fetched.value
  if (reply.status === 304) {
    await reply.discard()
    return {
      ...nothingRead({ kind: 'empty' }),
      result: ok('not-modified'),
      validators: validators ?? {},
    }
  }
  const scan = openFileScan(file, options)
  const stopWatching = watchEnding(scan, options, () => stopper.abort())
  const failure = await receive(reply, scan, { stopper, gunzip: options.gunzip }).finally(
    stopWatching,
  )
  return {
    result: failure ? fail(failure) : ok('read'),
    format: scan.format(),
    children: scan.children,
    tally: scan.tally,
    bytes: scan.bytes(),
    validators: validatorsOf(reply),
  }
}

/**
 * Some servers keep the connection open behind their answer: all of the file's time would be waited for nothing. What
 * comes behind a complete document changes nothing, but most send its end, and the connection can be used again.
 */
function watchEnding(
  scan: FileScan,
  { clock, timeoutMs }: Pick<ReadOptions, 'clock' | 'timeoutMs'>,
  stop: () => void,
): () => void {
  let wasOver = false
  const look = () => {
    if (wasOver) return stop()
    wasOver = scan.isOverByNow()
    cancel = lookLater()
  }
  const lookLater = () => clock.after(timeoutMs * ENDING_SHARE, look)
  let cancel = lookLater()
  return () => cancel()
}

interface Receiving {
  readonly stopper: AbortController
  readonly gunzip: ReadOptions['gunzip']
}

async function receive(
  reply: HttpReply,
  scan: FileScan,
  { stopper, gunzip }: Receiving,
): Promise<FileFailure | undefined> {
  const body = openBody(gunzip, async (chunk) => {
    await scan.take(chunk)
    if (!scan.isStopped()) return
    stopper.abort()
    body.stop()
  })
  const received = await reply.each((chunk) => body.push(chunk))
  if (!received.ok) body.stop()
  const inflated = await body.end()
  const wasOver = scan.isOver()
  const end = await scan.end(received.ok && inflated.ok ? 'all' : 'cut-off')
  // Once a document is complete, or known to be none, how the transfer ended says nothing about it. Of markup that is
  // short, its end tells; of a list of lines nothing does.
  if (wasOver || (end === undefined && scan.format() !== 'text')) return end
  if (!received.ok) return transferFailure(received.failure)
  return inflated.ok ? end : inflated.failure
}

/** What Node's decompressors say of gzip, and of Brotli, that is none; and of either when its end is missing. */
const NOT_ENCODED = /^(?:Z_DATA_ERROR$|ERR__ERROR_FORMAT)/
const CUT_OFF = 'Z_BUF_ERROR'

/** The decompressor inside of `fetch` believes the header, and has nothing to show for it. */
function transferFailure(failure: Extract<FileFailure, { kind: 'http' }>['failure']): FileFailure {
  const code = failure.kind === 'network' ? failure.code : ''
  if (NOT_ENCODED.test(code)) return { kind: 'not-encoded' }
  return code === CUT_OFF ? { kind: 'gzip-broken' } : { kind: 'http', failure }
}
