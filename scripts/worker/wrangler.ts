import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** It asks Cloudflare where it is and tells what it is used for, unless it is told not to. */
const QUIET = { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' }

const ENDINGS = ['SIGINT', 'SIGTERM'] as const

/** Runs wrangler with these words, here for all to see; gives its exit code. */
export async function wrangler(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [program(), ...words], {
    stdio: 'inherit',
    env: { ...QUIET, ...process.env },
  })
  // Told to end, it ends its workerd too, and that takes a moment: nobody may be left behind.
  for (const signal of ENDINGS) process.on(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

export interface Asked {
  readonly code: number
  readonly output: string
}

/** The same, with what it prints to be read; what it complains of is still for all to see. */
export async function ask(words: readonly string[]): Promise<Asked> {
  const child = spawn(process.execPath, [program(), ...words], {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { ...QUIET, ...process.env },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? 1, output }
}

function program(): string {
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json')
  return join(dirname(manifest), 'bin', 'wrangler.js')
}
