import type { FileFailure } from './failures.ts'
import type { SitemapFormat } from './shapes.ts'
import type { Tally } from './tally.ts'

export interface SitemapFile {
  /** Counted from 0 in the order in which files were named. */
  readonly number: number
  readonly url: string
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

/** A file that an index names. */
export interface IndexEntry {
  readonly loc: string
  readonly lastmod: number
}

/** All that came of one file, for a reading that is done in parts. */
export interface FileRead {
  readonly report: FileReport
  /** What an index names. */
  readonly children: readonly IndexEntry[]
  readonly tally: Tally
}

export interface SitemapReport extends Tally {
  readonly files: readonly FileReport[]
  /** Whether every file was read whole, or did not change. */
  readonly complete: boolean
}
