import { fail, ok, type Result } from '../../core/result.ts'
import { Secret } from '../../core/secret.ts'
import { LIMITS } from '../limits.ts'

/** `name=value`, several of them parted by `;`, of what a header may hold. */
const PAIRS =
  /^[\w!#$%&'*+.^`|~-]+=[\x20-\x3a\x3c-\x7e]*(; ?[\w!#$%&'*+.^`|~-]+=[\x20-\x3a\x3c-\x7e]*)*;?$/

/** A cookie as a person pastes it, or why it cannot be one. What is wrong with it is told without a part of it. */
export function readCookie(given: string): Result<Secret, string> {
  const text = given.trim().replace(/^cookie:\s*/i, '')
  if (text === '') return fail('it is empty')
  if (text.length > LIMITS.cookieLength) {
    return fail(`it has more than ${LIMITS.cookieLength} characters`)
  }
  if (!/^[\x20-\x7e]*$/.test(text)) return fail('it holds a line break or a character beyond ASCII')
  if (!PAIRS.test(text)) return fail('it is not written as name=value; name=value')
  return ok(new Secret(text))
}
