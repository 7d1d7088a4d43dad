import { describe, expect, it } from 'vitest'
import { hours, minutes } from '../../src/core/duration.ts'
import { packOutcomes } from '../../src/core/ledger/outcomes.ts'
import { utcDayOf } from '../../src/core/utc-day.ts'
import type { Overrun } from '../../src/stores/kv/quota-store.ts'
import { type KvStores, kvStores } from '../../src/stores/kv/stores.ts'
import { finishedRun } from '../contracts/run-store.ts'
import { countingRandom } from '../support/counting-random.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scenario } from '../support/scenario.ts'
import { openKvStandIn } from '../support/stand-ins/kv.ts'

const site = 'example.com'
const bytes = (...values: number[]) => Uint8Array.from(values)

/** Places far apart: each sees what the others wrote a minute later. */
function world() {
  const clock = new FakeClock()
  const kv = openKvStandIn(clock)
  const random = countingRandom()
  const overruns: Overrun[] = []
  const open = (namespace = kv.place()): KvStores =>
    kvStores({
      namespace,
      clock,
      random,
      tellOverrun: (overrun) => overruns.push(overrun),
    })
  return { clock, kv, overruns, open }
}

const account = { channel: 'bing', siteId: site, day: utcDayOf(Date.parse('2025-01-15')) }
const limit = 100

