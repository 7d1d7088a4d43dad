import { hours, minutes } from '../../../../src/core/duration.ts'

/** Of Bitable, as its reference and the words in its official SDK say. */
export const BITABLE_LIMITS = {
  tablesPerBase: 100,
  rowsPerTable: 20_000,
  /** 1,000 since 2025; the error table still says 500. */
  rowsPerCreate: 1_000,
  rowsPerUpdate: 1_000,
  rowsPerDelete: 500,
  rowsPerGet: 100,
  rowsPerPage: 500,
  tablesPerPage: 100,
  usualPage: 20,
  conditionsPerFilter: 50,
  charactersPerCell: 100_000,
  tokenMs: hours(2),
  /** A token that is asked for again is the same one, until it has less than this to live. */
  tokenRenewedMs: minutes(30),
} as const
