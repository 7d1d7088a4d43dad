import type { Budget } from '../../core/budget.ts'
import type { Clock } from '../../core/clock.ts'
import type { HttpClient } from '../../core/http.ts'
import type { Log } from '../../core/log.ts'
import type { FileFailure } from './failures.ts'
import type { Gunzip } from './gunzip.ts'
import type { JudgedUrls } from './judge-url.ts'
import type { SitemapFormat } from './shapes.ts'
import type { Tally } from './tally.ts'

export interface SitemapFile {
  /** Counted from 0 in the order in which files were named. */
  readonly number: number
  readonly url: string
}

/** The URLs of one file that arrived together, in the file's order. */
export interface UrlBatch extends Readonly<JudgedUrls> {
  readonly file: SitemapFile
}

/** What a server said of a file when it was last read whole: asked again, it may say that nothing changed. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** What a file was when it was last read whole, to be kept until the next time. */
export interface RememberedFile extends Validators {
  readonly format: SitemapFormat
  readonly urls: number
  readonly foreign: number
  /** What the index said of it, in seconds; 0 for nothing. */
  readonly lastmod: number
  /** When it was read, in milliseconds. */
  readonly readAt: number
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

export interface FileReport extends SitemapFile {
  readonly status: 'read' | 'not-modified' | 'failed' | 'refused' | 'skipped'
  readonly format?: SitemapFormat
  /** URLs in it, those of other hosts included; of an index, the files it names. */
  readonly count: number
  readonly foreign: number
  /** Uncompressed. */
  readonly bytes: number
  /** What happened, why, what to do. */
  readonly error?: string
  readonly failure?: FileFailure
  readonly warning?: string
  /** To be handed back by `remembered` the next time, once all that was found in it is safely kept. */
  readonly remember?: RememberedFile
}

/** All that came of one file, for a reading that is done in parts. */
export interface FileRead {
  readonly report: FileReport
  /** What an index names. */
  readonly children: readonly IndexEntry[]
  readonly tally: Tally
}

/** A file that an index names. */
export interface IndexEntry {
  readonly loc: string
  readonly lastmod: number
}

export interface SitemapReport extends Tally {
  readonly files: readonly FileReport[]
  /** Whether every file was read whole, or did not change. */
  readonly complete: boolean
}
