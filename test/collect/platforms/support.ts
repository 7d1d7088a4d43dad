import { inspect } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { httpClient } from '../../../src/core/http.ts'
import type { Result } from '../../../src/core/result.ts'
import { Secret } from '../../../src/core/secret.ts'
import { openPlatforms, type PlatformsOptions } from '../../../src/collect/platforms/open.ts'
import {
  type DetailAsk,
  type Platform,
  PLATFORM_NAMES,
  type PlatformName,
  type SearchAsk,
} from '../../../src/collect/platforms/platform.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { openSite, type SiteFile, type SiteStandIn } from '../../support/stand-ins/site.ts'

export const NOW = '2025-01-15T04:00:00Z'

export interface TestedPlatforms {
  readonly clock: FakeClock
  get(name: PlatformName): Platform
}

export function platforms(
  options: Partial<PlatformsOptions> = {},
  clock = new FakeClock(NOW),
): TestedPlatforms {
  const http = httpClient({ fetch, clock, userAgent: 'Sluice/1.0', allowPrivate: true })
  const opened = openPlatforms({
    on: PLATFORM_NAMES,
    http,
    clock,
    authorKey: new Secret('author-key-of-the-tests'),
    userAgent: 'Sluice/1.0',
    xhsBaseUrl: 'http://127.0.0.1:9',
    weiboBaseUrl: 'http://127.0.0.1:9',
    ...options,
  })
  return {
    clock,
    get(name) {
      const platform = opened.get(name)
      if (!platform) throw new Error(`${name} is off`)
      return platform
    },
  }
}

const around = () => ({
  signal: new AbortController().signal,
  headers: { 'x-request-id': 'r-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
})

export function detailAsk(ask: Pick<DetailAsk, 'noteId' | 'url'> & Partial<DetailAsk>): DetailAsk {
  return { ...around(), ...ask }
}

export function searchAsk(ask: Partial<SearchAsk>): SearchAsk {
  return { ...around(), page: 1, limit: 20, ...ask }
}

export async function siteWith(
  files: Readonly<Record<string, SiteFile>>,
  clock = new FakeClock(NOW),
): Promise<SiteStandIn> {
  const site = await openSite({ clock, files })
  onTestFinished(() => site.close())
  return site
}

export function valueOf<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(`failed: ${JSON.stringify(result.failure)}`)
  return result.value
}

export function failureOf<F>(result: Result<unknown, F>): F {
  if (result.ok) throw new Error(`did not fail: ${JSON.stringify(result.value)}`)
  return result.failure
}

export function expectNowhere(secret: string, seen: unknown) {
  expect(JSON.stringify(seen)).not.toContain(secret)
  expect(inspect(seen, { depth: 20, showHidden: true })).not.toContain(secret)
}
