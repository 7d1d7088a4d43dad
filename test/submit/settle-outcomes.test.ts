import { describe, expect, it } from 'vitest'
import { openLedger } from '../../src/core/ledger/ledger.ts'
import type { Settled } from '../../src/submit/channels/channel.ts'
import { hashesOf, settleOutcomes } from '../../src/submit/settle-outcomes.ts'
import { openSiteLedger } from '../../src/submit/site-ledger.ts'
import { begin } from '../contracts/backend.ts'
import { scenario } from '../support/scenario.ts'
import { sqliteBackend } from '../support/sqlite-backend.ts'

async function beginSettling() {
  const { clock, stores, another } = await begin(sqliteBackend)
  const ledger = openSiteLedger(stores.ledger, 'example.com', 1)
  await ledger.numberEngines(['first', 'second'])
  return {
    clock,
    settle: (settled: Settled, engine: number) =>
      settleOutcomes(settled, { engine, ledger, now: clock.now() }),
    /** What another server finds in the store. */
    found: async (url: string) => {
      const known = openLedger(await (await another()).ledger.load('example.com'))
      const [high = 0, low = 0] = hashesOf([url])
      return known.lookUp(high, low)?.engines
    },
  }
}

describe('what became of URLs at an engine', () => {
  scenario('S11', 'is kept per URL and engine: state, status and when', async () => {
    const { clock, settle, found } = await beginSettling()
    const nowSeconds = clock.now() / 1_000

    const hashes = await settle(
      {
        urls: ['https://example.com/a', 'https://example.com/b'],
        state: 'pending',
        statusCode: 202,
      },
      1,
    )
    await settle({ urls: ['https://example.com/b'], state: 'failed', statusCode: 0 }, 0)

    const unsent = { state: 'unsent', whenSeconds: undefined, statusCode: undefined }
    const pending = { state: 'pending', whenSeconds: nowSeconds, statusCode: 202 }
    expect(await found('https://example.com/a')).toEqual([
      { engine: 'first', ...unsent },
      { engine: 'second', ...pending },
    ])
    expect(await found('https://example.com/b')).toEqual([
      { engine: 'first', state: 'failed', whenSeconds: nowSeconds, statusCode: undefined },
      { engine: 'second', ...pending },
    ])
    expect(await found('https://example.com/c')).toBeUndefined()
    expect(hashes).toEqual(hashesOf(['https://example.com/a', 'https://example.com/b']))
  })

  scenario('S29', 'is durable when it returns', async () => {
    let isDurable = false
    const record = async () => {
      await new Promise((written) => setImmediate(written))
      isDurable = true
    }

    await settleOutcomes(
      { urls: ['https://example.com/a'], state: 'accepted', statusCode: 200 },
      { engine: 0, ledger: { record }, now: 0 },
    )

    expect(isDurable).toBe(true)
  })

  it('is found again however the URL is spelt', () => {
    expect(hashesOf(['HTTPS://Example.COM:443/a#top'])).toEqual(hashesOf(['https://example.com/a']))
    expect(hashesOf(['https://example.com/a'])).not.toEqual(hashesOf(['https://example.com/b']))
    expect(hashesOf(['not a URL'])).not.toEqual(hashesOf(['not another']))
    expect(hashesOf([])).toHaveLength(0)
  })
})
