import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { MIGRATIONS as POSTGRES } from '../../src/stores/postgres/migrations/all.ts'
import { MIGRATIONS as SQLITE } from '../../src/stores/sqlite/migrations/all.ts'

// Databases were made by these. What the schema needs more is a new migration, and a new line here.
const LANDED = {
  'postgres 1 submit': 'c33bbd41e826f4c0',
  'postgres 2 collect': 'c6360d27032af929',
  'postgres 3 lighter-writes': '56d3ec1e35fd9be6',
  'postgres 4 candidate-census': '39013d6657b18e88',
  'sqlite 1 submit': '701fbfba6f395fe4',
  'sqlite 2 collect': 'a15843035dcec458',
  'sqlite 3 newest-run': 'f8c0005352f3c727',
  'sqlite 4 candidate-census': 'a1266fe5c60e535c',
  'sqlite 5 lighter-writes': '802d1e8636317bd6',
}

it('C41 — a migration that has landed is never changed: a database may have been made by it', () => {
  const migrations = { postgres: POSTGRES, sqlite: SQLITE }

  const found = Object.entries(migrations).flatMap(([backend, all]) =>
    all.map(({ number, name, up, down }) => [
      `${backend} ${number} ${name}`,
      createHash('sha256')
        .update(JSON.stringify([up, down]))
        .digest('hex')
        .slice(0, 16),
    ]),
  )

  expect(Object.fromEntries(found)).toEqual(LANDED)
})
