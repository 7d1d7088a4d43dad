export interface OneFileOptions {
  /** The part that is run. */
  readonly start: string
  readonly requiredMajor: number
}

/**
 * Modules as one file: they stand in a comment at its end, and each is read from there and compiled when it is first
 * imported. As code all of it would be parsed at every start, which takes longer than Node's own; `sluice --help`
 * needs a small part of it.
 */
export function oneFileOf(
  parts: ReadonlyMap<string, string>,
  { start, requiredMajor }: OneFileOptions,
): string {
  let modules = '\n*/\n'
  const places = [...parts].toReversed().map(([name, text]) => {
    const quoted = inComment(text)
    modules = `${quoted}${modules}`
    const place = [name, [modules.length, quoted.length]] as const
    modules = `\n\n//// ${name}\n${modules}`
    return place
  })
  return [
    '#!/usr/bin/env node',
    olderNodeRefused(requiredMajor),
    `// Of each module, how far before the end of this file it begins, and its length.`,
    `const places = new Map(${JSON.stringify(places)})`,
    LOADER,
    `await import('sluice:${start}')`,
    `/* Modules, Sluice's own and those that LICENSES.txt names.${modules}`,
  ].join('\n')
}

/** It must be possible to read this file with an older Node, so that it can say what is wrong. */
function olderNodeRefused(requiredMajor: number): string {
  return `if (Number.parseInt(process.versions.node, 10) < ${requiredMajor}) {
  console.error(
    'Sluice needs Node ${requiredMajor} or newer; this is Node ' + process.versions.node + '. ' +
      'Install Node ${requiredMajor} from https://nodejs.org, then run it again.'
  )
  process.exit(2)
}`
}

const ESCAPE = '@~@'

/**
 * Without the end of a comment, and in ASCII: then a byte is a character, and Node reads the file twice as fast. What
 * takes two bytes stands in patterns and templates alone by now, where its number means the same; one character of it
 * would make the whole module twice as large in memory.
 */
function inComment(text: string): string {
  if (text.includes(ESCAPE)) throw new Error(`a module contains ${ESCAPE}`)
  const codeOf = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0')
  return text
    .trimEnd()
    .replaceAll('*/', `*${ESCAPE}002f`)
    .replace(/[^\0-\xff]/g, (character) => `\\u${codeOf(character)}`)
    .replace(/[^\0-\x7f]/g, (character) => `${ESCAPE}${codeOf(character)}`)
}

const LOADER = `const { closeSync, fstatSync, openSync, readSync } = process.getBuiltinModule('node:fs')

function sourceOf(name) {
  const [beforeEnd, length] = places.get(name)
  const file = openSync(import.meta.filename)
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, fstatSync(file).size - beforeEnd)
  closeSync(file)
  return bytes
    .latin1Slice()
    .replace(/${ESCAPE}(....)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}

process.getBuiltinModule('node:module').registerHooks({
  resolve(name, context, next) {
    if (name.startsWith('sluice:')) return { url: name, shortCircuit: true }
    const isPart = context.parentURL?.startsWith('sluice:') && name.startsWith('./')
    return isPart ? { url: 'sluice:' + name.slice(2), shortCircuit: true } : next(name, context)
  },
  load(url, context, next) {
    if (!url.startsWith('sluice:')) return next(url, context)
    return { format: 'module', source: sourceOf(url.slice(7)), shortCircuit: true }
  },
})`
