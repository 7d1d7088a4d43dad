import { Refused } from './codes.ts'
import { BITABLE_LIMITS } from './limits.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly hasMore: boolean
  /** Of the page after this one, also where there is none. */
  readonly next: string
}

/** The part of a list that a request asks for by `page_size` and `page_token`. */
export function pageOf<Item>(
  all: readonly Item[],
  query: URLSearchParams,
  most: number = BITABLE_LIMITS.rowsPerPage,
): Page<Item> {
  const size = Number(query.get('page_size') ?? BITABLE_LIMITS.usualPage)
  if (size <= 0) throw new Refused(1254011)
  if (!Number.isInteger(size) || size > most) throw new Refused(99992402, 'page_size')
  const start = startOf(query.get('page_token'))
  const items = all.slice(start, start + size)
  const end = start + items.length
  return { items, total: all.length, hasMore: end < all.length, next: tokenOf(end) }
}

const tokenOf = (start: number) => Buffer.from(`from ${start}`).toString('base64url')

function startOf(token: string | null): number {
  if (token === null || token === '') return 0
  const [, start] = /^from (\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (start === undefined) throw new Refused(1254002)
  return Number(start)
}
