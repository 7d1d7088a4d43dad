import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/** `{data}/server.json`: how the CLI finds the server that holds a folder. */
const serverFile = z.object({ pid: z.number(), url: z.string(), startedAt: z.string() })
export type ServerFile = z.infer<typeof serverFile>

/** Whole or not at all: whoever reads it at the same moment sees the old one or the new. */
export function writeServerFile(file: string, server: ServerFile): void {
  const draft = `${file}.new`
  writeFileSync(draft, `${JSON.stringify(server)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

/** Undefined where no server has announced itself. */
export function readServerFile(file: string): ServerFile | undefined {
  try {
    return serverFile.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}
