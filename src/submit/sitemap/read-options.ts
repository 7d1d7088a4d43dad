import type { Budget } from '../../core/budget.ts'
import type { Clock } from '../../core/clock.ts'
import type { HttpClient } from '../../core/http.ts'
import type { Log } from '../../core/log.ts'
import type { FileRead, RememberedFile, SitemapFile } from './file-report.ts'
import type { Gunzip } from './gunzip.ts'
import type { JudgedUrls } from './judge-url.ts'

/** The URLs of one file that arrived together, in the file's order. */
export interface UrlBatch extends Readonly<JudgedUrls> {
  readonly file: SitemapFile
}

export interface ReadOptions {
  /** Sitemaps, or sites whose robots.txt names them. */
  readonly roots: readonly string[]
  /** Read when a root fails. */
  readonly backups: readonly string[]
  /** Whose URLs are wanted; with its port, if it has one. */
  readonly host: string
  /** Other hosts on which files named by others may lie. Those of roots and backups need not be here. */
  readonly allowedSitemapHosts: readonly string[]
  readonly timeoutMs: number
  readonly retryDelayMs: number
  readonly http: HttpClient
  readonly gunzip: Gunzip
  readonly clock: Clock
  readonly log: Log
  readonly signal?: AbortSignal
  readonly budget?: Budget
  /**
   * What is known of a file, where it may be passed over if it did not change. An index never is: what it names
   * may have changed without it.
   */
  readonly remembered?: (url: string) => RememberedFile | undefined
  /** What came of a file in an earlier part of the same reading: it is not asked for again. */
  readonly alreadyRead?: (url: string) => FileRead | undefined
  /** Told of every file that was asked for, when it is over. */
  readonly onRead?: (read: FileRead) => void
  /**
   * Gets each batch as it arrives; the file it belongs to is not read on until this is done. Several files are read at
   * once. A file that must be read again from its start gives its URLs again.
   */
  readonly take: (batch: UrlBatch) => void | Promise<void>
}
