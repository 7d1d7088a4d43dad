import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { openCliWorld, sluice } from './support.ts'

const PROGRAM = fileURLToPath(new URL('../../src/apps/cli/main.ts', import.meta.url))
const ESCAPE = '\u001B'
const BELL = '\u0007'

/** The program in a shell; what is on its stderr, and its own exit code. */
function inShell(pipe: string) {
  const { stderr, status } = spawnSync('sh', ['-c', pipe, process.execPath, PROGRAM], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  return { stderr, status }
}

describe('what others chose the words of', () => {
  scenario('X08', 'cannot steer the terminal', async () => {
    const { site, folder } = await openCliWorld(1)
    const bad = `/page${ESCAPE}[31m${BELL}\u007F`
    site.put({
      '/sitemap.xml': `<urlset><url><loc>${site.url(bad)}</loc></url><url><loc>${bad}</loc></url></urlset>`,
    })

    const listed = await sluice(['sitemap', site.url('/sitemap.xml')])
    const asked = await sluice(['url', `nowhere${ESCAPE}[31m`, '--data', folder, '--json'])

    const printed = listed.stdout + listed.stderr + asked.stdout + asked.stderr
    expect(printed).not.toMatch(/(?!\n)\p{Cc}/u)
    expect(listed.stderr).toContain(String.raw`/page\u001b[31m\u0007\u007f`)
    expect(JSON.parse(asked.stdout)).toMatchObject({ error: {} })
  })

  scenario('S04', 'is sent to the engine percent-encoded', async () => {
    const { site, engine, submit } = await openCliWorld(1)
    const raw = site.url(`/a${BELL}b\u007Fc`)
    site.put({ '/sitemap.xml': `<urlset><url><loc>${raw}</loc></url></urlset>` })

    await sluice(submit())

    expect([...engine.received.keys()]).toEqual([site.url('/a%07b%7Fc')])
  })
})

describe('an output that nobody reads', () => {
  it('X07 — ends without a word where the reader has gone', () => {
    for (const option of ['--help', '--version']) {
      const { stderr } = inShell(`"$0" "$1" ${option} | true`)

      expect(stderr).toBe('')
    }
  })

  it('X08 — is said in one line where it cannot be written', () => {
    const { stderr, status } = inShell('"$0" "$1" --help > /dev/full')

    expect(stderr).toBe('✖ The output cannot be written (ENOSPC).\n')
    expect(status).toBe(1)
  })
})
