import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('npm run demo tells two days of a site offline, and leaves nothing behind', async () => {
  const { stdout, stderr } = await promisify(execFile)(
    'npm',
    ['run', '--silent', 'demo', '--', '--once'],
    { env: { PATH: process.env['PATH'], NO_COLOR: '1' } },
  )

  expect(stderr).toBe('')
  expect(stdout).toContain('20,000 pages in 5 gzipped sitemaps')
  for (const moment of [
    /Unfriendly answers 429: waiting 2 s \(retry 1\/3\)/,
    /Unfriendly answers 503: waiting/,
    /halving the batch to find which/,
    /partial: 20,000 pages, 20,000 due, 0 known, 0 deleted/,
    /Friendly +20,000 of 20,000 +accepted, 0 rejected/,
    /Unfriendly +19,997 of 20,000 +accepted, 3 rejected/,
    /Bing +250 of 20,000 +accepted, 250 of 250/,
    /succeeded: 20,080 pages, 420 due, 19,660 known, 40 deleted/,
    /Unfriendly +460 of 460 +accepted, 0 rejected/,
    /sent twice within ten minutes: 0; over Bing's quota: 0; complaints of any stand-in: 0/,
  ]) {
    expect(stdout).toMatch(moment)
  }
  // Nobody can ask a server that is gone.
  expect(stdout).not.toContain('curl')

  const folder = /its data in (\S+)/.exec(stdout)?.[1] ?? ''
  expect(folder).not.toBe('')
  expect(existsSync(folder)).toBe(false)
})
