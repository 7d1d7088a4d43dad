import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'
import { wholeNumber } from '../given-number.ts'

export function cookiesCommand(program: Command): void {
  const cookies = addCommand(program, 'cookies', {
    summary: 'add, list, disable and reactivate cookies; change the key they are sealed with',
    examples: [
      ['sluice cookies add account_01 --platform xhs < cookie.txt', 'A cookie is read from stdin'],
      ['sluice cookies list', 'The state of each, never a value'],
    ],
  })
  const add = addCommand(cookies, 'add', {
    summary: 'add a cookie of your own, from stdin',
    examples: [
      ['sluice cookies add account_01 --platform xhs < cookie.txt', 'From a file'],
      [
        'pbpaste | sluice cookies add account_01 --platform xhs --limit 50',
        'At most 50 uses a day',
      ],
    ],
  })
    .argument('<name>', 'how it is called everywhere')
    .requiredOption('--platform <platform>', 'xhs or weibo')
    .option('--priority <number>', 'higher goes first (default: 0)', wholeNumber)
    .option('--limit <number>', 'most uses a day (default: 100)', wholeNumber)
  does(add, async () => (await import('./cookies/run.ts')).runAddCookie)

  const list = addCommand(cookies, 'list', {
    summary: 'the state of every cookie, never a value',
    examples: [['sluice cookies list --json', 'For a script']],
  })
  does(list, async () => (await import('./cookies/run.ts')).runListCookies)

  const disable = addCommand(cookies, 'disable', {
    summary: 'take a cookie out of use',
    examples: [['sluice cookies disable account_01', 'Until it is reactivated']],
  }).argument('<name>', 'its name')
  does(disable, async () => (await import('./cookies/run.ts')).runDisableCookie)

  const reactivate = addCommand(cookies, 'reactivate', {
    summary: 'take a cookie back into use, its errors forgotten',
    examples: [['sluice cookies reactivate account_01', 'Also one that was banned']],
  }).argument('<name>', 'its name')
  does(reactivate, async () => (await import('./cookies/run.ts')).runReactivateCookie)

  const rotate = addCommand(cookies, 'rotate-key', {
    summary: 'seal every secret anew with the current master key',
    examples: [
      [
        'COOKIE_KEY_ID=k2 COOKIE_KEYS_OLD=k1:… sluice cookies rotate-key',
        'With the old key still at hand; a running server does it with its own',
      ],
    ],
  })
  does(rotate, async () => (await import('./cookies/run.ts')).runRotateKey)
}
