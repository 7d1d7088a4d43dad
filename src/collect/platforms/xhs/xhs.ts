import { type AccountPagesOptions, openAccountPages } from '../account-pages.ts'
import type { Platform } from '../platform.ts'
import { canonicalXhsUrl, readXhsUrl } from './note-url.ts'
import { readXhsNote } from './read-note.ts'
import { replyFailure } from './replies.ts'

const NO_SEARCH =
  'xhs answers searches only to signed requests, and Sluice signs none; bring the links of notes, or a feed that lists them'

export function openXhs(options: AccountPagesOptions): Platform {
  return openAccountPages(
    {
      name: 'xhs',
      adapter: 'xhs-page@1',
      noSearch: NO_SEARCH,
      readUrl: readXhsUrl,
      canonicalUrl: canonicalXhsUrl,
      replyFailure,
      readNote: readXhsNote,
    },
    options,
  )
}
