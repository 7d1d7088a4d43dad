import type { Clock } from '../../core/clock.ts'
import { httpClient, type HttpClient } from '../../core/http.ts'
import type { Config } from '../settings.ts'
import { guardedFetch } from './guarded-fetch.ts'

/** The client for every request that leaves this machine, as the settings have it. */
export function openHttp(
  { userAgent, sluiceAllowPrivate: allowPrivate }: Config,
  clock: Clock,
): HttpClient {
  return httpClient({ fetch: guardedFetch({ allowPrivate }), clock, userAgent, allowPrivate })
}
