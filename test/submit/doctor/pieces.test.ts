import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { doubtfulSettings, invalidSettings } from '../../../src/apps/configuration-problems.ts'
import { inspectStorage } from '../../../src/apps/node/inspect-storage.ts'
import { readConfig } from '../../../src/apps/read-config.ts'
import { seconds } from '../../../src/core/duration.ts'
import { systemRandom } from '../../../src/core/random.ts'
import { NEWEST_SCHEMA } from '../../../src/stores/sqlite/migrate.ts'
import { openNodeSql } from '../../../src/stores/sqlite/node-sql.ts'
import { openSqliteStores } from '../../../src/stores/sqlite/open.ts'
import { type DoctorDeps, within } from '../../../src/submit/doctor/care.ts'
import { checkClock } from '../../../src/submit/doctor/check-clock.ts'
import { checkConfiguration, checkStorage } from '../../../src/submit/doctor/check-surroundings.ts'
import { crawlersOf } from '../../../src/submit/doctor/crawlers.ts'
import { finding } from '../../../src/submit/doctor/finding.ts'
import type { SeenAnswer } from '../../../src/submit/doctor/witness.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { scenario } from '../../support/scenario.ts'
import { codes, openPractice } from './support.ts'

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const clock = () => new FakeClock()
const store = (folder: string) => openSqliteStores({ folder, clock: clock(), random: systemRandom })
const storageCodes = (folder: string) => codes(checkStorage(inspectStorage(folder)))

describe('the store, as the doctor sees it', () => {
  scenario('R09', 'is whole, also while somebody works with it', () => {
    const folder = temporaryFolder()
    const stores = store(folder)
    onTestFinished(() => stores.close())

    const [found] = checkStorage(inspectStorage(folder))

    expect(found).toMatchObject({ code: 'storage', subject: folder })
    expect(found?.details).toMatchObject({ schema: NEWEST_SCHEMA, damage: [] })
  })

  scenario('R09', 'is not there yet, and is not made by looking', () => {
    const folder = join(temporaryFolder(), 'data')

    expect(storageCodes(folder)).toEqual(['storage-absent'])
    expect(storageCodes(folder)).toEqual(['storage-absent'])
  })

  scenario('R09', 'cannot be written', () => {
    const file = join(temporaryFolder(), 'a-file')
    writeFileSync(file, '')

    const [found] = checkStorage(inspectStorage(join(file, 'data')))

    expect(found).toMatchObject({ code: 'storage-unwritable', level: 'error' })
    expect(found?.fix).toMatch(/SLUICE_DATA/)
  })

  scenario('R09', 'is no database, is damaged, or is of another version', () => {
    const [none, newer, older] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
    writeFileSync(
      join(none, 'sluice.db'),
      'this is not a database, whatever its name is. '.repeat(99),
    )
    for (const [folder, change] of [
      [newer, `insert into schema_migration values (${NEWEST_SCHEMA + 1}, 'x', 0)`],
      [older, `delete from schema_migration where number = ${NEWEST_SCHEMA}`],
    ] as const) {
      store(folder).close()
      const sql = openNodeSql(join(folder, 'sluice.db'))
      sql.run(change)
      sql.close()
    }

    expect(storageCodes(none)).toEqual(['storage-unreadable'])
    expect(storageCodes(newer)).toEqual(['storage-schema-newer'])
    expect(storageCodes(older)).toEqual(['storage-schema-older'])
    const damaged = { where: 'x', state: 'present', damage: ['row 7 missing from index'] } as const
    expect(codes(checkStorage(damaged))).toEqual(['storage-damaged'])
  })

  scenario('R09', 'has little room, or none', () => {
    const room = (freeBytes: number) =>
      codes(checkStorage({ where: 'x', state: 'present', freeBytes }))

    expect(room(2 ** 30)).toEqual(['storage'])
    expect(room(100 * 2 ** 20)).toEqual(['storage-low'])
    expect(room(2 ** 20)).toEqual(['storage-full'])
  })
})

