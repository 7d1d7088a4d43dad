/**
 * Installs the n8n of test/n8n into a folder of its own, named by its lock file: the same lock is installed once.
 * Two gigabytes have no place in the repository's node_modules.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const MANIFEST = ['package.json', 'package-lock.json'] as const
const FROM = 'test/n8n'

/** The folder with the installed n8n. Throws where npm cannot install it: tests that cannot run have not passed. */
export function installN8n(): string {
  const cache = process.env.SLUICE_CACHE ?? join(homedir(), '.cache', 'sluice')
  const folder = join(cache, `n8n-${hashOf(join(FROM, 'package-lock.json'))}`)
  if (existsSync(folder)) return folder

  console.error(`Installing n8n into ${folder}: about ten minutes, once.`)
  // Made beside and then renamed: an install that was interrupted is never taken for a whole one.
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  for (const file of MANIFEST) copyFileSync(join(FROM, file), join(unfinished, file))
  // Of all install scripts only these two matter: the others download or build what nobody here uses.
  npm(unfinished, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=5')
  npm(unfinished, 'rebuild', 'node', 'sqlite3')
  renameUnlessThere(unfinished, folder)
  return folder
}

function npm(folder: string, ...words: readonly string[]): void {
  const { status, error } = spawnSync('npm', words, { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  rmSync(folder, { recursive: true, force: true })
  throw new Error(
    `npm ${words.join(' ')} failed in ${folder}: ${error?.message ?? `exit code ${status}`}. Its output stands above; mend that, then run npm run test:n8n again.`,
  )
}

function renameUnlessThere(from: string, to: string): void {
  if (existsSync(to)) rmSync(from, { recursive: true, force: true })
  else renameSync(from, to)
}

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16)
}
