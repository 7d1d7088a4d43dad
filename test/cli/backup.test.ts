import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect } from 'vitest'
import { NEWEST_SCHEMA } from '../../src/stores/sqlite/migrate.ts'
import { bearer, startServer, temporaryFolder } from '../server/support.ts'
import { scenario } from '../support/scenario.ts'
import { KEY } from '../support/world.ts'
import { sluice } from './support.ts'

const documentIn = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout) as Readonly<Record<string, unknown>>

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

const COLLECTING = { COLLECT_PLATFORMS: 'page,xhs' }

/** With a site and a cookie. */
let filled = ''

beforeAll(async () => {
  filled = join(temporaryFolder(), 'filled')
  const here = ['--data', filled]
  const site = ['sites', 'add', 'https://example.com/sitemap.xml', '--key', KEY, 'id=shop']
  await sluice([...site, ...here])
  const cookie = ['cookies', 'add', 'mine', '--platform', 'xhs', ...here]
  await sluice(cookie, { env: COLLECTING, stdin: 'a1=x; web_session=0a1b2c3d4e5f6071' })
})

/** A data folder of its own with all that, and a place for backups. */
function openFilledFolder() {
  const parent = temporaryFolder()
  const folder = join(parent, 'data')
  cpSync(filled, folder, { recursive: true })
  return { parent, folder, here: ['--data', folder], file: join(parent, 'backup.db') }
}

/** The days whose candidates were counted, and the cookies; undefined where there is no such table. */
function keptIn(folder: string) {
  const store = new DatabaseSync(join(folder, 'sluice.db'), { readOnly: true })
  const tables = store.prepare('select name from sqlite_schema').all()
  const column = (table: string, name: string) =>
    tables.some((row) => row['name'] === table)
      ? store
          .prepare(`select ${name} from ${table}`)
          .all()
          .map((row) => row[name])
      : undefined
  const kept = {
    days: column('candidate_census', 'day'),
    cookies: column('tbl_cookie', 'cookie_name'),
  }
  store.close()
  return kept
}

async function siteIdsIn(folder: string): Promise<readonly string[]> {
  const listed = documentIn(await sluice(['sites', 'list', '--json', '--data', folder]))
  return (listed['sites'] as readonly { id: string }[]).map(({ id }) => id)
}

describe('sluice backup', () => {
  scenario('C41', 'what a server holds is copied whole while it works', async () => {
    const { folder, here, file } = openFilledFolder()
    const server = await startServer({ SLUICE_DATA: folder })
    const items = (from: number) =>
      Array.from({ length: 100 }, (_, n) => ({
        platform: 'page',
        note_url: `https://example.com/${from + n}`,
      }))
    const write = (from: number) =>
      fetch(`${server.url}/v1/candidates`, {
        method: 'POST',
        headers: { ...bearer(server.keptToken()), 'content-type': 'application/json' },
        body: JSON.stringify({ items: items(from) }),
      })

    let isOver = false
    const writing = (async () => {
      let written = 0
      for (; !isOver; written += 100) expect((await write(written)).status).toBe(200)
      return written
    })()
    const made = await sluice(['backup', file, '--json', ...here])
    isOver = true
    const written = await writing
    await server.stop()

    expect(documentIn(made)).toMatchObject({ file, schema: NEWEST_SCHEMA, keys: [] })
    const copy = new DatabaseSync(file, { readOnly: true })
    const count = (sql: string) => Number(copy.prepare(sql).get()?.['n'])
    const candidates = count('select count(*) as n from tbl_candidate')
    expect(candidates).toBeGreaterThan(0)
    expect(candidates % 100).toBe(0)
    expect(candidates).toBeLessThanOrEqual(written)
    // Each candidate with its row in the outbox: no transaction is there by half.
    expect(count("select count(*) as n from outbox where table_name = 'tbl_candidate'")).toBe(
      candidates,
    )
    copy.close()
    expect(modeOf(file)).toBe('600')
  })

  scenario('C41', 'says that the keys are left out, and takes them along when asked', async () => {
    const { parent, folder, here, file } = openFilledFolder()
    const all = join(parent, 'all.db')
    const masterKey = readFileSync(join(folder, 'master-key'), 'utf8').trim()

    const plain = await sluice(['backup', file, ...here])
    const again = await sluice(['backup', file, ...here])
    const withKeys = await sluice(['backup', all, '--with-keys', ...here])

    expect(plain.code).toBe(0)
    expect(plain.stderr).toContain(`The keys are not in it: without ${folder}/master-key`)
    expect(readFileSync(file, 'latin1')).not.toContain(masterKey)
    expect(again.code).toBe(2)
    expect(again.stderr).toContain('a backup overwrites nothing')
    expect(withKeys.stderr).toContain('It holds master-key and author-key')
    expect(readFileSync(all, 'latin1')).toContain(masterKey)
    expect(`${withKeys.stdout}${withKeys.stderr}`).not.toContain(masterKey)
    expect(readdirSync(parent).toSorted()).toEqual(['all.db', 'backup.db', 'data'])
  })

  scenario('X08', 'without a store, or where nothing can be written, it says so', async () => {
    const { folder, here } = openFilledFolder()

    const nothing = await sluice(['backup', 'x.db', '--data', join(folder, 'empty')])
    const nowhere = await sluice(['backup', join(folder, 'absent', 'x.db'), ...here])
    const forbidden = await sluice(['backup', '/proc/x.db', ...here])

    expect(nothing.code).toBe(2)
    expect(nothing.stderr).toContain('Name its folder with --data')
    expect(nowhere.code).toBe(2)
    expect(nowhere.stderr).toContain(`There is no folder ${join(folder, 'absent')}`)
    expect(forbidden.code).toBe(1)
    expect(forbidden.stderr).toContain('could not be written')
  })
})

