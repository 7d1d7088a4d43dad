import { type AccountPagesOptions, openAccountPages } from '../account-pages.ts'
import type { Platform } from '../platform.ts'
import { canonicalWeiboUrl, readWeiboUrl } from './note-url.ts'
import { readWeiboNote } from './read-note.ts'
import { replyFailure } from './replies.ts'

const NO_SEARCH =
  'weibo shows searches only to its own pages and checks who asks; bring the links of notes, or a feed that lists them'

export function openWeibo(options: AccountPagesOptions): Platform {
  return openAccountPages(
    {
      name: 'weibo',
      adapter: 'weibo-page@1',
      noSearch: NO_SEARCH,
      readUrl: readWeiboUrl,
      canonicalUrl: canonicalWeiboUrl,
      replyFailure,
      readNote: readWeiboNote,
    },
    options,
  )
}
