import { text } from 'node:stream/consumers'
import { askAndPrint } from '../../ask-and-print.ts'
import type { Call } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { table } from '../../table.ts'

interface AddOptions {
  readonly platform: string
  readonly priority?: string
  readonly limit?: string
}

interface ShownCookie {
  readonly cookie_name: string
  readonly platform: string
  readonly status: string
  readonly priority: number
  readonly daily_used: number
  readonly daily_limit: number
  readonly total_errors: number
  readonly cooling_until: string | null
}

export async function runAddCookie(call: Call<AddOptions>): Promise<ExitCode> {
  const { platform, priority, limit } = call.options
  if (process.stdin.isTTY) {
    call.terminal.say('Paste the whole Cookie header of a request, then Enter and Ctrl-D.')
  }
  // Never an argument: those are seen by everybody on the machine, and kept by shells.
  const cookie = (await text(process.stdin)).trim()
  if (cookie === '') {
    return call.refuse({
      exit: EXIT.wrongUse,
      code: 'no-cookie',
      what: 'No cookie came in on stdin.',
      advice: 'Such as: sluice cookies add account_01 --platform xhs < cookie.txt',
    })
  }
  const body = {
    cookie_name: call.words[0],
    platform,
    cookie,
    ...(priority !== undefined && { priority: Number(priority) }),
    ...(limit !== undefined && { daily_limit: Number(limit) }),
  }
  return askAndPrint<ShownCookie>(
    call,
    { method: 'POST', path: '/v1/cookies', body },
    ({ cookie_name, status }) => call.terminal.print(`${cookie_name} is kept, and ${status}.`),
  )
}

export async function runListCookies(call: Call): Promise<ExitCode> {
  const question = { method: 'GET', path: '/v1/cookies' } as const
  return askAndPrint<{ cookies: readonly ShownCookie[] }>(call, question, ({ cookies }) => {
    if (cookies.length === 0) {
      call.terminal.say('There is no cookie yet. Add one with `sluice cookies add`.')
      return
    }
    const rows = cookies.map((cookie) => [
      cookie.cookie_name,
      cookie.platform,
      cookie.cooling_until ? `${cookie.status} until ${cookie.cooling_until}` : cookie.status,
      String(cookie.priority),
      `${cookie.daily_used} of ${cookie.daily_limit}`,
      String(cookie.total_errors),
    ])
    const head = ['cookie', 'platform', 'state', 'priority', 'used today', 'errors']
    for (const line of table([head, ...rows])) call.terminal.print(line)
  })
}

export const runDisableCookie = (call: Call) => change(call, 'disable')
export const runReactivateCookie = (call: Call) => change(call, 'reactivate')

async function change(call: Call, word: 'disable' | 'reactivate'): Promise<ExitCode> {
  const path = `/v1/cookies/${encodeURIComponent(call.words[0] ?? '')}/${word}`
  return askAndPrint<ShownCookie>(call, { method: 'POST', path }, ({ cookie_name, status }) =>
    call.terminal.print(`${cookie_name} is ${status}.`),
  )
}

interface Rotated {
  readonly resealed: number
  readonly stuck: readonly { readonly name: string; readonly reason: string }[]
}

export async function runRotateKey(call: Call): Promise<ExitCode> {
  return askAndPrint<Rotated>(
    call,
    { method: 'POST', path: '/v1/cookies/rotate-key' },
    ({ resealed, stuck }) => {
      call.terminal.print(`${resealed} sealed anew.`)
      for (const { name, reason } of stuck) call.terminal.complain(`${name}: ${reason}`)
    },
    ({ stuck }) => (stuck.length > 0 ? EXIT.failed : EXIT.done),
  )
}
