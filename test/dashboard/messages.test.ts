import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ZH } from '../../src/dashboard/words/zh.ts'
import { ZH_PHRASES } from '../../src/dashboard/words/zh/messages.ts'
import { readTree } from '../architecture/tree.ts'
import { hasEnglish, withoutChinese } from '../support/chinese.ts'
import { isProse, sentencesIn } from './own-sentences.ts'
import { saidShare } from './said-share.ts'

/** Where sentences are made that come to a page, now or once stored. */
const SPEAKS =
  /^src\/(core|submit|alerts)\/|^src\/collect\/alerts\.ts$|^src\/apps\/worker\/give-up-run\.ts$/

/** What is in there, and comes to no page of its own. */
const SILENT: Record<string, string> = {
  'src/core/ledger/': 'thrown, and only logged',
  'src/core/redact.ts': 'the name of a class',
  'src/alerts/test-alert.ts': 'goes to the receiver of alerts',
  'src/alerts/webhook-body.ts': 'goes to the receiver of alerts',
  'src/alerts/webhook-target.ts': 'logged at the start',
  'src/submit/http/': 'answers of the API',
  'src/submit/doctor/codes.ts': 'documents the codes',
  'src/submit/failure-reason.ts': 'a part of the dictionaries, by its codes',
  'src/submit/reseal.ts': 'an answer of the API',
  'src/submit/submit-urls.ts': 'an answer of the API, not kept as a run',
  'src/submit/sitemap/fetch-file.ts': 'a header',
}

const KNOWN = ZH_PHRASES.map(([english]) => english.replaceAll(/\{\+?\w+\}/g, '\0')).join('\0\0')

function unknownIn(source: string): readonly string[] {
  const parts = sentencesIn(source).flatMap((sentence) => sentence.filter(isProse))
  return parts.filter((part) => !KNOWN.includes(part.trim()))
}

describe('messages in Chinese', () => {
  it('know every sentence that a page may show: whoever writes a new one translates it', () => {
    const silent = Object.keys(SILENT)
    const speaking = [...readTree('src')].filter(
      ([file]) => SPEAKS.test(file) && !silent.some((place) => file.startsWith(place)),
    )

    const unknown = speaking.flatMap(([file, source]) =>
      unknownIn(source).map((part) => `${file}: ${part}`),
    )

    expect(unknown).toEqual([])
    expect(speaking.length).toBeGreaterThan(50)
  })

  it('the search finds a sentence wherever it stands, and leaves logs and bugs alone', () => {
    const source = [
      "const a = { advice: 'The moon is new.' }",
      'progress.error(`${where} fell from ${count > 1 ? "the sky at once" : "nowhere at all"}`)',
      "deps.log.warn('x', 'only a developer reads this')",
      "throw new TypeError('and this too')",
    ].join('\n')

    expect(unknownIn(source)).toEqual([
      'The moon is new.',
      ' fell from ',
      'the sky at once',
      'nowhere at all',
    ])
  })

  it('are all still said: whoever rewords a sentence takes its old phrase away', () => {
    const parts = [...readTree('src')]
      .filter(([file]) => !file.startsWith('src/dashboard/words/'))
      .flatMap(([, source]) => sentencesIn(source).flat())
    const isOld = (english: string) => saidShare(english, parts) < 0.4

    const phrases = ZH_PHRASES.map(([english]) => english).filter(isProse)

    expect(phrases.filter(isOld)).toEqual([])
    expect(phrases.length).toBeGreaterThan(300)
    expect(
      [
        'The moon over {host} is new. Look for it with a lamp.',
        '{engine} said {n}: the key was thrown away. Buy another key.',
      ].filter(isOld),
    ).toHaveLength(2)
  })

  it('are whole: no phrase twice, none without Chinese, nothing lost on the way', () => {
    const places = (text: string) =>
      [...text.matchAll(/\{\+?\w+\}/g)].map(([place]) => place).toSorted()

    const lossy = ZH_PHRASES.filter(
      ([english, chinese]) => places(english).join() !== places(chinese).join(),
    )

    const english = ZH_PHRASES.map(([text]) => text)
    expect(english.filter((text, i) => english.indexOf(text) !== i)).toEqual([])
    expect(ZH_PHRASES.filter(([, chinese]) => hasEnglish(chinese))).toEqual([])
    expect(lossy).toEqual([])
  })

  it("come to an end with words of others' that read like ours over and over", () => {
    const like = ['Did you mean me? ', 'It answers 7. ', 'a: ', '"a" (', 'Bing answered 4 "a": ']

    const said = like.map((text) => ZH.message(`${text.repeat(3_900 / text.length)}!`))

    expect(said).toEqual(like.map(() => undefined))
  })

  it('tell what every route does', () => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document
    const operations = Object.values(paths).flatMap((path) => Object.values(path))

    const told = operations.flatMap(({ summary, tags, parameters = [] }) => [
      summary,
      ...tags,
      ...parameters.flatMap(({ schema }) => schema.description ?? []),
    ])

    expect(told.length).toBeGreaterThan(80)
    expect(withoutChinese(told)).toEqual([])
  })
})

interface Document {
  readonly paths: Record<string, Record<string, Described>>
}

interface Described {
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { readonly schema: { readonly description?: string } }[]
}
