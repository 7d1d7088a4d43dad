import { fail, ok, type Result } from '../../core/result.ts'
import { isHttpAddress } from '../../submit/search-engines.ts'
import type { Complaint } from './complaint.ts'
import { EXIT } from './exit-codes.ts'

/** The address of a sitemap or a site, as it was typed. */
export function givenAddress(typed: string): Result<URL, Complaint> {
  if (isHttpAddress(typed)) return ok(new URL(typed))
  const isHost = /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(typed)
  return fail({
    exit: EXIT.wrongUse,
    code: 'bad-address',
    what: 'The address should be an http:// or https:// one, without a name and password in it.',
    advice: isHost
      ? `Did you mean https://${typed}?`
      : 'Such as https://example.com/sitemap.xml, or https://example.com to find it.',
  })
}
