import { systemRandom } from '../../../../core/random.ts'
import { ok } from '../../../../core/result.ts'
import type { Call } from '../../command.ts'
import { openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { printAudit } from './audit-report.ts'
import { ownProgram } from './audited-program.ts'
import { searchOwnFolder } from './own-folder.ts'
import { plantAndSearch } from './plant-and-search.ts'

interface AuditOptions {
  readonly log?: readonly string[]
}

export async function runAudit(call: Call<AuditOptions>): Promise<ExitCode> {
  const { data, log: logs = [] } = call.options
  if (data === undefined && logs.length > 0) {
    return call.refuse({
      exit: EXIT.wrongUse,
      code: 'no-folder',
      what: 'A log can only be searched for the secrets of a folder.',
      advice: 'Name that folder too, such as: sluice audit --data ./data --log sluice.log',
    })
  }
  const report = data === undefined ? ok(await plant(call)) : await search(call, logs)
  if (!report.ok) return call.refuse(report.failure)
  call.answer(report.value, () => printAudit(report.value, call.terminal))
  return report.value.passed ? EXIT.done : EXIT.failed
}

function plant({ terminal }: Call) {
  const tell = (flow: string) => {
    if (terminal.isInteractive) terminal.say(`… ${flow}`)
  }
  return plantAndSearch({ program: ownProgram(), random: systemRandom, tell })
}

async function search(call: Call, logs: readonly string[]) {
  const env = openEnvironment(call)
  return env.ok ? searchOwnFolder(env.value, logs) : env
}
