import { BING_ENGINE } from '../stores/ledger-store.ts'
import type { FailedUrl } from './failed-urls.ts'

/** Why a URL was not taken, as a stable word, and what to do about it. */
export const FAILURE_REASONS = {
  'no-answer': {
    what: 'The engine did not answer.',
    advice: 'Nothing to do if it was once: the next run sends it first. Otherwise run the check.',
  },
  malformed: {
    what: 'The engine takes the request for malformed.',
    advice: 'Look at the address: spaces, odd characters or its length. Correct it in the sitemap.',
  },
  'not-covered': {
    what: "The address is not on the site's host, or the key file does not cover it.",
    advice: 'Correct the sitemap, or put the key file where it covers the address.',
  },
  'key-refused': {
    what: 'The engine does not accept the key.',
    advice:
      'Open the key file: it must show exactly the key, without a redirect; the check looks at it. If the check finds no error, the engine goes by an older answer or wants another key for this host: make a new key, put its file there, and set it in the settings of the site.',
  },
  'rate-limited': {
    what: 'Too many requests from this address.',
    advice: 'The next run sends it first. Send fewer at once, or set the submit mode to post.',
  },
  'engine-trouble': {
    what: 'The engine has a problem of its own.',
    advice: 'Nothing to do: the next run sends it first.',
  },
  'url-refused': {
    what: 'The engine refuses this address.',
    advice:
      'It is not sent again until it changes. See that it opens, and that it is on the verified site.',
  },
  unexpected: {
    what: 'The engine answered something unexpected.',
    advice: "The run's page quotes what it said. Check the engine's address.",
  },
} as const

export type FailureReason = keyof typeof FAILURE_REASONS

export function channelOf({ engine }: Pick<FailedUrl, 'engine'>): 'indexnow' | 'bing' {
  return engine === BING_ENGINE ? 'bing' : 'indexnow'
}

export function failureReason(failed: FailedUrl): FailureReason {
  const { statusCode: status, state } = failed
  if (status === 0) return 'no-answer'
  if (status === 429) return 'rate-limited'
  if (status === 408 || status >= 500) return 'engine-trouble'
  if (status === 401 || status === 403) return 'key-refused'
  if (channelOf(failed) === 'bing') return state === 'rejected' ? 'url-refused' : 'unexpected'
  if (status === 400 || status === 413 || status === 414) return 'malformed'
  return status === 422 ? 'not-covered' : 'unexpected'
}
