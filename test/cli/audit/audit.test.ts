import { appendFileSync, chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditReport } from '../../../src/apps/cli/commands/audit/audit-report.ts'
import { FLOWS, type Flow } from '../../../src/apps/cli/commands/audit/flows.ts'
import { plantAndSearch } from '../../../src/apps/cli/commands/audit/plant-and-search.ts'
import { openSearch } from '../../../src/apps/cli/commands/audit/secret-forms.ts'
import { type Random, systemRandom } from '../../../src/core/random.ts'
import { temporaryFolder } from '../../server/support.ts'
import { scenario } from '../../support/scenario.ts'
import { sluice } from '../support.ts'

const LEAKY = {
  server: [fileURLToPath(new URL('leaky-server.ts', import.meta.url))],
  command: [fileURLToPath(new URL('../../../src/apps/cli/main.ts', import.meta.url))],
}
const LONG = 120_000

const documentIn = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as AuditReport

/** Plays `flows` on the server that leaks; also gives every value that was made up, canaries among them. */
async function auditLeaky(flows: readonly Flow[]) {
  const made: string[] = []
  const random: Random = {
    ...systemRandom,
    uuid() {
      const uuid = systemRandom.uuid()
      made.push(uuid.replaceAll('-', ''))
      return uuid
    },
  }
  const report = await plantAndSearch({ program: LEAKY, random, flows, proven: ['log', 'answers'] })
  return { report, made }
}

describe('sluice audit', () => {
  scenario(
    'C07',
    'every flow is played, every place is searched, and nothing got out',
    async () => {
      const audit = await sluice(['audit', '--json'])

      const { passed, flows, places, leaks, problems } = documentIn(audit)
      expect({ leaks, problems }).toEqual({ leaks: [], problems: [] })
      expect(flows).toEqual(FLOWS.map(({ name }) => ({ flow: name })))
      expect(places.map(({ place }) => place).toSorted()).toEqual(
        ['answers', 'backup', 'commands', 'files', 'log', 'requests', 'tables'].toSorted(),
      )
      expect([audit.code, passed]).toEqual([0, true])
    },
    LONG,
  )

  scenario(
    'C07',
    'a cookie that is logged on purpose is found, whichever way it is written',
    async () => {
      const leak: Flow = {
        name: 'leaks',
        async run({ ask, canaries }) {
          const [cookie, key] = [canaries['xhs cookie'], canaries['Bing key']]
          const half = canaries['webhook path'].slice(0, 16)
          await ask('POST', '/test/log', { text: cookie })
          await ask('POST', '/test/log', { text: Buffer.from(`x=${cookie};`).toString('base64') })
          await ask('POST', '/test/log', { text: Buffer.from(key).toString('hex') })
          await ask('POST', '/test/log', {
            text: Buffer.from(key).toString('hex').replace(/../g, '%$&'),
          })
          await ask('POST', '/test/echo', { text: half })
        },
      }

      const { report, made } = await auditLeaky([leak])

      const logged = { place: 'log', where: 'log of the server' }
      expect(report.passed).toBe(false)
      expect(report.leaks).toEqual(
        expect.arrayContaining([
          { secret: 'xhs cookie', form: 'in clear', ...logged },
          { secret: 'xhs cookie', form: 'base64', ...logged },
          { secret: 'Bing key', form: 'hex', ...logged },
          { secret: 'Bing key', form: 'URL-encoded', ...logged },
          {
            secret: 'webhook path',
            form: 'in clear',
            place: 'answers',
            where: 'POST /test/echo (200)',
          },
        ]),
      )
      expect(report.leaks).toHaveLength(5)
      for (const value of made) expect(JSON.stringify(report)).not.toContain(value)
    },
    LONG,
  )

  scenario(
    'C07',
    'what could not be played or searched is no proof',
    async () => {
      const broken: Flow = { name: 'breaks', run: () => Promise.reject(new Error('as it must')) }

      const { report } = await auditLeaky([broken])

      expect(report).toMatchObject({
        passed: false,
        leaks: [],
        flows: [{ flow: 'breaks', reason: 'as it must' }],
        problems: ['Nothing could be searched in log.', 'Nothing could be searched in answers.'],
      })
    },
    LONG,
  )
})

