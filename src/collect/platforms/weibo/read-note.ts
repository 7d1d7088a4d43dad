import { fail, ok, type Result } from '../../../core/result.ts'
import type { Media } from '../../note.ts'
import type { ReadNote } from '../account-pages.ts'
import { countOf } from '../counts.ts'
import { readTime } from '../dates.ts'
import { embeddedState } from '../embedded-state.ts'
import type { PlatformFailure } from '../failures.ts'
import { fieldOf, type Fields, fieldsOf, listOf, mediaUrl, textOf } from '../fields.ts'
import { readHtmlText } from '../html-text.ts'
import { pageSaysGone, toldFailure } from './replies.ts'

const STATE = /(?:^|[\s;])(?:var\s)?\s?\$render_data\s*=\s*/

/** The note that a page brings along for its own script, or that an answer in JSON holds. */
export function readWeiboNote(
  body: string,
  { noteId, now }: { readonly noteId: string; readonly now: number },
): Result<ReadNote, PlatformFailure> {
  const found = /^\s{0,99}\{/.test(body) ? statusInJson(body) : statusInPage(body)
  if (!found.ok) return found
  const { value: status } = found
  const ids = [status['id'], status['idstr'], status['mid']].map(textOf)
  if (!ids.includes(noteId)) {
    return fail({ kind: 'unreadable', why: 'the answer holds another note than the one asked for' })
  }
  return ok(noteOf(status, now))
}

function statusInPage(html: string): Result<Fields, PlatformFailure> {
  const state = embeddedState(html, STATE)
  if (!state.ok) {
    return state.failure === 'absent' && pageSaysGone(html)
      ? fail({ kind: 'gone', sign: 'the page says so' })
      : fail({ kind: 'unreadable', why: `the page's embedded state is ${state.failure}` })
  }
  // Written as `[{…}][0] || {}`.
  const [first] = listOf(state.value)
  return statusIn(first ?? state.value, 'status')
}

function statusInJson(body: string): Result<Fields, PlatformFailure> {
  try {
    return statusIn(JSON.parse(body), 'data')
  } catch {
    return fail({ kind: 'unreadable', why: 'the answer is broken JSON' })
  }
}

function statusIn(holder: unknown, name: string): Result<Fields, PlatformFailure> {
  const status = fieldsOf(fieldOf(holder, name))
  if (status) return ok(status)
  return fail(toldFailure(holder) ?? { kind: 'unreadable', why: 'the answer does not hold a note' })
}

function noteOf(status: Fields, now: number): ReadNote {
  const written =
    textOf(fieldOf(status, 'longText', 'longTextContent')) ?? textOf(status['text']) ?? ''
  const { text } = readHtmlText(written)
  const video = videosOf(status)
  const images = imagesOf(status)
  const likes = countOf(status['attitudes_count'])
  const comments = countOf(status['comments_count'])
  const shares = countOf(status['reposts_count'])
  return {
    kind: video.length > 0 ? 'video' : images.length > 0 ? 'image' : 'text',
    title: textOf(status['status_title']) ?? text.split('\n', 1)[0]?.slice(0, 60) ?? '',
    text,
    tags: [...text.matchAll(/#([^#\n]{1,60})#/g)].map(([, tag = '']) => tag),
    media: [...images, ...video],
    metrics: { ...(likes && { likes }), ...(comments && { comments }), ...(shares && { shares }) },
    publishedAt: readTime(status['created_at'], now),
    editedAt: readTime(status['edit_at'], now),
    namedAuthor: {
      id: textOf(fieldOf(status, 'user', 'id')),
      name: textOf(fieldOf(status, 'user', 'screen_name')),
    },
  }
}

function imagesOf(status: Fields): readonly Media[] {
  return listOf(status['pics']).flatMap((picture): Media[] => {
    const url = mediaUrl(fieldOf(picture, 'large', 'url') ?? fieldOf(picture, 'url'))
    return url === undefined ? [] : [{ kind: 'image', url }]
  })
}

function videosOf(status: Fields): readonly Media[] {
  if (fieldOf(status, 'page_info', 'type') !== 'video') return []
  const addresses = [
    ...Object.values(fieldsOf(fieldOf(status, 'page_info', 'urls')) ?? {}),
    fieldOf(status, 'page_info', 'media_info', 'stream_url_hd'),
    fieldOf(status, 'page_info', 'media_info', 'stream_url'),
  ]
  const url = addresses.map((address) => mediaUrl(address)).find((found) => found !== undefined)
  return url === undefined ? [] : [{ kind: 'video', url }]
}
