import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')
const codeBlocks = (text: string) => text.match(/^```[\s\S]*?^```/gm) ?? []
const headingLevels = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^(#+) /gm)].map(([, level]) => level)
const links = (text: string) =>
  [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target)

/** Documents that exist in both languages. */
const PAIRS = [['README.md', 'README.zh-CN.md']] as const

describe.each(PAIRS)('%s and %s', (english, chinese) => {
  it('have the same commands', () =>
    expect(codeBlocks(read(chinese))).toEqual(codeBlocks(read(english))))

  it('have the same chapters', () =>
    expect(headingLevels(read(chinese))).toEqual(headingLevels(read(english))))

  it('lead to the same places', () => {
    const own = new Set<string>([english, chinese])
    const elsewhere = (file: string) => links(read(file)).filter((target) => !own.has(target))
    expect(elsewhere(chinese)).toEqual(elsewhere(english))
  })
})

it.each([
  'README.md',
  'README.zh-CN.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/architecture.md',
  'docs/glossary.md',
])('%s links to nothing that is not there', (file) => {
  const missing = links(read(file))
    .filter((target) => !/^https?:/.test(target))
    .filter((target) => !existsSync(join(dirname(file), target)))
  expect(missing).toEqual([])
})

it('shows the newcomer the two commands', () => {
  expect(read('README.md')).toContain('npm ci && npm start')
  expect(read('README.md')).toContain('npm ci && npm test')
})
