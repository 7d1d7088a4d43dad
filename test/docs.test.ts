import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Setting, type SettingName, SETTINGS } from '../src/apps/settings.ts'
import { CODES } from '../src/submit/doctor/codes.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const codeBlocks = (text: string) => text.match(/^```[\s\S]*?^```/gm) ?? []
/** What is typed and answered is the same in both; only comments and drawings speak a language. */
const commands = (text: string) =>
  codeBlocks(text).map((block) =>
    block.includes('──▶') ? 'a drawing' : block.replaceAll(/ +# .*$/gm, ''),
  )
const headingLevels = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^(#+) /gm)].map(([, level]) => level)
const links = (text: string) =>
  [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target)

/** Documents that exist in both languages. */
const PAIRS = [
  ['README.md', 'README.zh-CN.md'],
  ['docs/n8n.md', 'docs/n8n.zh-CN.md'],
] as const

/** What leads to the same document in the reader's language. */
const translated = new Map<string, string>(PAIRS.map(([english, chinese]) => [chinese, english]))

describe.each(PAIRS)('%s and %s', (english, chinese) => {
  it('have the same commands', () =>
    expect(commands(read(chinese))).toEqual(commands(read(english))))

  it('have comments in their own language', () => {
    const comments = codeBlocks(read(chinese)).flatMap((block) => block.match(/ # .*$/gm) ?? [])
    expect(comments.filter((comment) => !/\p{Script=Han}/u.test(comment))).toEqual([])
  })

  it('have the same chapters', () =>
    expect(headingLevels(read(chinese))).toEqual(headingLevels(read(english))))

  it('lead to the same places', () => {
    const own = new Set([basename(english), basename(chinese)])
    const elsewhere = (file: string) =>
      links(read(file))
        .filter((target) => !own.has(target))
        .map((target) => translated.get(target) ?? target)
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
  'docs/cli.md',
  'docs/operations.md',
  'docs/docker.md',
  'docs/cloudflare.md',
  'docs/github-action.md',
  'SECURITY.md',
  'docs/doctor.md',
  'docs/dashboard.md',
  'docs/n8n.md',
  'docs/n8n.zh-CN.md',
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

const OPERATIONS = 'docs/operations.md'
const SETTINGS_TABLE =
  /(?<=<!-- From src\/apps\/settings\.ts.*-->\n)[^]*(?=<!-- end of the settings -->)/

it('tells of every variable of the server (UPDATE_DOCS=1 writes it)', () => {
  const operations = read(OPERATIONS)
  const table = settingsTable()

  if (process.env['UPDATE_DOCS']) {
    writeFileSync(
      OPERATIONS,
      operations.replace(SETTINGS_TABLE, () => table),
    )
  }
  expect(SETTINGS_TABLE.exec(read(OPERATIONS))?.[0]).toBe(table)
  for (const name of Object.keys(SETTINGS)) expect(table).toContain(`| \`${name}\` |`)
})

function settingsTable(): string {
  const settings = Object.entries(SETTINGS) as [SettingName, Setting & { subject: string }][]
  const subjects = Map.groupBy(settings, ([, { subject }]) => subject)
  const rows = [...subjects].flatMap(([subject, those]) => [
    `| **${subject}** | | |`,
    ...those.map(([name, setting]) => settingRow(name, setting)),
  ])
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n')
}

function settingRow(name: SettingName, { default: usual, whenAbsent, meaning }: Setting): string {
  const absent = typeof usual === 'string' ? `\`${usual}\`` : `– (${whenAbsent})`
  return `| \`${name}\` | ${absent} | ${meaning} |`
}

const DOCTOR = 'docs/doctor.md'
const CODES_TABLE =
  /(?<=<!-- From src\/submit\/doctor\/codes\.ts.*-->\n)[^]*(?=<!-- end of the codes -->)/

it('tells of every code of the doctor (UPDATE_DOCS=1 writes it)', () => {
  const rows = Object.entries(CODES).map(
    ([code, { level, meaning }]) => `| \`${code}\` | ${level} | ${meaning} |`,
  )
  const table = ['| code | level | meaning |', '|---|---|---|', ...rows, ''].join('\n')

  if (process.env['UPDATE_DOCS']) {
    writeFileSync(
      DOCTOR,
      read(DOCTOR).replace(CODES_TABLE, () => table),
    )
  }
  expect(CODES_TABLE.exec(read(DOCTOR))?.[0]).toBe(table)
})
