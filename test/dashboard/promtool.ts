import { spawnSync } from 'node:child_process'

/** Where Prometheus' own checker is: by name on the PATH, unless the environment of the tests says better. */
const PROMTOOL = process.env['PROMTOOL'] ?? 'promtool'

/** What promtool says of a text, with its exit code: 0 where it has nothing to say. Undefined without a promtool. */
export function promtoolSays(text: string) {
  const { error, status, stderr } = spawnSync(PROMTOOL, ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  return error ? undefined : { status, stderr }
}
