import { join, resolve } from 'node:path'
import { fail, ok, type Result } from '../../../../core/result.ts'
import { type DoctorReport, type Finding, reportOf } from '../../../../submit/doctor/finding.ts'
import { findSecret } from '../../../node/kept-secret.ts'
import { readServerFile } from '../../../node/server-file.ts'
import type { Config } from '../../../settings.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT } from '../../exit-codes.ts'

/** Longer than the doctor takes for one site. */
const TIMEOUT_MS = 120_000
const ALIVE_MS = 2_000

interface Answered {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The server that holds the folder, if there is one: it examines its sites itself, where they are run. */
export async function askServer(
  config: Config,
  site: string | undefined,
): Promise<Result<DoctorReport, Complaint> | undefined> {
  const folder = resolve(config.sluiceData)
  const server = readServerFile(join(folder, 'server.json'))
  if (!server || !(await isAlive(server.url))) return undefined
  const token = (config.adminToken ?? findSecret(folder, 'admin-token'))?.reveal()
  if (token === undefined) {
    return fail({
      exit: EXIT.wrongUse,
      code: 'no-token',
      what: `The server at ${server.url} holds ${folder}, and its token is not known here.`,
      advice: "Set ADMIN_TOKEN to the one in the server's environment.",
    })
  }
  const ask = (path: string) => get(`${server.url}${path}`, token)
  try {
    const ids = site === undefined ? idsOf(await ask('/api/sites')) : [site]
    const checks: Finding[] = []
    for (const id of ids) {
      const { status, body } = await ask(`/api/sites/${encodeURIComponent(id)}/doctor`)
      if (status !== 200) return fail(refusalOf(status, body))
      checks.push(...(body['checks'] as readonly Finding[]))
    }
    return ok(reportOf(eachOnce(checks)))
  } catch {
    return fail({
      exit: EXIT.failed,
      code: 'server-unreachable',
      what: `The server at ${server.url} did not answer.`,
      advice: 'Look whether it is still running, then run the doctor again.',
    })
  }
}

/** One that was killed leaves its file behind. */
async function isAlive(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(ALIVE_MS) })).ok
  } catch {
    return false
  }
}

async function get(url: string, token: string): Promise<Answered> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return { status: response.status, body: (await response.json()) as Answered['body'] }
}

function idsOf({ body }: Answered): readonly string[] {
  return (body['sites'] as readonly { readonly id: string }[]).map(({ id }) => id)
}

/** What is said of the machine comes with every site. */
function eachOnce(checks: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>()
  const firsts = checks.filter(({ site, code, subject }) => {
    const name = `${code} ${subject}`
    const isNew = site !== undefined || !seen.has(name)
    seen.add(name)
    return isNew
  })
  return firsts.toSorted((a, b) => Number(a.site !== undefined) - Number(b.site !== undefined))
}

function refusalOf(status: number, body: Answered['body']): Complaint {
  const { code = 'UNKNOWN', message = `The server answered ${status}.` } = (body['error'] ??
    {}) as { code?: string; message?: string }
  return { exit: status < 500 ? EXIT.wrongUse : EXIT.failed, code, what: message }
}
