import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Packed {
  /** The copy of the checkout that was packed. */
  readonly checkout: string
  /** The package as it is unpacked in a folder where nothing else is. */
  readonly folder: string
  /** Its program. */
  readonly program: string
  /** All of its files. */
  readonly files: readonly string[]
}

const run = promisify(execFile)

/** A copy: while npm packs, the checkout's package.json is another, and other tests read it. */
const COPIED = [
  'package.json',
  'README.md',
  'README.zh-CN.md',
  'LICENSE',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'docs',
  'src',
  'scripts',
]

/** Packs as `npm pack` does and unpacks what came of it elsewhere; `root` is for the caller to remove. */
export async function pack(): Promise<Packed & { readonly root: string }> {
  const root = mkdtempSync(join(tmpdir(), 'sluice-packed-'))
  const checkout = join(root, 'checkout')
  for (const name of COPIED) cpSync(name, join(checkout, name), { recursive: true })
  symlinkSync(realpathSync('node_modules'), join(checkout, 'node_modules'))
  await run('npm', ['pack', '--silent', '--pack-destination', root], { cwd: checkout })
  const [tarball = ''] = readdirSync(root).filter((name) => name.endsWith('.tgz'))
  const folder = join(root, 'unpacked')
  mkdirSync(folder)
  await run('tar', ['xzf', join(root, tarball), '-C', folder])
  const files = readdirSync(join(folder, 'package'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'package').length + 1))
    .toSorted()
  return { root, checkout, folder, files, program: join(folder, 'package', 'dist', 'sluice.js') }
}
