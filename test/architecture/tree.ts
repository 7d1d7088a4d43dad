import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'

/** Sources by their path from the root of the repository. */
export type Tree = ReadonlyMap<string, string>

export function readTree(folder: string): Tree {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name.replaceAll('\\', '/')))
    .filter((file) => /\.tsx?$/.test(file))
    .toSorted()
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
}

export function eachFile(tree: Tree, find: (file: string, source: string) => string[]): string[] {
  return [...tree].flatMap(([file, source]) => find(file, source))
}

/** Without its comments, as far as they stand on lines of their own or after code and a space. */
export function codeOf(tree: Tree, file: string): string {
  return (tree.get(file) ?? '')
    .replace(/^\s*\/\*[^]*?\*\//gm, '')
    .replace(/(^|\s)\/\/(\s.*)?$/gm, '')
}

export function importsOf(tree: Tree, file: string): string[] {
  const found = codeOf(tree, file).matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)
  return [...found].map(([, name]) => name ?? '')
}

/** Imports of our own files, as paths from the root. */
export function ownImports(tree: Tree, file: string): string[] {
  return importsOf(tree, file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)))
}
