import { fail, ok, type Result } from '../../../core/result.ts'
import type { Media } from '../../note.ts'
import type { ReadNote } from '../account-pages.ts'
import { countOf } from '../counts.ts'
import { readTime } from '../dates.ts'
import { embeddedState } from '../embedded-state.ts'
import type { PlatformFailure } from '../failures.ts'
import { fieldOf, type Fields, fieldsOf, listOf, mediaUrl, sizeOf, textOf } from '../fields.ts'
import { tidyLines } from '../html-text.ts'
import { codeFailure } from './replies.ts'

const STATE = /^\s*window\.__INITIAL_STATE__\s*=\s*/

/** The note in the state that the page brings along for its own script. */
export function readXhsNote(
  html: string,
  { noteId, now }: { readonly noteId: string; readonly now: number },
): Result<ReadNote, PlatformFailure> {
  const state = embeddedState(html, STATE)
  if (!state.ok) {
    return fail({ kind: 'unreadable', why: `the page's embedded state is ${state.failure}` })
  }
  const entry = fieldOf(state.value, 'note', 'noteDetailMap', noteId)
  const note = fieldsOf(fieldOf(entry, 'note'))
  const isThere = note !== undefined && textOf(note['noteId'] ?? note['id']) === noteId
  return isThere ? ok(noteOf(note, now)) : fail(whyAbsent(state.value))
}

/** A page without its note is a login wall for strangers, a refusal with a code, or something new. */
function whyAbsent(state: unknown): PlatformFailure {
  const told = codeFailure(fieldOf(state, 'note', 'serverRequestInfo', 'errorCode'))
  if (told) return told
  const isStranger =
    fieldOf(state, 'user', 'loggedIn') === false || fieldOf(state, 'user', 'userInfo', 'guest')
  if (isStranger === true) return { kind: 'cookie-rejected', sign: 'the page is for strangers' }
  return { kind: 'unreadable', why: 'the embedded state does not hold the note' }
}

function noteOf(note: Fields, now: number): ReadNote {
  const publishedAt = readTime(note['time'], now)
  const editedAt = readTime(note['lastUpdateTime'], now)
  const counts = fieldsOf(note['interactInfo']) ?? {}
  const likes = countOf(counts['likedCount'])
  const collects = countOf(counts['collectedCount'])
  const comments = countOf(counts['commentCount'])
  const shares = countOf(counts['shareCount'])
  return {
    kind: note['type'] === 'video' ? 'video' : 'image',
    title: textOf(note['title']) ?? '',
    text: plainText(textOf(note['desc']) ?? ''),
    tags: listOf(note['tagList']).flatMap((tag) => textOf(fieldOf(tag, 'name')) ?? []),
    media: [...imagesOf(note), ...videosOf(note)],
    metrics: {
      ...(likes && { likes }),
      ...(collects && { collects }),
      ...(comments && { comments }),
      ...(shares && { shares }),
    },
    publishedAt,
    editedAt: editedAt === publishedAt ? undefined : editedAt,
    namedAuthor: {
      id: textOf(fieldOf(note, 'user', 'userId')),
      name: textOf(fieldOf(note, 'user', 'nickname')) ?? textOf(fieldOf(note, 'user', 'nickName')),
    },
  }
}

/** `#露营[话题]#` is how a tag is written inside of the text. */
function plainText(text: string): string {
  return tidyLines(text.replace(/\[话题\]#/g, ''))
}

function imagesOf(note: Fields): readonly Media[] {
  return listOf(note['imageList']).flatMap((image) => {
    const url = mediaUrl(
      textOf(fieldOf(image, 'urlDefault')) ??
        textOf(fieldOf(image, 'url')) ??
        textOf(fieldOf(listOf(fieldOf(image, 'infoList')).at(-1), 'url')),
    )
    return url === undefined ? [] : [withSize({ kind: 'image', url }, image)]
  })
}

/** The first stream of the first codec that has one. */
function videosOf(note: Fields): readonly Media[] {
  const streams = fieldsOf(fieldOf(note, 'video', 'media', 'stream')) ?? {}
  const [first] = ['h264', 'h265', 'av1', 'h266'].flatMap((codec) => listOf(streams[codec]))
  const url = mediaUrl(fieldOf(first, 'masterUrl'))
  return url === undefined ? [] : [withSize({ kind: 'video', url }, first)]
}

function withSize(media: Media, measured: unknown): Media {
  const width = sizeOf(fieldOf(measured, 'width'))
  const height = sizeOf(fieldOf(measured, 'height'))
  return { ...media, ...(width && { width }), ...(height && { height }) }
}
