import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { asked, openCliWorld, sluice, startSluice } from './support.ts'

function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder).map((name): [string, string] => {
    const hash = createHash('sha256').update(readFileSync(join(folder, name)))
    return [name, hash.digest('hex')]
  })
  return Object.fromEntries(files)
}

describe('a master key that was lost', () => {
  scenario('X08', 'is not replaced while secrets are sealed with it', async () => {
    const { submit, folder } = await openCliWorld(1)
    await sluice(submit())
    rmSync(join(folder, 'master-key'))

    const again = await sluice(submit())
    const server = await sluice(['serve', '--data', folder], { env: { PORT: '0' } })

    for (const { code, stderr } of [again, server]) {
      expect(code).toBe(2)
      expect(stderr).toContain('Restore it from a backup, or set COOKIE_MASTER_KEY')
    }
    expect(readdirSync(folder)).not.toContain('master-key')
  })
})

describe('a command that only looks', () => {
  scenario('X08', 'says that the folder cannot be read, not that there is nothing', async () => {
    const { site, folder, submit } = await openCliWorld(1)
    mkdirSync(folder)
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const data = ['--data', join(file, 'data')]

    const ended = [
      await sluice(['status', ...data]),
      await sluice(['sites', 'list', ...data]),
      await sluice(['url', site.url('/'), ...data]),
      await sluice([...submit('--dry-run'), ...data]),
    ]

    for (const { code, stderr } of ended) {
      expect(code).toBe(2)
      expect(stderr).toMatch(/✖ The data folder \S+ cannot be read \(ENOTDIR\)/)
      expect(stderr).not.toContain('ackup')
      expect(stderr).toContain('is a file and not a folder')
    }
  })

  scenario('X08', 'a file in the place of the folder is called one', async () => {
    const { site, folder } = await openCliWorld(1)
    writeFileSync(folder, '')
    const data = ['--data', folder]

    const ended = [
      await sluice(['status', ...data]),
      await sluice(['sites', 'add', site.url('/sitemap.xml'), '--key', 'a1b2c3d4e5f6', ...data]),
      await sluice(['serve', ...data], { env: { PORT: '0' } }),
    ]

    for (const { code, stderr } of ended) {
      expect(code).toBe(2)
      expect(stderr).toMatch(
        /\(ENOTDIR\)\. .*is a file and not a folder: name a folder with SLUICE_DATA or --data/,
      )
    }
  })

  scenario('X07', 'changes no byte of a folder whose owner was killed', async () => {
    const { engine, submit, folder } = await openCliWorld(30)
    const env = { REQUEST_INTERVAL_MS: '300' }
    const killed = startSluice(submit('--mode', 'get'), { env })
    await asked(engine, 3)
    killed.send('SIGKILL')
    await killed.ended
    const before = contentsOf(folder)

    const status = await sluice(['status', '--data', folder])
    const dry = await sluice(submit('--dry-run'))

    expect([status.code, dry.code]).toEqual([0, 0])
    expect(Object.keys(before)).toContain('sluice.db-wal')
    expect(contentsOf(folder)).toEqual(before)
  })

  scenario(
    'X07',
    'shows a run as interrupted whose owner was killed, not one at work',
    async () => {
      const { engine, submit, folder } = await openCliWorld(30)
      const env = { REQUEST_INTERVAL_MS: '300' }
      const command = startSluice(submit('--mode', 'get'), { env })
      await asked(engine, 3)

      const atWork = await sluice(['status', '--data', folder])
      command.send('SIGKILL')
      await command.ended
      const killed = await sluice(['status', '--data', folder])

      expect(atWork.stdout).toContain(': running')
      expect(killed.stdout).toMatch(/: idle\n {2}last run {2}interrupted/)
    },
  )

  scenario('S29', 'a terminal that is closed saves as an orderly end does', async () => {
    const { engine, submit } = await openCliWorld(30)
    const env = { REQUEST_INTERVAL_MS: '300' }
    const command = startSluice(submit('--mode', 'get', '--json'), { env })
    await asked(engine, 3)

    command.send('SIGHUP')
    const { code, stdout } = await command.ended

    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ run: { status: 'interrupted' } })
  })
})
