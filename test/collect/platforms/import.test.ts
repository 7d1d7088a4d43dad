import { describe, expect, it } from 'vitest'
import { openAuthors } from '../../../src/collect/platforms/author.ts'
import { importPlatform } from '../../../src/collect/platforms/import/import.ts'
import { type ImportedLine, readLines } from '../../../src/collect/platforms/import/read-lines.ts'
import { wireNote } from '../../../src/collect/note.ts'
import { Secret } from '../../../src/core/secret.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { scenario } from '../../support/scenario.ts'
import { detailAsk, expectNowhere, failureOf, NOW, platforms } from './support.ts'

const authors = openAuthors(new Secret('author-key-of-the-tests'))

async function read(...lines: readonly string[]): Promise<readonly ImportedLine[]> {
  const tested = platforms()
  const names = ['page', 'feed', 'xhs', 'weibo', 'import'] as const
  const options = {
    authors,
    clock: new FakeClock(NOW),
    platforms: names.map((name) => tested.get(name)),
  }
  const imported: ImportedLine[] = []
  for await (const line of readLines(lines, options)) imported.push(line)
  return imported
}

describe('an import', () => {
  it('C20 — takes the addresses that the other ways take, and no others', async () => {
    const good = ['http://192.168.1.5:1200/feed', 'http://rsshub/x', 'https://例子.example/路径']
    const bad = [
      'ftp://a.example/',
      'https://u:p@a.example/',
      `https://a.example/${'x'.repeat(2_100)}`,
    ]
    const lines = [...good, ...bad].map((url) => JSON.stringify({ platform: 'page', url }))

    const kinds = (await read(...lines)).map(({ kind }) => kind)

    expect(kinds).toEqual([...good.map(() => 'candidate'), ...bad.map(() => 'error')])
  })

  it('C20 — does not take one note for another', async () => {
    const lines = await read(
      '{"platform":"weibo","note_id":5012345678901234567,"title":"x"}',
      '{"note_id":"n1","title":"x","author":{"id":50123456789012345}}',
      '{"platform":"page","note_id":"n1","url":"https://a.example/p"}',
      '{"platform":"xhs","note_id":"weibo_1","title":"x"}',
      '{"note_id":123456789012345,"title":"x"}',
    )

    expect(lines.map(({ kind }) => kind)).toEqual(['error', 'error', 'error', 'error', 'note'])
    expect(lines[0]).toMatchObject({ why: expect.stringContaining('in quotes') as string })
  })

  it('C20 — refuses a field that it does not know, rather than lose what it holds', async () => {
    const lines = await read(
      '{"note_id":"x2","title":"t","body":"b"}',
      '{"note_id":"x2","title":"t","author_name":"Jane"}',
      '{"note_id":"x2","title":"t","sourceKeyword":"tea"}',
      '{"note_id":"x2","title":"t","xyzzy":1}',
      '{"note_id":"x2","title":"t","author":{"nick":"Jane"}}',
      '{"address":"https://a.example/p"}',
    )

    const whys = lines.map((line) => (line.kind === 'error' ? line.why : line.kind))
    expect(whys).toEqual([
      '"body" is no field of a line; did you mean text?',
      '"author_name" is no field of a line; did you mean author?',
      '"sourceKeyword" is no field of a line; did you mean source_keyword?',
      expect.stringMatching(
        /^"xyzzy" is no field of a line; known are platform, note_id, note_url/,
      ),
      'author: "nick" is not known there; leave it out',
      '"address" is no field of a line; did you mean note_url?',
    ])
  })

  it('C20 — says what an address that stands alone needs to be fetched', async () => {
    const [line] = await read('{"url":"https://a.example/p"}')

    expect(line).toMatchObject({
      why: 'note_id is missing; to have note_url fetched, say from where: "platform":"page"',
    })
  })

  it('C20 — reads a date without a zone as that of the platforms, UTC+8', async () => {
    const dates = ['2026-11-01', '2026-11-01T10:00:00', '2026-11-01T10:00:00Z']
    const lines = dates.map((published_at) =>
      JSON.stringify({ note_id: 'n1', title: 'x', published_at }),
    )

    const readAs = (await read(...lines)).map((line) =>
      line.kind === 'note' ? new Date(line.note.publishedAt ?? 0).toISOString() : line.kind,
    )

    expect(readAs).toEqual([
      '2026-10-31T16:00:00.000Z',
      '2026-11-01T02:00:00.000Z',
      '2026-11-01T10:00:00.000Z',
    ])
  })

  it('C21 — masks what is brought as masked and is not', async () => {
    const hash = 'a'.repeat(64)
    const names = ['王**', '**', 'Jane Unmasked', ' ', null]
    const lines = names.map((masked_name) =>
      JSON.stringify({ note_id: 'n1', title: 'x', author: { hash, masked_name } }),
    )

    const kept = (await read(...lines)).map((line) =>
      line.kind === 'note' ? (line.note.author?.maskedName ?? '') : line.kind,
    )

    expect(kept).toEqual(['王**', '**', 'J**', '', ''])
  })

  it('C21 — keeps no byte of no text', async () => {
    const [line] = await read(
      '{"note_id":"n1","title":"a\\u0000\\u0007b","text":"c\\r\\n\\td\\ud800"}',
    )

    expect(line).toMatchObject({ note: { title: 'ab', text: 'c\n\td\uFFFD' } })
  })

  scenario('C20, C21', 'is notes and candidates, and a bad line spoils no other', async () => {
    const lines = await read(
      '\uFEFF{"note_id":"n1","title":"Title","text":"Text","author":{"id":42,"name":"王小明"},"metrics":{"likes":"1.2万","views":7},"published_at":"2024-03-05","tags":["a"],"media":["https://a.example/1.jpg","no"]}\r',
      '',
      '{"platform":"page","note_url":"https://a.example/p"}',
      '{"platform":"xhs","url":"https://www.xiaohongshu.com/explore/65a1b2c3000000001d00aaaa?xsec_token=t","source_keyword":"露营"}',
      'not json',
      '[1]',
      '{"title":"no id"}',
      '{"platform":"tiktok","note_id":"1","title":"x"}',
      '{"platform":"xhs","note_id":"1","note_url":"https://a.example/p"}',
      '{"note_id":"a/b","title":"x"}',
      '{"note_id":"n2"}',
    )

    expect(lines.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
      '1 note',
      '3 candidate',
      '4 candidate',
      ...[5, 6, 7, 8, 9, 10, 11].map((line) => `${line} error`),
    ])
    expect(lines[0]).toMatchObject({
      note: {
        platform: 'import',
        noteId: 'n1',
        author: { maskedName: '王**' },
        media: [{ kind: 'image', url: 'https://a.example/1.jpg' }],
        metrics: { likes: { value: 12_000, raw: '1.2万' }, views: { value: 7, raw: '7' } },
        publishedAt: Date.parse('2024-03-04T16:00:00Z'),
      },
    })
    expectNowhere('王小明', lines)
    expect(lines[1]).toMatchObject({
      candidate: { platform: 'page', noteUrl: 'https://a.example/p' },
    })
    expect(lines[2]).toMatchObject({
      candidate: { platform: 'xhs', noteId: '65a1b2c3000000001d00aaaa', sourceKeyword: '露营' },
    })
    const errors = lines.flatMap((line) => (line.kind === 'error' ? [line.why] : []))
    expect(errors[0]).toContain('not JSON')
    expect(errors[3]).toContain('platform')
  })

  it('C21 — takes back what went out', async () => {
    const [first] = await read(
      '{"note_id":"n1","title":"T","author":"王小明","metrics":{"likes":"1万"}}',
    )
    if (first?.kind !== 'note') throw new Error('not read')

    const [second] = await read(
      JSON.stringify(wireNote({ ...first.note, canonicalUrl: 'https://a.example/' })),
    )

    expect(second).toMatchObject({
      note: { author: first.note.author, metrics: first.note.metrics },
    })
  })

  it('C20 — cannot be asked for anything', async () => {
    const detail = await importPlatform.detail(
      detailAsk({ noteId: '1', url: 'https://a.example/' }),
    )

    expect(failureOf(detail)).toMatchObject({ kind: 'unsupported', operation: 'detail' })
    expect(importPlatform.can).toEqual({ detail: false, search: false })
  })
})

