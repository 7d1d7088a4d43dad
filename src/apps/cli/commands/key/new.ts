import { statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemRandom } from '../../../../core/random.ts'
import { fail, ok, type Result } from '../../../../core/result.ts'
import { newIndexNowKey } from '../../../../submit/channels/indexnow/key.ts'
import { errorCodeOf } from '../../../node/error-code.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'

export interface KeyNewOptions {
  readonly write?: string
}

/** The key alone on stdout; what to do with it beside. */
export async function runKeyNew(call: Call<KeyNewOptions>): Promise<ExitCode> {
  const { options, terminal } = call
  const key = newIndexNowKey(systemRandom)
  const written = options.write === undefined ? ok(null) : writeKeyFile(options.write, key)
  if (!written.ok) return call.refuse(written.failure)
  const file = written.value
  const next = `sluice submit https://your-site.example/sitemap.xml --key ${key}`
  call.answer({ key, file, next }, () => {
    terminal.print(key)
    terminal.say(
      file === null
        ? `\nServe it as https://your-site.example/{key}.txt: a file with nothing but the key.\n(\`sluice key new --write FOLDER\` makes that file.)`
        : `\nIts file is ${file}. Publish it with your site, at the root.`,
    )
    terminal.say(`\nThen:\n  ${next} --dry-run\n  ${next}`)
  })
  return EXIT.done
}

/** Nothing but the key, without a line break; never over a file that is there. */
function writeKeyFile(folder: string, key: string): Result<string, Complaint> {
  const file = join(resolve(folder), `${key}.txt`)
  try {
    if (!statSync(folder).isDirectory()) return refused(folder, 'it is not a folder')
    writeFileSync(file, key, { flag: 'wx', mode: 0o644 })
    return ok(file)
  } catch (error) {
    const code = errorCodeOf(error)
    return refused(folder, code === 'ENOENT' ? 'there is no such folder' : code)
  }
}

function refused(folder: string, why: string): Result<never, Complaint> {
  return fail({
    exit: EXIT.wrongUse,
    code: 'not-written',
    what: `The key file cannot be written into ${folder}: ${why}.`,
    advice: 'Name the folder that your site serves, such as ./public.',
  })
}
