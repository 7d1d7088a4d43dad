import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, expect, it } from 'vitest'

const SCRIPT = resolve('test/spec-coverage.ts')
const SPEC = '# Spec\n\n- **S01** Reads.\n- **S02** Chooses. See S01.\n- **X01** Runs.\n'
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Runs the script in a folder with these files. */
function coverage(files: Record<string, string>, ...words: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-spec-'))
  folders.push(folder)
  for (const [name, text] of Object.entries({
    'docs/spec.md': SPEC,
    'test/a.test.ts': '',
    ...files,
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const ran = spawnSync(process.execPath, [SCRIPT, ...words], { cwd: folder, encoding: 'utf8' })
  return { code: ran.status, out: ran.stdout, err: ran.stderr }
}

/** A test with that title; put together here, lest this very file be taken to carry it. */
const titled = (title: string, how = 'scenario') => `${how}('${title}', () => {})\n`

it('counts the lines with a test and lists those without', () => {
  const { code, out } = coverage({ 'test/deep/er/a.test.ts': titled('S02') })

  expect(code).toBe(0)
  expect(out).toBe('1 of 3 lines have a test: S02\n  no test  S01  Reads.\n  no test  X01  Runs.\n')
})

it.each([
  ['a scenario', titled('S01')],
  ['a scenario over two lines', titled('S01').replace('(', '(\n  ')],
  ['a title that starts with it', titled('S01 — reads', 'it')],
  ['a describe', titled('S01: reading', 'describe')],
  ['a table of tests', titled('S01 reads %s', 'it.each(CASES)')],
  ['a table with calls in it', titled('S01 reads %s', 'it.each([[f(1)], [g(2)]])')],
  ['several ids', titled('X01, S01 — both')],
  ['a shared suite', `export function suite() {\n  ${titled('S01')}}\n`],
])('finds the id in %s', (_, test) =>
  expect(coverage({ 'test/contracts/a.ts': test }).out).not.toContain('no test  S01'),
)

it('does not find an id in the middle of a title or in a comment', () => {
  const test = titled('unlike S01', 'it') + '// S01\n' + titled('S011', 'it')
  expect(coverage({ 'test/b.test.ts': test }).out).toContain('no test  S01')
})

it('fails on an id that the spec does not have', () => {
  const { code, out } = coverage({ 'test/b.test.ts': titled('S01') + titled('S20') })

  expect(code).toBe(1)
  expect(out).toContain(`not in docs/spec.md  S20  in ${join('test', 'b.test.ts')}`)
})

it('fails on a line without a test only when strict', () => {
  const all = titled('S01') + titled('S02') + titled('X01')
  expect(coverage({ 'test/b.test.ts': titled('S01') }).code).toBe(0)
  expect(coverage({ 'test/b.test.ts': titled('S01') }, '--strict').code).toBe(1)
  expect(coverage({ 'test/b.test.ts': all }, '--strict')).toMatchObject({ code: 0, err: '' })
})

it('fails when it sees no spec at all', () => {
  expect(coverage({ 'docs/spec.md': '# Spec\n' }).code).toBe(1)
})

it('passes here', () => {
  const ran = spawnSync(process.execPath, [SCRIPT], { encoding: 'utf8' })
  expect([ran.stderr, ran.status]).toEqual(['', 0])
  expect(ran.stdout).toMatch(/^\d+ of 6\d lines have a test/)
})
