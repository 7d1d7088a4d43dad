import { minutes, seconds } from '../core/duration.ts'

/** What one request may ask for. */
export const LIMITS = {
  notesPerRequest: 20,
  candidatesPerRequest: 500,
  /** Of one claim, complete or fail. */
  recordsPerRequest: 100,
  /** Of one import. */
  linesPerRequest: 100,
  foundNotes: 100,
  rowsPerPage: 1_000,
  noteIdLength: 256,
  urlLength: 4_096,
  nameLength: 128,
  /** Browsers send no longer `Cookie` header, and no server takes one. */
  cookieLength: 16_384,
} as const

/** SPEC C04. */
export const USUAL_BATCH = 10

/** SPEC C08: one deadline for all that a request asks for. */
export const DEADLINES = {
  oneNoteMs: seconds(15),
  batchMs: seconds(60),
  searchMs: seconds(30),
} as const

/** How many notes of one request are under way at the same time, each at its own host's pace. */
export const NOTES_AT_ONCE = 4

/** How long a host is left alone that wants to see a person, or said "too many" and not for how long. */
export const HOST_REST_MS = minutes(15)
