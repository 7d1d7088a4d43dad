import { expect } from 'vitest'
import type { Stage } from './stage.ts'

interface Candidate {
  readonly platform: string
  readonly note_id: string
  readonly status: string
}

/** Every source and every candidate is in the Base exactly once and as Sluice has it; nothing waits to be written. */
export async function expectMirrored(stage: Stage): Promise<void> {
  const { sources } = await stage.ask<{ sources: { idempotency_key: string }[] }>(
    'GET',
    '/v1/sources?limit=1000',
  )
  const { candidates } = await stage.ask<{ candidates: Candidate[] }>(
    'GET',
    '/v1/candidates?limit=1000',
  )
  const { depth } = await stage.ask<{ depth: number }>('GET', '/v1/outbox?limit=1')
  const rowsOf = (table: string) => stage.bitable.rows(table).map(({ fields }) => fields)

  expect(rowsOf('tbl_source').map((row) => row['idempotency_key'])).toHaveLength(sources.length)
  expect(new Set(rowsOf('tbl_source').map((row) => row['idempotency_key']))).toEqual(
    new Set(sources.map((source) => source.idempotency_key)),
  )
  expect(
    rowsOf('tbl_candidate')
      .map((row) => JSON.stringify([row['idempotency_key'], row['status']]))
      .toSorted(),
  ).toEqual(
    candidates
      .map(({ platform, note_id, status }) => JSON.stringify([`${platform}:${note_id}`, status]))
      .toSorted(),
  )
  expect(depth).toBe(0)
}
