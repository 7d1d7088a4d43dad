import { onTestFinished } from 'vitest'
import { FakeClock } from '../../fake-clock.ts'
import { type BitableOptions, openBitable } from './bitable.ts'

const FIELDS = [
  { field_name: 'key', type: 1 },
  { field_name: 'count', type: 2 },
  { field_name: 'status', type: 3 },
  { field_name: 'seen', type: 5 },
  { field_name: 'done', type: 7 },
  { field_name: 'made', type: 1001 },
]

interface Answer {
  readonly status: number
  readonly code: number
  readonly data: {
    readonly items?: readonly { fields: Record<string, unknown>; record_id: string }[]
    readonly record?: { readonly record_id: string }
  }
}

/** A Base with one table, for one test, and how a program talks to it. */
export async function openNotes(options: Partial<BitableOptions> = {}) {
  const clock = new FakeClock('2025-01-15T12:00:00Z')
  const bitable = await openBitable({ clock, callsPerSecond: 1_000, ...options })
  onTestFinished(() => bitable.close())

  const login = async (secret = bitable.app.appSecret) => {
    const answer = await fetch(`${bitable.origin}/open-apis/auth/v3/tenant_access_token/internal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ app_id: bitable.app.appId, app_secret: secret }),
    })
    return (await answer.json()) as { code: number; tenant_access_token: string; expire: number }
  }
  let token = (await login()).tenant_access_token
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const url = `${bitable.origin}/open-apis/bitable/v1/apps/${bitable.appToken}/tables${path}`
    const answer = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, ...((await answer.json()) as Omit<Answer, 'status'>) }
  }
  await call('POST', '', { table: { name: 'notes', fields: FIELDS } })
  const records = `/${bitable.tableId('notes')}/records`
  return {
    clock,
    bitable,
    login,
    use: (other: string) => {
      token = other
    },
    call,
    create: (fields: unknown, query = '') => call('POST', `${records}${query}`, { fields }),
    records,
    keys: async (filter: unknown) => {
      const { code, data } = await call('POST', `${records}/search`, {
        filter,
        field_names: ['key'],
      })
      const texts = data?.items?.map(({ fields }) => (fields['key'] as { text: string }[])[0]?.text)
      return texts?.join(' ') ?? code
    },
  }
}

/** A filter of conditions that must all hold. */
export const where = (
  ...conditions: [field_name: string, operator: string, ...value: string[]][]
) => ({
  conjunction: 'and',
  conditions: conditions.map(([field_name, operator, ...value]) => ({
    field_name,
    operator,
    value,
  })),
})
