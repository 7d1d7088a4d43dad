import { fail, ok, type Result } from '../../core/result.ts'
import { engineUrl } from '../../submit/search-engines.ts'
import { ENGINE } from '../../submit/site-settings.ts'
import type { Complaint } from './complaint.ts'
import { EXIT } from './exit-codes.ts'
import { withoutKeys } from './without-keys.ts'

/** The endpoints that the words of `--engine` stand for. */
export function givenEngines(typed: readonly string[]): Result<readonly string[], Complaint> {
  const urls: string[] = []
  for (const word of typed) {
    const url = engineUrl(word)
    if (url === undefined) {
      return fail({
        exit: EXIT.wrongUse,
        code: 'wrong-use',
        what: `--engine is "${withoutKeys(word)}": it should be ${ENGINE}.`,
      })
    }
    urls.push(url)
  }
  return ok(urls)
}
