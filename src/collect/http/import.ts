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

/** Whoever has lines would send them as they are. */
const AS_TEXT = 'The body is {"lines": ["…", "…"]}, each line of the import as a text of its own.'

const IMPORT = {
  methods: ['post'],
  path: '/v1/import',
  access: 'collect',
  subject: 'Candidates',
  summary:
    'Bring notes, or the addresses of notes: {"lines": ["…"]}, each line one JSON object as text',
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
      if (!body.ok) {
        const message = `${body.failure.message} ${AS_TEXT}`
        return refuseWith(c, { ...body.failure, message })
      }
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