describe('the settings, as the doctor sees them', () => {
  const read = (env: Record<string, string>) => {
    const config = readConfig(env, { version: '0', isTerminal: true })
    return checkConfiguration(
      config.ok ? doubtfulSettings(config.value.warnings) : invalidSettings(config.failure),
    )
  }

  scenario('R09', 'are as they should be', () => expect(codes(read({}))).toEqual(['configuration']))

  scenario('R09', 'hold a misspelt variable, and the right one is named', () => {
    expect(read({ INDEXNOW_API_KYE: 'x' })).toEqual([
      expect.objectContaining({
        code: 'configuration-doubtful',
        subject: 'INDEXNOW_API_KYE',
        fix: 'Did you mean INDEXNOW_API_KEY?',
      }),
    ])
  })

  scenario('R09', 'hold a value that cannot be used', () => {
    expect(read({ PORT: 'eighty' })).toEqual([
      expect.objectContaining({ code: 'configuration-invalid', fix: 'For example: PORT=8787' }),
    ])
  })
})

describe('a check', () => {
  const deps = (own: FakeClock, signal = new AbortController().signal) =>
    ({ clock: own, signal }) as unknown as DoctorDeps

  it('that takes too long is said to, and its time is over', async () => {
    const own = clock()
    let given: AbortSignal | undefined
    const check = within(
      {
        subject: 'the moon',
        limitMs: seconds(30),
        check: ({ signal }) => {
          given = signal
          return new Promise(() => {})
        },
      },
      deps(own),
    )
    await Promise.resolve()
    own.advance(seconds(30))

    expect(codes(await check)).toEqual(['check-unfinished'])
    expect(given?.aborted).toBe(true)
  })

  it('that throws is a finding, without what must not be printed', async () => {
    const own = clock()

    const [found] = await within(
      {
        subject: 'the moon',
        limitMs: 1,
        check: () => {
          throw new Error('at https://example.com/?key=querycanary')
        },
      },
      deps(own),
    )

    expect(found).toMatchObject({ code: 'check-failed' })
    expect(JSON.stringify(found)).not.toContain('querycanary')
    expect(own.waiting).toBe(0)
  })

  scenario('R09', 'is stopped with the doctor, and all are told of', async () => {
    const { examine } = await openPractice()

    const found = await examine({ signal: AbortSignal.abort() })

    expect(new Set(codes(found))).toEqual(new Set(['check-unfinished', 'clock-unknown']))
    expect(found.length).toBeGreaterThan(4)
  })
})

describe('the clock', () => {
  const now = Date.parse('2025-01-15T12:00:00Z')
  const told = (date: string | null, age: string | null = null) =>
    ({ at: now, date, age }) as SeenAnswer

  it('is right where one server agrees, whatever the others say', () => {
    const answers = [told('Wed, 15 Jan 2025 03:00:00 GMT'), told('Wed, 15 Jan 2025 12:00:01 GMT')]
    expect(checkClock(answers).code).toBe('clock')
  })

  it('is not compared with the time at which a cache was filled', () => {
    expect(checkClock([told('Wed, 15 Jan 2025 10:00:00 GMT', '7200')]).code).toBe('clock')
    expect(checkClock([told('Wed, 15 Jan 2025 10:00:00 GMT')]).code).toBe('clock-off')
  })

  it('is unknown where nobody tells', () => {
    expect(checkClock([told(null), told('soon')]).code).toBe('clock-unknown')
  })
})

it('a finding has the level of its code, and no query', () => {
  const told = finding('engine-failing', { subject: 'x', message: 'https://a.b/c?key=secret123' })
  expect(told.level).toBe('warning')
  expect(told.message).not.toContain('secret123')
})

it('robots.txt is read for the crawlers of the engines that are used', () => {
  const names = (...engines: string[]) => crawlersOf(engines).map(({ name }) => name)
  expect(names('https://api.indexnow.org/indexnow')).toEqual(['bingbot', 'YandexBot'])
  expect(names('https://search.seznam.cz/indexnow', 'https://www.bing.com/indexnow')).toEqual([
    'SeznamBot',
    'bingbot',
  ])
})
