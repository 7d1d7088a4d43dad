import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
  readonly repository?: string | { readonly url: string }
}

/** The licence of every package that one of the files is from, in full, by name. */
export function licencesOf(files: readonly string[]): string {
  const folders = new Set(files.map(packageFolder).filter((folder) => folder !== undefined))
  const packages = [...folders].map((folder) => ({ folder, manifest: manifestIn(folder) }))
  const texts = packages
    .toSorted((a, b) => a.manifest.name.localeCompare(b.manifest.name))
    .map(({ folder, manifest }) => licenceOf(folder, manifest))
  const line = `\n\n${'-'.repeat(80)}\n\n`
  const head = 'dist/sluice.js contains Sluice, whose licence is in LICENSE, and these packages.'
  return `${[head, ...texts].join(line)}\n`
}

/** `…/node_modules/zod` of `…/node_modules/zod/v4/core.js`; of our own files undefined. */
function packageFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replaceAll('\\', '/'))?.[0]
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function licenceOf(folder: string, { name, version, license, ...manifest }: Manifest): string {
  const file = readdirSync(folder).find((candidate) => /^(licen[cs]e|copying)\b/i.test(candidate))
  if (!license) throw new Error(`${name} names no licence: may it be given to others at all?`)
  const title = `${name} ${version} (${license})`
  if (file) return `${title}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
  const { author, repository } = manifest
  const by = typeof author === 'object' ? author.name : author
  const at = typeof repository === 'object' ? repository.url : repository
  return [title, '', ...(by ? [`Author: ${by}`] : []), ...(at ? [`Source: ${at}`] : [])].join('\n')
}
