import type { JsonObject } from '../core/json.ts'

export type MirroredTable = 'tbl_cookie' | 'tbl_candidate' | 'tbl_crawl_execution' | 'tbl_source'

/** A row as the mirror is told of it. */
export interface ToldRow {
  readonly table: MirroredTable
  /** Names the row in the mirror. */
  readonly key: string
  readonly fields: JsonObject
}

/** Who asked for a change: it goes with the change to the mirror, so that one search shows the whole way. */
export interface Origin {
  readonly requestId: string
}

/** One change for the mirror. It was written in the transaction of the change itself, so neither is without the other. */
export interface OutboxEntry {
  readonly id: number
  readonly table: MirroredTable
  readonly op: 'upsert'
  /** Names the row in the mirror. */
  readonly key: string
  /** The row as it is after the change: applying a later entry alone gives the same row. */
  readonly fields: JsonObject
  /** The same at every try of this entry, so that the mirror can tell a repeat. */
  readonly clientToken: string
  readonly requestId: string
  readonly createdAt: number
}

export interface OutboxStore {
  /** The oldest entries not acknowledged, in order. */
  page(limit: number): Promise<readonly OutboxEntry[]>
  /** Tells how many were still waiting; acknowledging again does nothing. */
  ack(ids: readonly number[]): Promise<number>
  depth(): Promise<number>
}
