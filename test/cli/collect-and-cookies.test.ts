import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { startServer, temporaryFolder } from '../server/support.ts'
import { scenario } from '../support/scenario.ts'
import { openXhsStandIn } from '../support/stand-ins/xhs.ts'
import { sluice } from './support.ts'

const CANARY = '0a1b2c3d4e5f60718293a4b5c6d7'
const COOKIE = `a1=18c0ffee; web_session=${CANARY}`

const documentIn = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout) as Readonly<Record<string, unknown>>

/** A platform that knows the canary's session and two notes, and a folder to come. */
async function openCollectCli() {
  const notes = [0, 1].map((n) => ({ noteId: String(n).repeat(24), token: `AB${n}=`, title: 'x' }))
  const xhs = await openXhsStandIn({ clock: systemClock, sessions: [CANARY], notes })
  onTestFinished(() => xhs.close())
  const folder = join(temporaryFolder(), 'data')
  const env = {
    COLLECT_PLATFORMS: 'page,import,xhs',
    COLLECT_HOST_INTERVAL_MS: '0',
    XHS_BASE_URL: xhs.baseUrl,
  }
  const outputs: string[] = []
  const call = async (words: readonly string[], stdin?: string) => {
    const ended = await sluice([...words, '--data', folder], {
      env,
      ...(stdin !== undefined && { stdin }),
    })
    outputs.push(ended.stdout, ended.stderr)
    return ended
  }
  const links = notes.map(({ noteId }) => xhs.linkTo(noteId))
  return { folder, env, call, links, shown: () => outputs.join('\n') }
}

