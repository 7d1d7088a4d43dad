import type { Bing } from './open.ts'
import type { QuotaLeft } from './api.ts'
import { type BingFailure, describeBingFailure } from './replies.ts'

export interface BingCheck {
  readonly key: 'valid' | 'invalid' | 'unknown'
  readonly site: 'listed' | 'unverified' | 'missing' | 'unknown'
  /** What Bing says is left. */
  readonly quota: QuotaLeft | undefined
  /** For people: what is wrong, why, what to do next. Empty when all is well. */
  readonly problems: readonly string[]
}

/** Asks Bing without submitting anything: is the key valid, the site in its account, how much is left? */
export async function checkBing({ api, holds, quota }: Bing): Promise<BingCheck> {
  const held = await holds.current()
  const problems = held ? [held.message] : []
  // A throttled account is throttled longer for every call, this one too.
  if (held?.stops === 'rate-limited') {
    return { key: 'unknown', site: 'unknown', quota: undefined, problems }
  }
  const note = async (failure: BingFailure) => {
    await holds.learnFrom(failure)
    problems.push(describeBingFailure(failure))
  }
  const sites = await api.sites()
  if (!sites.result.ok) {
    await note(sites.result.failure)
    const key = sites.result.failure.problem === 'bad-key' ? 'invalid' : 'unknown'
    return { key, site: 'unknown', quota: undefined, problems }
  }
  const site = sites.result.value.find(({ origin }) => origin === api.siteUrl)
  if (!site?.isVerified) {
    const lacks = site ? 'is not verified' : 'is not in the account of this API key'
    problems.push(
      `${api.siteUrl} ${lacks}. Add and verify it in Bing Webmaster Tools with exactly this address.`,
    )
    return { key: 'valid', site: site ? 'unverified' : 'missing', quota: undefined, problems }
  }
  const left = await api.quotaLeft()
  if (!left.result.ok) await note(left.result.failure)
  else if ((await quota.remaining()) === 0) {
    problems.push("Today's Bing quota is used up. Nothing to do; it starts anew at 00:00 UTC.")
  }
  return {
    key: 'valid',
    site: 'listed',
    quota: left.result.ok ? left.result.value : undefined,
    problems,
  }
}