describe('platforms', () => {
  it('C20 — are there only where the operator names them', () => {
    const tested = platforms({ on: ['page', 'feed', 'import'] })

    expect(tested.get('page').name).toBe('page')
    expect(() => tested.get('xhs')).toThrow('off')
    expect(() => tested.get('weibo')).toThrow('off')
  })
})

describe('an author', () => {
  it.each([
    ['王小明', '王**'],
    ['Jo', 'J**'],
    ['李', '**'],
    ['😀喵', '😀**'],
    ['  王 ', '**'],
  ])('C21 — %s is shown as %s', async (name, masked) => {
    expect((await authors.hide('xhs', { name }))?.maskedName).toBe(masked)
  })

  it('C21 — is somebody else on another platform and under another key', async () => {
    const hashes = await Promise.all([
      authors.hide('xhs', { id: '1' }),
      authors.hide('weibo', { id: '1' }),
      openAuthors(new Secret('another key')).hide('xhs', { id: '1' }),
      authors.hide('xhs', { id: '1', name: 'renamed' }),
    ])

    expect(new Set(hashes.map((author) => author?.hash)).size).toBe(3)
    expect(hashes[3]?.hash).toBe(hashes[0]?.hash)
    expect(await authors.hide('xhs', { id: ' ', name: '' })).toBeUndefined()
  })
})
