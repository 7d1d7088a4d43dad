import { beginField, endField, takeLink } from './fields.ts'
import { type PlainTags, plainTags } from './plain-tags.ts'
import { addEntry } from './entries.ts'
import { breakAt, type ScanState } from './scan-state.ts'
import { isHtmlName, nameWithin, ownPrefixes, type Shape, shapeOf } from './shapes.ts'

/** What an element means where it stands. `tag` is all of it, from `<` to `>`. */
export function openTag(state: ScanState, name: string, tag: string): void {
  const { shape, level } = state
  if (shape === undefined) return openRoot(state, name, tag)
  if (state.skipped > 0 || level === 'field') return skip(state, name, tag)
  const within = nameWithin(state.own, name, tag, shape)
  if (level === 'list') return openInList(state, name, tag, within)
  if (isSelfClosing(tag) || !isWanted(state, within)) {
    if (within === shape.loc && shape.isLocAttribute) takeLink(state, tag)
    return skip(state, name, tag)
  }
  beginField(state, name, within === shape.loc ? 'loc' : shape.dates.indexOf(within))
}

/** What was found already is passed over when it comes again. */
function isWanted({ shape, loc, dateRank }: ScanState, within: string): boolean {
  if (within === shape?.loc) return !shape.isLocAttribute && loc === ''
  const rank = shape?.dates.indexOf(within) ?? -1
  return rank >= 0 && rank < dateRank
}

/** `at` is where the tag begins, to be named should it fit nothing. */
export function closeTag(state: ScanState, name: string, at: number): void {
  if (state.skipped > 0) return closeSkipped(state, name, at)
  const { level, containerName } = state
  if (level === 'list' && containerName !== '' && name === containerName) {
    state.containerName = ''
    return
  }
  const expected = openName(state)
  if (name !== expected) return mismatch(state, name, expected, at)
  if (level === 'field') endField(state)
  else if (level === 'entry') endEntry(state)
  else state.end = { kind: 'whole' }
}

function isSelfClosing(tag: string): boolean {
  return tag.at(-2) === '/'
}

function openRoot(state: ScanState, name: string, tag: string): void {
  const shape = shapeOf(name)
  if (!shape) {
    state.end = isHtmlName(name) ? { kind: 'html' } : { kind: 'not-a-sitemap', found: `<${name}>` }
    return
  }
  state.shape = shape
  state.rootName = name
  state.own = ownPrefixes(tag, name, shape)
  state.level = 'list'
  if (isSelfClosing(tag)) state.end = { kind: 'whole' }
}

function openInList(state: ScanState, name: string, tag: string, within: string): void {
  const shape = state.shape as Shape
  if (within === shape.container && shape.container !== '' && !isSelfClosing(tag)) {
    state.containerName = name
  } else if (within === shape.entry) {
    beginEntry(state, name, tag)
  } else {
    skip(state, name, tag)
  }
}

function beginEntry(state: ScanState, name: string, tag: string): void {
  state.level = 'entry'
  state.entryName = name
  state.loc = ''
  state.lastmod = 0
  state.dateRank = Number.POSITIVE_INFINITY
  state.problem = 'no-loc'
  state.problemText = ''
  state.tags ??= tagsOf(state, name)
  if (isSelfClosing(tag)) endEntry(state)
}

function endEntry(state: ScanState): void {
  state.level = 'list'
  if (state.loc === '') return state.onDrop(state.problem, state.problemText)
  addEntry(state.entries, state.loc, state.lastmod)
}

/**
 * Feeds are small: only the two formats of sitemaps are worth the hot path. With several prefixes for one
 * namespace a date has several names, and the hot path looks for one.
 */
function tagsOf({ shape, own }: ScanState, entryName: string): PlainTags | undefined {
  if (shape?.format !== 'urlset' && shape?.format !== 'sitemapindex') return undefined
  if (own.size > 1 || entryName.length > 256) return undefined
  const prefix = entryName.slice(0, entryName.indexOf(':') + 1)
  return plainTags(entryName, `${prefix}${shape.loc}`, `${prefix}${shape.dates[0]}`)
}

function skip(state: ScanState, name: string, tag: string): void {
  if (isSelfClosing(tag)) return
  state.skipped++
  if (name === state.entryName) state.skippedEntries++
}

/** The end of the entry inside of something else: that was never closed. */
function closeSkipped(state: ScanState, name: string, at: number): void {
  if (name === state.entryName && state.level !== 'list') {
    if (state.skippedEntries === 0) return mismatch(state, name, '', at)
    state.skippedEntries--
  }
  state.skipped--
}

function openName({ level, fieldName, entryName, containerName, rootName }: ScanState): string {
  if (level === 'field') return fieldName
  return level === 'entry' ? entryName : containerName || rootName
}

function mismatch(state: ScanState, name: string, expected: string, at: number): void {
  const open = expected === '' ? 'something inside of it' : `<${expected}>`
  breakAt(state, at, `</${name}> while ${open} is still open`)
}
