import { z } from 'zod'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation, NO_QUERY } from '../../http/operation.ts'
import { readJson } from '../../http/read-json.ts'
import { type Importing, importNotes } from '../import-notes.ts'
import { LIMITS } from '../limits.ts'
import { answerWith, callerOf, refuseFailure, refuseWith } from './collect-envelope.ts'
import { listOf } from './shapes.ts'

const IMPORT_BODY = z.strictObject({
  lines: listOf(z.string('a line of JSON, as text'), LIMITS.linesPerRequest),
})

const IMPORT = {
  methods: ['post'],
  path: '/v1/import',
  access: 'collect',
  subject: 'Candidates',
  summary: 'Bring notes, or the addresses of notes, as lines of JSON',
  query: NO_QUERY,
  body: IMPORT_BODY,
  maxBodyBytes: 32 * 1024 * 1024,
  status: 200,
  answer: {
    data: z.object({
      notes_created: z.number(),
      notes_skipped: z.number(),
      candidates_created: z.number(),
      candidates_skipped: z.number(),
      errors: z.array(z.object({ line: z.number(), why: z.string() })),
    }),
  },
  refusals: ['INVALID_INPUT', 'LOCKED', 'PAYLOAD_TOO_LARGE'],
} as const

export function importRoutes(importing: Importing): RouteModule {
  return (app) => {
    addOperation(app, IMPORT, async (c) => {
      const body = await readJson(c, IMPORT_BODY)
      if (!body.ok) return refuseWith(c, body.failure)
      const imported = await importNotes(importing, body.value.lines, callerOf(c))
      if (!imported.ok) return refuseFailure(c, imported.failure)
      const { notes, candidates, errors } = imported.value
      return answerWith(c, {
        notes_created: notes.created,
        notes_skipped: notes.skipped,
        candidates_created: candidates.created,
        candidates_skipped: candidates.skipped,
        errors,
      })
    })
  }
}
