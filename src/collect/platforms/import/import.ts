import { fail } from '../../../core/result.ts'
import type { Platform } from '../platform.ts'

const WHY = 'notes of an import come with its lines; give them to "sluice collect import"'

/** Notes that somebody brings as lines of JSON (`read-lines.ts`); there is nobody to ask. */
export const importPlatform: Platform = {
  name: 'import',
  can: { detail: false, search: false },
  cookie: 'none',
  accepts: () => false,
  noteIdOf: () => undefined,
  hostOf: () => '',
  detail: async () => fail({ kind: 'unsupported', operation: 'detail', why: WHY }),
  search: async () => fail({ kind: 'unsupported', operation: 'search', why: WHY }),
}
