import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { KEY } from '../support/world.ts'
import { openCliWorld, sluice } from './support.ts'

describe('a key on the command line', () => {
  it('X07 — is in no command that the documents show: npm would print it, and so would ps', () => {
    const documents = ['README.md', 'README.zh-CN.md', ...globSync('docs/**/*.md')]

    const lines = documents.flatMap((file) => readFileSync(file, 'utf8').split('\n'))

    expect(lines.filter((line) => line.includes('--key "$'))).toEqual([])
    expect(lines.filter((line) => line.includes('npm run sluice'))).toEqual([])
  })

  scenario('X07', 'is not in what `key new` says to do next', async () => {
    const made = await sluice(['key', 'new', '--json'])

    const { key, next } = JSON.parse(made.stdout) as { key: string; next: string }
    expect(next).toContain(`INDEXNOW_API_KEY=${key} sluice submit`)
    expect(next).not.toContain('--key')
  })

  scenario('X07', 'can be left out of `key check` as well', async () => {
    const { site } = await openCliWorld(1)

    const words = ['key', 'check', '--host', site.origin]
    const { code, stdout } = await sluice(words, { env: { INDEXNOW_API_KEY: KEY } })

    expect(code).toBe(0)
    expect(stdout).toContain('[key-file-insecure]')
  })

  scenario('X07', 'is not repeated where it was typed in a wrong place', async () => {
    const { site, folder } = await openCliWorld(1)
    const data = ['--data', folder]

    const check = await sluice(['key', 'check', KEY, ...data, '--json'])
    const argument = await sluice(['submit', site.origin, KEY, ...data, '--json'])
    const option = await sluice(['submit', site.origin, `--keey=${KEY}`, ...data, '--json'])
    const command = await sluice([KEY, '--json'])

    for (const { code, stdout, stderr } of [check, argument, option, command]) {
      expect(code).toBe(2)
      expect(stdout + stderr).not.toContain(KEY.slice(0, 5))
    }
    expect(check.stderr).toMatch(/no site "a1b2…"[^]*--host/)
    expect(argument.stderr).toContain('Expected 1 argument but got 2.')
    expect(option.stderr).toContain("Unknown option '--keey'")
  })
})