describe('the stores on KV', () => {
  scenario(
    'X02',
    "uses the founding documents' keys, and forgets a quota after 48 hours",
    async () => {
      const { kv, open } = world()
      const stores = open()
      await stores.ledger.numberEngines(site, ['engine', 'bing-webmaster'])
      const entries = [{ high: 1, low: 2, stateByte: 1 }]
      const record = (engine: number) => packOutcomes({ engine, whenSeconds: 1, entries })
      await stores.ledger.write(site, { fence: 1, shards: new Map([[1, bytes(1)]]) })
      await stores.ledger.record(site, record(0))
      await stores.ledger.record(site, record(1))
      await stores.quota.spend(account, { wanted: 85, limit })
      await stores.runs.finish(finishedRun({ siteId: site }))

      const keys = kv.keys()

      const begins = (prefix: string) => keys.filter((key) => key.startsWith(prefix)).length
      expect(begins('url_cache:example.com:pack:')).toBe(1)
      expect(begins('url_cache:example.com:outcome:')).toBe(1)
      expect(begins('url_cache:bing:example.com:outcome:')).toBe(1)
      expect(begins('sites:history:example.com')).toBe(1)
      const quota = 'bing:quota:example.com:2025-01-15'
      expect(JSON.parse(kv.text(quota) ?? '')).toMatchObject({
        used: 85,
        lastUpdate: '2025-01-15T00:00:01.000Z',
      })
      expect(kv.ttlMs(quota)).toBe(hours(48))
    },
  )

  scenario('B04', 'takes over what an earlier program has counted', async () => {
    const { kv, open } = world()
    const earlier = { used: 85, lastUpdate: '2025-01-15T10:30:00Z' }
    await kv.place().put('bing:quota:example.com:2025-01-15', JSON.stringify(earlier))

    const granted = await open().quota.spend(account, { wanted: 30, limit })

    expect(granted).toBe(15)
    expect(await open().quota.use(account)).toMatchObject({ used: 100 })
  })

  scenario('B04', 'two who spend at once go over the limit, and the record says so', async () => {
    const { clock, overruns, open } = world()
    await open().quota.spend(account, { wanted: 95, limit })
    clock.advance(minutes(2))
    const [one, two] = [open(), open()]
    await Promise.all([one.quota.use(account), two.quota.use(account)])
    await one.quota.spend(account, { wanted: 5, limit })
    await two.quota.spend(account, { wanted: 5, limit })

    clock.advance(minutes(2))
    await one.flush()
    clock.advance(minutes(2))
    await two.flush()

    expect(await open().quota.use(account)).toMatchObject({ used: 105 })
    expect(overruns).toContainEqual({ account, used: 105, limit: 100 })
  })

  it('waits a second for a key that was written just before', async () => {
    const { clock, kv, open } = world()
    const { ledger } = open()

    for (let fence = 1; fence <= 3; fence++) await ledger.write(site, { fence })

    expect(kv.refused).toBe(2)
    expect(clock.slept).toEqual([1_000, 1_000])
  })

  scenario('X02', 'of two who add a site within a second neither is lost', async () => {
    const { kv, open } = world()
    const place = kv.place()

    const added = await Promise.all([
      open(place).sites.create('shop', {}),
      open(place).sites.create('blog', {}),
    ])

    expect(added.map(({ ok }) => ok)).toEqual([true, true])
    expect(kv.refused).toBe(1)
    const ids = (await open(place).sites.list()).map(({ id }) => id)
    expect(ids).toEqual(['blog', 'shop'])
  })

  scenario('X02', 'of two who ask for a lease within a second one gets it', async () => {
    const { kv, open } = world()
    const place = kv.place()
    const ask = (holder: string) => ({ name: 'run:shop', holder, ttlMs: minutes(5) })

    const [one, two] = await Promise.all([
      open(place).leases.acquire(ask('one')),
      open(place).leases.acquire(ask('two')),
    ])

    expect(one).toMatchObject({ ok: true })
    expect(two).toMatchObject({ ok: false, failure: { kind: 'lease-taken', holder: 'one' } })
  })

  scenario('B04', 'of two who spend within a second the later gets what is left', async () => {
    const { kv, open } = world()
    const place = kv.place()
    const [one, two] = [open(place), open(place)]

    const granted = await Promise.all([
      one.quota.spend(account, { wanted: 60, limit }),
      two.quota.spend(account, { wanted: 60, limit }),
    ])

    expect(granted).toEqual([60, 40])
    expect(await two.quota.use(account)).toMatchObject({ used: 100 })
  })

  it('writes no part of a ledger twice for a head that is refused', async () => {
    const { kv, open } = world()
    const { ledger, used } = open()
    await ledger.write(site, { fence: 1 })
    const before = used().writes

    await ledger.write(site, { fence: 2, shards: new Map([[1, bytes(1)]]) })

    // The pack, the head that was refused, and the head.
    expect(used().writes - before).toBe(3)
    expect(kv.keys().filter((key) => key.includes(':pack:'))).toHaveLength(1)
  })

  it('never finds two changes of a ledger mixed, nor one that is half written', async () => {
    const { clock, kv, open } = world()
    const writer = open()
    const write = (fence: number) =>
      writer.ledger.write(site, {
        fence,
        shards: new Map([
          [1, bytes(fence)],
          [200, bytes(fence)],
        ]),
      })
    await write(1)
    const reader = open()
    const before = await reader.ledger.load(site)
    await write(2)
    await kv.place().put('url_cache:example.com:pack:0:000000000-000000000000', bytes(9))

    const stale = await reader.ledger.load(site)
    clock.advance(minutes(2))
    const fresh = await reader.ledger.load(site)

    expect(stale.shards).toEqual(before.shards)
    expect([...fresh.shards.values()]).toEqual([bytes(2), bytes(2)])
  })

  it('deletes what nobody needs any more, and what a killed slice left behind', async () => {
    const { clock, kv, open } = world()
    const parts = () => kv.keys().filter((key) => /:(pack|chunk|outcome):/.test(key))
    const change = async (fence: number) => {
      const { ledger } = open()
      const { outcomesThrough } = await ledger.load(site)
      await ledger.record(site, bytes(fence))
      await ledger.write(site, {
        fence,
        shards: new Map([[1, bytes(fence)]]),
        foldedThrough: outcomesThrough,
        dropLists: ['due'],
        appendChunks: [{ list: 'due', count: 1, urls: new Uint8Array(20_000) }],
      })
    }
    await kv.place().put('url_cache:example.com:pack:0:000000000-000000000000', bytes(9))

    for (let fence = 1; fence <= 4; fence++) {
      await change(fence)
      clock.advance(hours(2))
    }

    // The last change's own, what it replaced, and what was recorded since the one before.
    expect(parts().filter((key) => key.includes(':pack:'))).toHaveLength(2)
    expect(parts().filter((key) => key.includes(':chunk:'))).toHaveLength(2)
    expect(parts().filter((key) => key.includes(':outcome:'))).toHaveLength(2)
    expect((await open().ledger.load(site)).outcomes).toEqual([bytes(4)])
  })

  scenario('S10', 'a pack that is missing is not taken for an empty one', async () => {
    const { kv, open } = world()
    await open().ledger.write(site, { fence: 1, shards: new Map([[1, bytes(1)]]) })
    for (const key of kv.keys().filter((one) => one.includes(':pack:'))) kv.lose(key)

    await expect(open().ledger.load(site)).rejects.toThrow('in a minute it may')
  })

  it('keeps a site named bing apart from what Bing made of others', async () => {
    const { open } = world()
    const stores = open()
    const entries = [{ high: 1, low: 2, stateByte: 1 }]
    await stores.ledger.numberEngines('outcome', ['bing-webmaster'])
    await stores.ledger.record('outcome', packOutcomes({ engine: 0, whenSeconds: 1, entries }))
    await stores.sites.create('bing', {})
    await stores.ledger.record('bing', bytes(1))

    const loaded = await open().ledger.load('bing')
    await stores.sites.remove('bing')

    expect(loaded.outcomes).toEqual([bytes(1)])
    expect((await open().ledger.load('outcome')).outcomes).toHaveLength(1)
  })

  it('does not fold in what it has not seen', async () => {
    const { clock, open } = world()
    const run = open()
    const { outcomesThrough } = await run.ledger.load(site)
    await open().ledger.record(site, bytes(7))
    clock.advance(minutes(2))

    await run.ledger.write(site, { fence: 1, foldedThrough: outcomesThrough + 100 })

    clock.advance(minutes(2))
    expect((await open().ledger.load(site)).outcomes).toEqual([bytes(7)])
  })

  it('writes down how far a run is twice a minute, and at the end', async () => {
    const { clock, open } = world()
    const stores = open()
    const run = { ...finishedRun({}), status: 'running', finishedAt: undefined } as const
    await stores.runs.begin({ ...run, submitted: 0 })
    const before = stores.used().writes

    for (let submitted = 1; submitted <= 65; submitted++) {
      clock.advance(1_000)
      await stores.runs.progress({ ...run, submitted })
    }

    expect(stores.used().writes - before).toBe(2)
    expect(await stores.runs.get(run.id)).toMatchObject({ submitted: 65 })
    await stores.flush()
    clock.advance(minutes(2))
    expect(await open().runs.get(run.id)).toMatchObject({ submitted: 65 })
  })
})
