import type { UrlRecord } from '../../../src/core/ledger/ledger.ts'
import type { UrlState } from '../../../src/core/ledger/url-state.ts'

/** The ledger's rules once more, over a plain Map and without a thought of speed: what the packed one must agree with. */
export interface ModelRow {
  lastmod: number
  file: number
  engines: { state: UrlState; when: number; statusCode: number | undefined }[]
}

export interface ModelRule {
  nowSeconds: number
  ttlSeconds: number
  engines: readonly number[]
}

export interface ModelOutcome {
  key: string
  state: UrlState
  statusCode: number | undefined
  lastmod: number
}

export interface ModelReading {
  rule: ModelRule
  baseline: readonly number[]
  listed: readonly { key: string; lastmod: number; file: number }[]
  seenFiles: readonly number[]
  complete: boolean
}

const SETTLED: readonly UrlState[] = ['accepted', 'pending', 'rejected', 'baseline']

export class ModelLedger {
  readonly rows = new Map<string, ModelRow>()
  engines: string[] = []

  judge(listed: ModelReading['listed'][number], seen: Set<string>, reading: ModelReading) {
    const { key, lastmod, file } = listed
    const repeated = seen.has(key)
    seen.add(key)
    const isNew = !this.rows.has(key)
    const row = this.#row(key)
    this.#noteLastmod(row, lastmod)
    if (!repeated) row.file = file
    for (const engine of reading.baseline) {
      const at = this.#engine(row, engine)
      if (at.state === 'unsent') {
        row.engines[engine] = {
          state: 'baseline',
          when: reading.rule.nowSeconds,
          statusCode: undefined,
        }
      }
    }
    const due = repeated ? [] : reading.rule.engines.filter((e) => this.isDue(row, e, reading.rule))
    const failed = due.filter((engine) => this.#engine(row, engine).state === 'failed')
    return { repeated, isNew, due, failed }
  }

  isDue(row: ModelRow, engine: number, { nowSeconds, ttlSeconds }: ModelRule): boolean {
    const { state, when } = this.#engine(row, engine)
    if (state === 'accepted' || state === 'pending') return nowSeconds - when >= ttlSeconds
    return state === 'unsent' || state === 'failed' || state === 'changed'
  }

  dueFiles(rule: ModelRule): Set<number> {
    const files = [...this.rows.values()]
      .filter((row) => rule.engines.some((engine) => this.isDue(row, engine, rule)))
      .map(({ file }) => file)
    return new Set(files.filter((file) => file !== 0).sort((a, b) => a - b))
  }

  /** The keys that `finish` forgets, and whether the drop was suspicious; `before` is how the reading began. */
  finish(reading: ModelReading, seen: Set<string>, before: ReadonlyMap<string, number>) {
    const known = [...before].filter(([, file]) => file !== 0)
    const missing = known
      .filter(([key, file]) => !seen.has(key) && !reading.seenFiles.includes(file))
      .map(([key]) => key)
    const suspiciousDrop = reading.complete && missing.length > known.length / 2
    const vanished = reading.complete && !suspiciousDrop ? missing : []
    for (const key of vanished) this.rows.delete(key)
    return { vanished, suspiciousDrop, known: known.length, missing: missing.length }
  }

  record(engine: number, when: number, outcomes: readonly ModelOutcome[]): void {
    for (const { key, state, statusCode, lastmod } of outcomes) {
      const row = this.#row(key)
      const isOutdated = lastmod > 0 && lastmod < row.lastmod && SETTLED.includes(state)
      this.#noteLastmod(row, lastmod)
      row.engines[engine] = { state: isOutdated ? 'changed' : state, when, statusCode }
    }
  }

  lookUp(key: string): UrlRecord | undefined {
    const row = this.rows.get(key)
    if (!row) return undefined
    return {
      lastmodSeconds: row.lastmod || undefined,
      file: row.file,
      engines: this.engines.map((name, number) => {
        const { state, when, statusCode } = this.#engine(row, number)
        return { engine: name, state, statusCode, whenSeconds: when || undefined }
      }),
    }
  }

  #noteLastmod(row: ModelRow, lastmod: number): void {
    if (lastmod <= row.lastmod) return
    for (const at of row.engines.filter(Boolean)) {
      const isNews = row.lastmod > 0 || lastmod > at.when
      if (isNews && SETTLED.includes(at.state)) at.state = 'changed'
    }
    row.lastmod = lastmod
  }

  #row(key: string): ModelRow {
    const row = this.rows.get(key) ?? { lastmod: 0, file: 0, engines: [] }
    this.rows.set(key, row)
    return row
  }

  #engine(row: ModelRow, engine: number) {
    return row.engines[engine] ?? { state: 'unsent' as const, when: 0, statusCode: undefined }
  }
}