describe('sluice audit --data', () => {
  scenario(
    'C07',
    "an operator's own secrets are looked for in folder and log, and named where they are",
    async () => {
      const folder = join(temporaryFolder(), 'data')
      const log = join(temporaryFolder(), 'sluice.log')
      const session = '0a1b2c3d4e5f60718293a4b5c6d7'
      const env = { COLLECT_PLATFORMS: 'xhs' }
      const add = ['cookies', 'add', 'mine', '--platform', 'xhs', '--data', folder]
      await sluice(add, { env, stdin: `a1=x; web_session=${session}` })
      writeFileSync(log, 'nothing of it\n')
      const words = ['audit', '--data', folder, '--log', log]

      const clean = await sluice(words, { env })
      appendFileSync(log, `GET /?c=${Buffer.from(session).toString('base64')}\n`)
      chmodSync(join(folder, 'sluice.db'), 0o644)
      const loose = await sluice(words, { env })
      const machine = await sluice([...words, '--json'], { env })

      expect(clean.stdout).toMatch(/passed=true\n$/)
      expect(clean.code).toBe(0)
      expect(loose.code).toBe(1)
      expect(loose.stdout).toContain(`✖ cookie mine, base64, in ${log}`)
      expect(loose.stdout).toContain('sluice.db has mode 644: others may get at it. chmod 600 ')
      expect(loose.stdout).toMatch(/passed=false\n$/)
      expect(documentIn(machine)).toMatchObject({
        passed: false,
        leaks: [{ secret: 'cookie mine', form: 'base64', place: 'log', where: log }],
      })
      expect(`${loose.stdout}${loose.stderr}${machine.stdout}`).not.toContain(session)
    },
  )

  scenario(
    'C07',
    'what an installed program cannot be asked is said, not passed over',
    async () => {
      const folder = temporaryFolder()
      await sluice(['sites', 'list', '--data', folder])

      const told = await sluice(['audit', '--data', folder])
      const whole = await sluice(['audit', '--data', folder, '--json'])

      const { notChecked } = documentIn(whole)
      expect(notChecked).toEqual([expect.stringContaining('test/architecture.test.ts')])
      expect(told.stdout).toContain(`not checked: ${notChecked[0]}`)
      expect([told.code, whole.code]).toEqual([0, 0])
    },
  )

  scenario('X08', 'what is not there, and a log without a folder, end with 2', async () => {
    const missing = await sluice(['audit', '--data', '/nowhere/at/all'])
    const alone = await sluice(['audit', '--log', 'x.log'])
    const folder = temporaryFolder()
    const noLog = await sluice(['audit', '--data', folder, '--log', 'no.log'])
    const folderForLog = await sluice(['audit', '--data', folder, '--log', folder])
    const elsewhere = await sluice(['audit', '--data', temporaryFolder()], {
      env: { DATABASE_URL: 'postgres://sluice@127.0.0.1:9/none' },
    })

    expect([missing.code, alone.code, elsewhere.code]).toEqual([2, 2, 2])
    expect(elsewhere.stderr).toContain('DATABASE_URL says that the tables are in PostgreSQL')
    expect(missing.stderr).toContain('There is no /nowhere/at/all.')
    expect(alone.stderr).toContain('Name that folder too')
    expect([noLog.code, folderForLog.code]).toEqual([2, 2])
    expect(noLog.stderr).toContain('There is no log no.log.\n  Name with --log the file')
    expect(folderForLog.stderr).toContain(`The log ${folder} is a folder.`)
  })
})

it('C07 — a secret is found in every form, at every place of other bytes', () => {
  const secret = '6f1ed002ab5595859014ebf0951522d9'
  const search = openSearch([{ name: 'it', value: secret }])
  const bytes = fc.uint8Array({ maxLength: 7 })
  const forms = ['utf8', 'base64', 'base64url', 'hex'] as const

  fc.assert(
    fc.property(bytes, bytes, fc.constantFrom(...forms), (before, after, form) => {
      const inside = Buffer.concat([before, Buffer.from(secret), after])
      const carried = form === 'utf8' ? inside : Buffer.from(inside.toString(form))

      expect(search(carried)).toHaveLength(1)
    }),
  )
  expect(search(Buffer.from(secret.slice(0, 11)))).toEqual([])
})