describe('sluice restore', () => {
  scenario('C41', 'a backup with its keys makes a whole store elsewhere', async () => {
    const { parent, folder, here, file } = openFilledFolder()
    await sluice(['backup', file, '--with-keys', ...here])
    const other = join(parent, 'other')

    const restored = await sluice(['restore', file, '--json', '--data', other])
    const listed = await sluice(['cookies', 'list', '--json', '--data', other], { env: COLLECTING })
    const server = await startServer({ SLUICE_DATA: other, ...COLLECTING })
    const valid = await fetch(`${server.url}/v1/cookies/mine/validate`, {
      method: 'POST',
      headers: bearer(server.keptToken()),
    })
    await server.stop()

    expect(documentIn(restored)).toMatchObject({
      folder: other,
      schema: NEWEST_SCHEMA,
      keys: ['master-key', 'author-key'],
      kept: [],
    })
    expect(await siteIdsIn(other)).toEqual(['shop'])
    expect(documentIn(listed)).toMatchObject({ cookies: [{ cookie_name: 'mine' }] })
    expect(await valid.json()).toMatchObject({ data: { valid: true } })
    const masterKey = readFileSync(join(folder, 'master-key'), 'utf8').trim()
    expect(readFileSync(join(other, 'sluice.db'), 'latin1')).not.toContain(masterKey)
    expect(modeOf(join(other, 'master-key'))).toBe('600')
    expect(modeOf(join(other, 'sluice.db'))).toBe('600')
  })

  scenario(
    'C41',
    'a store that is there is replaced only when asked, and kept beside',
    async () => {
      const { folder, here, file } = openFilledFolder()
      await sluice(['backup', file, ...here])
      const later = ['sites', 'add', 'https://example.org/sitemap.xml', '--key', KEY, 'id=later']
      await sluice([...later, ...here])

      const refused = await sluice(['restore', file, ...here])
      const untouched = await siteIdsIn(folder)
      const replaced = documentIn(await sluice(['restore', file, '--replace', '--json', ...here]))

      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain('The folder has sluice.db already.')
      expect(refused.stderr).toContain('With --replace it is kept beside')
      expect(untouched).toEqual(['later', 'shop'])
      expect(await siteIdsIn(folder)).toEqual(['shop'])
      const [kept = ''] = replaced['kept'] as readonly string[]
      const old = new DatabaseSync(join(folder, kept), { readOnly: true })
      expect(old.prepare('select count(*) as n from site').get()).toEqual({ n: 2 })
      old.close()
    },
  )

  scenario('C41', 'while a server holds the folder nothing is restored', async () => {
    const { folder, here, file } = openFilledFolder()
    await sluice(['backup', file, ...here])
    const server = await startServer({ SLUICE_DATA: folder })

    const refused = await sluice(['restore', file, '--replace', '--json', ...here])
    await server.stop()

    expect(refused.code).toBe(3)
    expect(documentIn(refused)).toMatchObject({ error: { code: 'LOCKED' } })
    expect(refused.stderr).toContain(server.url)
    expect(readdirSync(folder).filter((name) => /before|restoring/.test(name))).toEqual([])
  })

  scenario(
    'C41',
    'what is no backup, damaged or newer is refused, and nothing changes',
    async () => {
      const { parent, folder, here, file } = openFilledFolder()
      await sluice(['backup', file, ...here])
      const before = readFileSync(join(folder, 'sluice.db'))
      const named = (name: string) => join(parent, name)
      writeFileSync(named('text.db'), 'not a database at all'.repeat(100))
      const bytes = readFileSync(file)
      writeFileSync(named('damaged.db'), bytes.fill(7, 4_200, bytes.length - 4_096))
      new DatabaseSync(named('other.db')).exec('create table x (y)')
      await sluice(['backup', named('newer.db'), ...here])
      new DatabaseSync(named('newer.db')).exec(
        `insert into schema_migration values (${NEWEST_SCHEMA + 1}, 'of tomorrow', 0)`,
      )

      const names = ['absent.db', 'text.db', 'damaged.db', 'other.db', 'newer.db', 'data']
      const refused = []
      for (const name of names) {
        refused.push(await sluice(['restore', named(name), '--replace', ...here]))
      }

      expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2])
      const [absent, text, damaged, other, newer, aFolder] = refused.map(({ stderr }) => stderr)
      expect(absent).toContain('there is no such file')
      expect(text).toContain('file is not a database')
      expect(damaged).toMatch(/damaged|malformed/)
      expect(other).toContain('it is a database of something else')
      expect(newer).toContain(
        `it has schema ${NEWEST_SCHEMA + 1}, this version knows schemas up to ${NEWEST_SCHEMA}`,
      )
      expect(aFolder).toContain('cannot be restored: it is a folder.')
      expect(newer).toContain(`--to-version ${NEWEST_SCHEMA}`)
      expect(readFileSync(join(folder, 'sluice.db'))).toEqual(before)
      expect(existsSync(join(folder, 'sluice.db.restoring'))).toBe(false)
    },
  )

  scenario('C41', 'the way back: to the schema of an older version, and up again', async () => {
    const { folder, here, file } = openFilledFolder()
    await sluice(['backup', file, ...here])

    const down = await sluice(['restore', file, '--replace', '--to-version', '1', ...here])
    const older = new DatabaseSync(join(folder, 'sluice.db'), { readOnly: true })
    const tables = older.prepare("select name from sqlite_schema where name like 'tbl_%'").all()
    const schema = older.prepare('select max(number) as n from schema_migration').get()
    older.close()
    const up = await sluice(['sites', 'list', '--json', ...here])
    const wrong = await sluice(['restore', file, '--replace', '--to-version', '99', ...here])
    const words = await sluice(['restore', file, '--replace', '--to-version', 'one', ...here])

    expect(down.code).toBe(0)
    expect(down.stdout).toBe(`${folder} holds a part of what ${file} held, schema 1.\n`)
    expect(down.stderr).toContain(
      'schema 1 has no place for them: cookies (1), rows of the outbox (',
    )
    expect(down.stderr).toContain(`They are still in ${file}: keep it.`)
    expect([tables, schema]).toEqual([[], { n: 1 }])
    expect(documentIn(up)).toMatchObject({ sites: [{ id: 'shop' }] })
    expect([wrong.code, words.code]).toEqual([2, 2])
    expect(wrong.stderr).toContain(
      `There is no schema 99: this version knows 1 to ${NEWEST_SCHEMA}.`,
    )
  })

  scenario('C41', 'a store of an older schema stays so until something is changed', async () => {
    const { folder, here, file } = openFilledFolder()
    await sluice(['backup', file, ...here])
    await sluice(['restore', file, '--replace', '--to-version', '1', ...here])
    const schemaOf = () => {
      const store = new DatabaseSync(join(folder, 'sluice.db'), { readOnly: true })
      const schema = store.prepare('select max(number) as n from schema_migration').get()?.['n']
      store.close()
      return schema
    }

    const refused = [
      await sluice(['sites', 'add', 'ftp://x', '--key', KEY, ...here]),
      await sluice(['sites', 'set', 'shop', 'submitMode=put', ...here]),
      await sluice(['sites', 'set', 'nobody', 'submitMode=post', ...here]),
      await sluice(['submit', 'https://example.com', '--engine', 'bong', ...here]),
    ]
    const examined = await sluice(['doctor', '--json', ...here])
    const before = schemaOf()
    const changed = await sluice(['sites', 'set', 'shop', 'submitMode=post', ...here])

    expect(refused.map(({ code }) => code)).toEqual([2, 2, 2, 2])
    expect(examined.stderr).not.toContain('No site is stored here')
    expect(examined.stdout).toContain('"site": "shop"')
    expect(before).toBe(1)
    expect([changed.code, schemaOf()]).toEqual([0, NEWEST_SCHEMA])
  })

  scenario(
    'X08',
    'the doctor does not say that there is no site where it cannot look',
    async () => {
      const { folder, here } = openFilledFolder()
      const store = new DatabaseSync(join(folder, 'sluice.db'))
      store.exec(`insert into schema_migration values (${NEWEST_SCHEMA + 1}, 'of tomorrow', 0)`)
      store.close()

      const examined = await sluice(['doctor', ...here])

      expect(examined.stderr).toContain('The sites stored here were not looked at')
      expect(examined.stderr).not.toContain('No site is stored here')
    },
  )

  scenario(
    'C41',
    'the history of candidates is in a backup, and ends on the way back',
    async () => {
      const { parent, folder, here, file } = openFilledFolder()
      const server = await startServer({ SLUICE_DATA: folder, LOG_LEVEL: 'debug' })
      await server.line('census.taken')
      await server.stop()
      const { days = [] } = keptIn(folder)
      await sluice(['backup', file, ...here])
      const [whole, older] = [join(parent, 'whole'), join(parent, 'older')]

      await sluice(['restore', file, '--data', whole])
      await sluice(['restore', file, '--to-version', '3', '--data', older])
      const before = keptIn(older)
      await sluice(['sites', 'add', 'https://example.org/', '--key', KEY, '--data', older])

      expect(days).toHaveLength(1)
      expect(keptIn(whole)).toEqual({ days, cookies: ['mine'] })
      expect(before).toEqual({ days: undefined, cookies: ['mine'] })
      expect(keptIn(older)).toEqual({ days: [], cookies: ['mine'] })
    },
  )

  scenario(
    'C41',
    'without the key the operator is told before the secrets stay closed',
    async () => {
      const { parent, here, file } = openFilledFolder()
      await sluice(['backup', file, ...here])

      const restored = await sluice(['restore', file, '--data', join(parent, 'other')])

      expect(restored.code).toBe(0)
      expect(restored.stderr).toContain('There is no master-key in the folder: put it back')
    },
  )

  scenario('C41', 'keys of a backup replace others only when asked', async () => {
    const { folder, here, file } = openFilledFolder()
    await sluice(['backup', file, '--with-keys', ...here])
    const key = join(folder, 'master-key')
    const own = readFileSync(key, 'utf8')
    chmodSync(key, 0o600)
    writeFileSync(key, 'another-master-key-0123456789\n')

    const refused = await sluice(['restore', file, ...here])
    const replaced = documentIn(await sluice(['restore', file, '--replace', '--json', ...here]))

    expect(refused.stderr).toContain('The folder has sluice.db and master-key already.')
    expect(readFileSync(key, 'utf8')).toBe(own)
    const [, aside = ''] = replaced['kept'] as readonly string[]
    expect(readFileSync(join(folder, aside), 'utf8')).toBe('another-master-key-0123456789\n')
  })
})