describe('sluice collect and sluice cookies', () => {
  scenario('C31', 'notes are added, collected with a cookie, and counted', async () => {
    const { call, links, shown } = await openCollectCli()

    await call(['cookies', 'add', 'mine', '--platform', 'xhs', '--limit', '9'], COOKIE)
    const added = await call(['collect', 'add', '--platform', 'xhs', ...links])
    const again = await call(['collect', 'add', '--platform', 'xhs', ...links, '--json'])
    const run = await call(['collect', 'run'])
    const status = await call(['collect', 'status', '--json'])
    const people = await call(['collect', 'status'])
    const cookies = await call(['cookies', 'list'])

    expect(added.stdout).toBe('2 added, 0 were known already.\n')
    expect(documentIn(again)).toMatchObject({ created: 0, skipped: 2 })
    expect([run.code, run.stdout]).toEqual([0, '2 collected, 0 failed.\n'])
    expect(documentIn(status)).toMatchObject({
      candidates: { pending: 0, collected: 2 },
      executions: [{ workflow_name: 'collect', status: 'completed', items_processed: 2 }],
    })
    expect(people.stdout).toContain('Candidates: 0 pending, 0 processing, 2 collected, 0 failed')
    expect(people.stdout).toContain(
      'Platforms: page (fetches), feed (off), import, xhs (fetches, with a cookie), weibo (off)',
    )
    expect(cookies.stdout).toMatch(/mine +xhs +active +0 +2 of 9 +0/)
    expect(shown()).not.toContain(CANARY)
  })

  scenario('C31', 'a run says why notes failed, and what is still waiting', async () => {
    const { call, links } = await openCollectCli()
    await call(['collect', 'add', '--platform', 'xhs', ...links])

    const without = await call(['collect', 'run'])
    await call(['cookies', 'add', 'mine', '--platform', 'xhs'], COOKIE)
    const gone = links.map((link) => link.replace(/[0-9a-f]{24}/, 'f'.repeat(24)))
    await call(['collect', 'add', '--platform', 'xhs', ...gone])
    const partly = await call(['collect', 'run'])
    const document = documentIn(await call(['collect', 'run', '--json']))

    expect([without.code, without.stdout]).toEqual([
      1,
      expect.stringMatching(/^0 collected, 0 failed\.\n2 still waiting: .*cookies list/),
    ])
    expect([partly.code, partly.stdout]).toEqual([
      1,
      expect.stringMatching(/^2 collected, 1 failed \(1 NOT_FOUND\)\.\n1 still waiting/),
    ])
    expect(document).toMatchObject({ status: 'completed', failures: { NOT_FOUND: 1 }, waiting: 1 })
  })

  scenario(
    'C11',
    'a run tells its own failures only, and tries the given up once more',
    async () => {
      const { call, links } = await openCollectCli()
      const gone = links.slice(0, 1).map((link) => link.replace(/[0-9a-f]{24}/, 'f'.repeat(24)))
      await call(['cookies', 'add', 'mine', '--platform', 'xhs'], COOKIE)
      await call(['collect', 'add', '--platform', 'xhs', ...gone])
      await call(['collect', 'run'])
      await call(['collect', 'run'])

      await call(['cookies', 'disable', 'mine'])
      const untried = await call(['collect', 'run'])
      await call(['cookies', 'reactivate', 'mine'])
      await call(['collect', 'run'])
      const givenUp = await call(['collect', 'run', '--given-up'])

      expect(untried.stdout).toMatch(/^0 collected, 0 failed\.\n1 still waiting/)
      expect([givenUp.code, givenUp.stdout]).toEqual([
        1,
        '0 collected, 1 failed (1 NOT_FOUND).\n1 still given up.\n',
      ])
    },
  )

  scenario('C07', 'a cookie comes from stdin alone, and is never printed', async () => {
    const { folder, call, shown } = await openCollectCli()
    const add = ['cookies', 'add', 'mine', '--platform', 'xhs']

    const nowhere = await call(['cookies', 'add', 'mine', '--platform', 'tiktok'], COOKIE)
    const none = await call(add)
    const broken = await call([...add, '--json'], `not-a-cookie-${CANARY}`)
    const kept = await call(add, `Cookie: ${COOKIE}\n`)
    const twice = await call(add, COOKIE)
    const elsewhere = await call(['cookies', 'add', 'b', '--platform', 'page'], COOKIE)
    const asWord = await sluice([...add, COOKIE, '--data', folder])

    expect(nowhere.stderr).toContain('Those that are asked with a cookie are xhs and weibo.')
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('sluice cookies add account_01 --platform xhs < cookie.txt')
    expect(broken.code).toBe(2)
    expect(documentIn(broken)).toMatchObject({ error: { code: 'INVALID_INPUT' } })
    expect(kept.stdout).toBe('mine is kept, and active.\n')
    expect([twice.code, elsewhere.code, asWord.code]).toEqual([2, 2, 2])
    expect(`${shown()}${asWord.stdout}${asWord.stderr}`).not.toContain(CANARY)
    expect(readFileSync(join(folder, 'sluice.db'), 'latin1')).not.toContain(CANARY)
  })

  scenario('C10', 'a cookie is disabled, reactivated and sealed anew', async () => {
    const { call, shown } = await openCollectCli()
    await call(['cookies', 'add', 'mine', '--platform', 'xhs'], COOKIE)

    const disabled = await call(['cookies', 'disable', 'mine'])
    const active = await call(['cookies', 'reactivate', 'mine', '--json'])
    const rotated = await call(['cookies', 'rotate-key'])
    const unknown = await call(['cookies', 'disable', 'nobody'])

    expect(disabled.stdout).toBe('mine is disabled.\n')
    expect(documentIn(active)).toMatchObject({ cookie_name: 'mine', status: 'active' })
    expect(rotated.stdout).toBe('0 sealed anew.\n')
    expect(unknown.code).toBe(2)
    expect(shown()).not.toContain(CANARY)
  })

  scenario('C20', 'lines are imported from a file and from stdin, bad ones told', async () => {
    const { folder, call } = await openCollectCli()
    const file = join(folder, '..', 'notes.jsonl')
    const line = (n: number) => JSON.stringify({ note_id: `n${n}`, text: 'a text' })
    const lines = Array.from({ length: 120 }, (_, n) => line(n))
    writeFileSync(file, [...lines, 'not json', ''].join('\n'))

    const imported = await call(['collect', 'import', file])
    const again = await call(['collect', 'import', '-', '--json'], `${line(0)}\n${line(500)}\n`)
    const one = await call(['collect', 'import', '-'], `${line(0)}\n${line(501)}\n`)
    const absent = await call(['collect', 'import', join(folder, 'absent.jsonl')])

    expect(imported.code).toBe(1)
    expect(imported.stdout).toBe('120 notes written, 0 to be fetched; 0 were known already.\n')
    expect(imported.stderr).toContain('line 121: this is not JSON')
    expect([again.code, documentIn(again)]).toMatchObject([
      0,
      { notes_created: 1, notes_skipped: 1, errors: [] },
    ])
    expect(one.stdout).toBe('1 note written, 0 to be fetched; 1 was known already.\n')
    expect(absent.code).toBe(2)
    expect(absent.stderr).toContain('cannot be read (ENOENT)')
  })

  scenario('C05', 'a server that holds the folder does it in their stead', async () => {
    const { folder, env, call, links, shown } = await openCollectCli()
    const server = await startServer({ SLUICE_DATA: folder, SLUICE_ALLOW_PRIVATE: '1', ...env })

    await call(['cookies', 'add', 'mine', '--platform', 'xhs'], COOKIE)
    await call(['collect', 'add', '--platform', 'xhs', ...links])
    const run = await call(['collect', 'run', '--json'])
    const recovered = await call(['collect', 'recover'])
    await server.stop()

    expect(documentIn(run)).toMatchObject({ status: 'completed', items_processed: 2 })
    expect(recovered.stdout).toBe(
      '0 executions timed out; 0 notes to be fetched again, 0 failed.\n',
    )
    expect(server.lines().some(({ event }) => event === 'collect.finished')).toBe(true)
    expect(`${shown()}${server.output()}`).not.toContain(CANARY)
  })
})
