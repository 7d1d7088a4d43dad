import { describe, expect, it } from 'vitest'
import { scenario } from '../../support/scenario.ts'
import {
  beginIndexNow,
  CANARY,
  HOST,
  KEY_LOCATION,
  ONE_BY_ONE,
  outcomes,
  pages,
} from './support.ts'

describe('a request to an IndexNow engine', () => {
  scenario('S20', 'one URL is a GET with url, key, keyLocation, each encoded', async () => {
    const { engine, submit } = await beginIndexNow()

    await submit({ urls: [`https://${HOST}/page?id=1&q=a b#ü/()*!~`] })

    expect(engine.requests).toMatchObject([
      {
        method: 'GET',
        target:
          '/indexnow?url=https%3A%2F%2Fexample.com%2Fpage%3Fid%3D1%26q%3Da%20b%23%C3%BC%2F()*!~' +
          `&key=${CANARY}&keyLocation=https%3A%2F%2Fexample.com%2F${CANARY}.txt`,
        headers: { 'user-agent': 'Sluice/test' },
        body: '',
      },
    ])
  })

  scenario('S20', 'a key file in a folder is named as the site says', async () => {
    const { engine, submit } = await beginIndexNow()
    const keyLocation = `https://${HOST}/blog/my key.txt`

    await submit({ urls: [`https://${HOST}/blog/1`], keyLocation })

    expect(engine.requests[0]?.target).toContain(
      '&keyLocation=https%3A%2F%2Fexample.com%2Fblog%2Fmy%20key.txt',
    )
  })

  it('survives a URL that cannot be encoded', async () => {
    const { engine, submit } = await beginIndexNow()

    await submit({ urls: [`https://${HOST}/\uD83D`, `https://${HOST}/2`], mode: 'get' })
    await submit({ urls: [`https://${HOST}/\uD83D`], mode: 'post' })

    expect([...engine.received.keys()]).toHaveLength(3)
  })

  scenario('S22', 'auto sends 100 URLs one by one', async () => {
    const { engine, submit } = await beginIndexNow()

    const { report } = await submit({ urls: pages(100), rules: ONE_BY_ONE })

    expect(engine.requests.map(({ method }) => method)).toEqual(Array(100).fill('GET'))
    expect([...engine.received.keys()]).toEqual(pages(100))
    expect(report).toMatchObject({ successful: 100, requests: 100, stopped: undefined })
  })

  scenario('S22', 'auto sends 101 URLs in one POST', async () => {
    const { engine, submit } = await beginIndexNow()

    const { settled } = await submit({ urls: pages(101) })

    expect(engine.requests).toMatchObject([
      {
        method: 'POST',
        target: '/indexnow',
        headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Sluice/test' },
        body: JSON.stringify({
          host: HOST,
          key: CANARY,
          keyLocation: KEY_LOCATION,
          urlList: pages(101),
        }),
      },
    ])
    expect(outcomes(settled)).toEqual(['accepted 101 (200)'])
  })

  scenario(
    'S22',
    'get sends any number one by one, post even a single one as a batch',
    async () => {
      const { engine, submit } = await beginIndexNow()

      await submit({ urls: pages(101), mode: 'get' })
      await submit({ urls: pages(1), mode: 'post' })

      const methods = engine.requests.map(({ method }) => method)
      expect(methods).toEqual([...Array(101).fill('GET'), 'POST'])
    },
  )

  scenario('S22', '10,000 URLs are one POST, 10,001 are two', async () => {
    const { engine, submit } = await beginIndexNow()

    await submit({ urls: pages(10_000) })
    const { settled } = await submit({ urls: pages(10_001) })

    const sizes = engine.requests.map(({ body }) => JSON.parse(body).urlList.length)
    expect(sizes).toEqual([10_000, 10_000, 1])
    expect(settled.flatMap(({ urls }) => urls)).toEqual(pages(10_001))
  })

  scenario('S25', '1,001 URLs by GET are batches of 100 with a line each', async () => {
    const { engine, submit, batches } = await beginIndexNow()

    const { report } = await submit({ urls: pages(1_001), mode: 'get' })

    expect(report).toMatchObject({ successful: 1_001, requests: 1_001 })
    expect(batches().map(({ msg, count, status }) => [msg, count, status])).toEqual([
      ...Array.from({ length: 10 }, (_, n) => [`batch ${n + 1}/11: 100 URLs`, 100, 200]),
      ['batch 11/11: 1 URLs', 1, 200],
    ])
    expect(batches()[10]).toMatchObject({
      level: 'info',
      batch: 11,
      of: 11,
      engine: engine.endpoint,
      ms: 100,
    })
  })

  it('asks nobody when nothing is due', async () => {
    const { engine, submit, lines } = await beginIndexNow()

    const { report } = await submit({ urls: [] })

    expect(engine.requests).toEqual([])
    expect(lines).toEqual([])
    expect(report).toMatchObject({ total: 0, requests: 0, averageMs: 0, stopped: undefined })
  })
})
