import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { startServer } from './support.ts'

const COMMITTED = new URL('../../docs/openapi.json', import.meta.url)

interface Document {
  readonly openapi: string
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>
}

scenario(
  'X05',
  'the API describes itself as docs/openapi.json (UPDATE_OPENAPI=1 writes it)',
  async () => {
    const server = await startServer()

    const response = await fetch(`${server.url}/openapi.json`)
    const served = `${JSON.stringify(await response.json(), null, 2)}\n`

    if (process.env['UPDATE_OPENAPI']) writeFileSync(COMMITTED, served)
    expect(served).toBe(readFileSync(COMMITTED, 'utf8'))
    const { openapi, paths } = JSON.parse(served) as Document
    expect(openapi).toBe('3.1.0')
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).map((one) => one.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/api/sites', '/api/sites/{id}', '/trigger', '/status', '/api/urls']),
    )
    await server.stop()
  },
)
