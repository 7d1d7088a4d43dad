import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import { scenario } from './support/scenario.ts'

/** Sources by their path from the root of the repository. */
type Tree = ReadonlyMap<string, string>

/** What is wrong in a tree, a line each. Every rule has been seen to find what it is there for: `PLANTED`. */
type Rule = (tree: Tree) => string[]

/** Who may import whom, by path. The first row that fits a file governs it; `$1` is what its zone captured. */
const MAY_IMPORT: readonly (readonly [zone: RegExp, allowed: string])[] = [
  [/^src\/core\//, '^src/core/'],
  [/^src\/stores\/([^/]+)\//, '^src/(core/|stores/[^/]+$|stores/$1/)'],
  [/^src\/stores\//, '^src/(core/|stores/[^/]+$)'],
  [/^src\/http\//, '^src/(core/|http/)'],
  [/^src\/alerts\//, '^src/(core/|stores/[^/]+$|alerts/)'],
  [/^src\/(submit|collect)\//, '^src/(core/|http/|alerts/|stores/[^/]+$|$1/|[^/]+$)'],
  [
    /^src\/dashboard\//,
    '^src/(core/|http/|alerts/|stores/[^/]+$|submit/|collect/|dashboard/|[^/]+$)',
  ],
  [/^src\/apps\//, '^(src/|package.json$)'],
  [/^src\/[^/]+$/, '^src/(core/|[^/]+$)'],
  // Made of the product and of what the tests stand on; nothing is made of them.
  [/^demo\//, '^(src/|demo/|test/support/)'],
  // They pack and call the program from outside: of its insides they know what it answers.
  [/^scripts\//, '^(scripts/|src/submit/shown-run.ts$)'],
]

const PACKAGES_OF_THE_CORE = ['ipaddr.js']

/** What is run by itself, so that it has nobody who could hand it anything; and files besides. */
const atTheEdge = (...files: readonly string[]) =>
  new RegExp(`^(${['src/apps/', 'demo/', 'scripts/', ...files].join('|')})`)

/** Who may know that it runs on Node. */
const ON_NODE = atTheEdge(
  'src/stores/sqlite/(copy-database|node-sql|open).ts$',
  'src/stores/postgres/group-calls.ts$',
)

/** What is handed in, and where it comes from instead. */
const HANDED_IN: readonly (readonly [what: RegExp, except: RegExp, instead: string])[] = [
  [
    /\bDate\.now\b|\bnew Date\(\)|\b(setTimeout|setInterval)\(|\bperformance\.now\b|\bAbortSignal\.timeout\b/,
    atTheEdge('src/core/clock.ts$'),
    'take a Clock',
  ],
  // No time passes until it rings, but the turn of the event loop that others are in.
  [/\bsetImmediate\(/, atTheEdge('src/stores/sqlite/node-sql.ts$'), 'take a Clock'],
  [
    /\bMath\.random\b|\bcrypto\.(randomUUID|getRandomValues)\b|\brandomBytes\(/,
    atTheEdge('src/core/random.ts$'),
    'take a Random',
  ],
  [/(?<!['"`.\w])console\./, atTheEdge(), 'take a Log'],
  [/(?<!['"`.\w])process\.|\bimport\.meta\.env\b/, atTheEdge(), 'take a setting'],
  [/(?<![.\w])fetch\(|\bglobalThis\.fetch\b/, atTheEdge('src/core/http.ts$'), 'take an HttpClient'],
  [
    /\.(get|set)(Year|FullYear|Month|Date|Day|Hours|Minutes|Seconds|Milliseconds)\(|\.getTimezoneOffset\(|\.to(Locale)?(Date|Time)String\(/,
    /^$/,
    'use utcDayOf: local time is never meant',
  ],
]

/** Who may see a secret's value, and what for. */
const REVEALS: Record<string, string> = {
  'src/core/seal.ts': 'seals and opens it',
  'src/collect/cookies/cipher.ts': 'seals it',
  'src/apps/cli/commands/audit/known-secrets.ts': 'searches for it, and reports its name',
  'src/apps/cli/commands/doctor/given-site.ts':
    'takes the key of the environment for that of a site',
  'src/apps/cli/api.ts': 'sends it',
  'src/apps/cli/given-key.ts': 'hands it on as the option would',
  'src/stores/postgres/postgres-sql.ts': 'connects with it',
  'src/apps/read-config.ts': 'refuses one token for two scopes',
  'src/apps/worker/key-file.ts': 'compares it with the one that is asked for',
  'src/apps/worker/site-directory.ts': 'hands it to the objects of the sites',
  'src/dashboard/session.ts': 'makes the key of sessions from it',
  'src/http/access.ts': 'compares it with the one presented',
  'src/collect/platforms/ask-platform.ts': 'sends it, cuts it out of answers',
  'src/collect/platforms/author.ts': 'hides authors with it',
  'src/submit/channels/indexnow/request.ts': 'sends it',
  'src/submit/channels/bing/api.ts': 'sends it, cuts it out of answers',
  'src/submit/channels/bing/holds.ts': 'takes its fingerprint',
  'src/submit/site-settings.ts': 'cuts it out of what is shown',
  'src/alerts/webhook-target.ts': 'parts the address from its signing secret',
  'src/submit/channels/indexnow/key.ts': 'cuts it out of what is shown',
  'src/submit/channels/indexnow/key-file.ts': 'compares it with the key file',
}

const MAX_LINES = 400

const importDirection: Rule = (tree) =>
  eachFile(tree, (file) => {
    const [zone, allowed] = MAY_IMPORT.find(([candidate]) => candidate.test(file)) ?? []
    if (!zone || !allowed) return [`${file} is in no zone`]
    const rule = new RegExp(allowed.replaceAll('$1', zone.exec(file)?.[1] ?? ''))
    return ownImports(tree, file)
      .filter((to) => !rule.test(to))
      .map((to) => `${file} → ${to}`)
  })

const packagesOfTheCore: Rule = (tree) =>
  eachFile(tree, (file) =>
    importsOf(tree, file)
      .filter((name) => file.startsWith('src/core/') && !/^(\.|node:)/.test(name))
      .filter((name) => !PACKAGES_OF_THE_CORE.includes(name))
      .map((name) => `${file} → ${name}`),
  )

const nodeOnlyAtTheEdge: Rule = (tree) =>
  eachFile(tree, (file) =>
    importsOf(tree, file)
      .filter((name) => name.startsWith('node:') && !ON_NODE.test(file))
      .map((name) => `${file} → ${name}`),
  )

const noCycles: Rule = (tree) => {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const next of ownImports(tree, file)) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of tree.keys()) visit(file, [])
  return cycles
}

const handedIn: Rule = (tree) =>
  eachFile(tree, (file) =>
    HANDED_IN.filter(([what, except]) => !except.test(file) && what.test(codeOf(tree, file))).map(
      ([what, , instead]) => `${file}: ${what.exec(codeOf(tree, file))?.[0]} — ${instead}`,
    ),
  )

const MIRROR_WORDS =
  /[Ff]eishu|FEISHU|[Bb]itable|BITABLE|飞书|多维表格|\b[Ll]ark|Lark(?![a-z])|LARK/

/** SPEC C01: what the mirror is, only n8n knows. Comments count too. */
const noWordOfTheMirror: Rule = (tree) =>
  eachFile(tree, (file, source) => {
    const word = /^src\/(collect|stores)\//.test(file) && MIRROR_WORDS.exec(`${file}\n${source}`)
    return word ? [`${file}: ${word[0]}`] : []
  })

const shortFiles: Rule = (tree) =>
  eachFile(tree, (file, source) => {
    const lines = source.trimEnd().split('\n').length
    return lines > MAX_LINES ? [`${file}: ${lines} lines`] : []
  })

const tellingNames: Rule = (tree) =>
  eachFile(tree, (file) => {
    const words = file.replace(/\.\w+$/, '').split(/[/.-]/)
    const empty = words.filter((word) => /^(manager|helper|util|common|misc)s?$/.test(word))
    const bare = /^(types|index)\.tsx?$/.test(basename(file)) ? [basename(file)] : []
    return [...empty, ...bare].map((word) => `${file}: ${word}`)
  })

const revealedWhereListed: Rule = (tree) =>
  eachFile(tree, (file) =>
    /\.reveal\(/.test(codeOf(tree, file)) && !REVEALS[file] ? [`${file} reveals a secret`] : [],
  )

const RULES: Record<string, Rule> = {
  'lets dependencies point inwards only': importDirection,
  'keeps packages out of the core': packagesOfTheCore,
  'keeps Node at the edge': nodeOnlyAtTheEdge,
  'has no import cycles': noCycles,
  'hands in time, chance, output, settings and the network': handedIn,
  'does not know what the mirror is': noWordOfTheMirror,
  'has no file too long to read': shortFiles,
  'has no name that says nothing': tellingNames,
  'reveals a secret only where it is listed': revealedWhereListed,
}

/** For every rule: files that break it with what it says of them, then files that do not. */
const PLANTED: Record<
  keyof typeof RULES,
  { bad: [string, string, string][]; good: [string, string][] }
> = {
  'lets dependencies point inwards only': {
    bad: [
      ['src/core/a.ts', `import { x } from '../stores/b.ts'`, 'src/core/a.ts → src/stores/b.ts'],
      ['src/core/b/c.ts', `export * from "../../submit/x.ts"`, 'src/core/b/c.ts → src/submit/x.ts'],
      ['src/stores/a.ts', `import './sqlite/b.ts'`, 'src/stores/a.ts → src/stores/sqlite/b.ts'],
      [
        'src/stores/kv/a.ts',
        `import '../sqlite/b.ts'`,
        'src/stores/kv/a.ts → src/stores/sqlite/b.ts',
      ],
      ['src/submit/a.ts', `import '../collect/b.ts'`, 'src/submit/a.ts → src/collect/b.ts'],
      [
        'src/collect/a.ts',
        `import type { X } from '../submit/b.ts'`,
        'src/collect/a.ts → src/submit/b.ts',
      ],
      [
        'src/collect/x/a.ts',
        `await import('../../stores/sqlite/b.ts')`,
        'src/collect/x/a.ts → src/stores/sqlite/b.ts',
      ],
      ['src/alerts/a.ts', `import '../submit/b.ts'`, 'src/alerts/a.ts → src/submit/b.ts'],
      ['src/submit/b.ts', `import '../apps/server/c.ts'`, 'src/submit/b.ts → src/apps/server/c.ts'],
      [
        'src/dashboard/a.tsx',
        `import '../stores/kv/b.ts'`,
        'src/dashboard/a.tsx → src/stores/kv/b.ts',
      ],
      [
        'src/submit/c.ts',
        `import {\n  x,\n} from '../dashboard/d.tsx'`,
        'src/submit/c.ts → src/dashboard/d.tsx',
      ],
      ['src/schedule.ts', `import './submit/a.ts'`, 'src/schedule.ts → src/submit/a.ts'],
      ['src/apps/cli/a.ts', `import '../../../demo/b.ts'`, 'src/apps/cli/a.ts → demo/b.ts'],
      ['demo/a.ts', `import '../scripts/b.ts'`, 'demo/a.ts → scripts/b.ts'],
      ['demo/b.ts', `import '../test/cli/support.ts'`, 'demo/b.ts → test/cli/support.ts'],
      ['scripts/a.ts', `import '../src/core/clock.ts'`, 'scripts/a.ts → src/core/clock.ts'],
      ['scripts/b/c.ts', `import '../../test/d.ts'`, 'scripts/b/c.ts → test/d.ts'],
      ['src/elsewhere/a.ts', '', 'src/elsewhere/a.ts is in no zone'],
    ],
    good: [
      [
        'src/core/a.ts',
        `import './ledger/b.ts'\n// import '../apps/x.ts'\n/** from '../submit/y.ts' */`,
      ],
      ['src/stores/sqlite/a.ts', `import '../a.ts'\nimport './b.ts'\nimport '../../core/c.ts'`],
      [
        'src/submit/http/a.ts',
        `import '../run.ts'\nimport '../../stores/a.ts'\nimport '../../schedule.ts'`,
      ],
      ['src/dashboard/a.tsx', `import '../submit/b.ts'\nimport '../collect/c.ts'`],
      [
        'src/apps/server/a.ts',
        `import '../../stores/sqlite/open.ts'\nimport '../../dashboard/b.tsx'`,
      ],
      ['demo/a.ts', `import './b.ts'\nimport '../src/core/c.ts'\nimport '../test/support/d.ts'`],
      ['scripts/a.ts', `import './pack/b.ts'\nimport '../src/submit/shown-run.ts'`],
    ],
  },
  'keeps packages out of the core': {
    bad: [
      ['src/core/a.ts', `import { z } from 'zod'`, 'src/core/a.ts → zod'],
      ['src/core/b.ts', `import type { Hono } from 'hono'`, 'src/core/b.ts → hono'],
    ],
    good: [
      ['src/core/a.ts', `import ipaddr from 'ipaddr.js'`],
      ['src/apps/a.ts', `import { z } from 'zod'`],
    ],
  },
  'keeps Node at the edge': {
    bad: [
      ['src/core/a.ts', `import { readFileSync } from 'node:fs'`, 'src/core/a.ts → node:fs'],
      ['src/stores/sqlite/a.ts', `import 'node:sqlite'`, 'src/stores/sqlite/a.ts → node:sqlite'],
      ['src/submit/a.ts', `await import('node:zlib')`, 'src/submit/a.ts → node:zlib'],
    ],
    good: [
      ['src/stores/sqlite/node-sql.ts', `import { DatabaseSync } from 'node:sqlite'`],
      ['src/apps/server/a.ts', `import 'node:fs'`],
      ['demo/a.ts', `import 'node:fs'`],
    ],
  },
  'has no import cycles': {
    bad: [
      [
        'src/core/a.ts',
        `import './b.ts'`,
        'src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts',
      ],
      ['src/core/b.ts', `import './c.ts'`, ''],
      ['src/core/c.ts', `import type { A } from './a.ts'`, ''],
      ['src/core/self.ts', `import './self.ts'`, 'src/core/self.ts → src/core/self.ts'],
    ],
    good: [
      ['src/core/a.ts', `import './b.ts'\nimport './c.ts'`],
      ['src/core/b.ts', `import './c.ts'`],
      ['src/core/c.ts', ''],
    ],
  },
  'hands in time, chance, output, settings and the network': {
    bad: [
      ['src/core/a.ts', 'const now = Date.now()', 'src/core/a.ts: Date.now — take a Clock'],
      ['src/core/b.ts', 'const now = new Date()', 'src/core/b.ts: new Date() — take a Clock'],
      ['src/stores/a.ts', 'setTimeout(f, 1)', 'src/stores/a.ts: setTimeout( — take a Clock'],
      ['src/stores/b.ts', 'setImmediate(f)', 'src/stores/b.ts: setImmediate( — take a Clock'],
      [
        'src/submit/s.ts',
        'fetchIt(AbortSignal.timeout(1))',
        'src/submit/s.ts: AbortSignal.timeout — take a Clock',
      ],
      ['src/submit/a.ts', 'x = Math.random()', 'src/submit/a.ts: Math.random — take a Random'],
      ['src/core/c.ts', 'crypto.randomUUID()', 'src/core/c.ts: crypto.randomUUID — take a Random'],
      ['src/core/d.ts', 'console.log(1)', 'src/core/d.ts: console. — take a Log'],
      [
        'src/collect/a.ts',
        'const { A } = process.env',
        'src/collect/a.ts: process. — take a setting',
      ],
      ['src/submit/b.ts', 'await fetch(url)', 'src/submit/b.ts: fetch( — take an HttpClient'],
      [
        'src/apps/server/a.ts',
        'date.getHours()',
        'src/apps/server/a.ts: .getHours( — use utcDayOf: local time is never meant',
      ],
      [
        'scripts/a.ts',
        'date.getDay()',
        'scripts/a.ts: .getDay( — use utcDayOf: local time is never meant',
      ],
    ],
    good: [
      ['src/core/clock.ts', 'Date.now(); setTimeout(f, 1)'],
      ['src/core/random.ts', 'Math.random()'],
      ['src/core/http.ts', 'fetch(url)'],
      ['src/apps/server/b.ts', 'console.log(process.env, Date.now())'],
      ['demo/b.ts', 'process.stdout.write(Date.now())'],
      [
        'src/core/e.ts',
        '// Not Date.now(): it is ambient.\n/**\n * console.log would do.\n */\nclock.now()',
      ],
      [
        'src/core/f.ts',
        `log.info('process.started', new Date(at).toISOString(), at.getUTCHours())`,
      ],
      ['src/submit/d.ts', 'await http.fetch(url); await refetch(url)'],
    ],
  },
  'does not know what the mirror is': {
    bad: [
      ['src/collect/a.ts', '// then Feishu has it', 'src/collect/a.ts: Feishu'],
      ['src/collect/http/b.ts', 'const bitableToken = 1', 'src/collect/http/b.ts: bitable'],
      ['src/stores/sqlite/c.ts', 'toLark(row)', 'src/stores/sqlite/c.ts: Lark'],
      ['src/stores/lark-store.ts', '', 'src/stores/lark-store.ts: lark'],
      ['src/collect/d.ts', '// 飞书', 'src/collect/d.ts: 飞书'],
    ],
    good: [
      ['src/collect/a.ts', 'the mirror; Clark, skylarking'],
      ['src/apps/webhook.ts', 'feishu'],
    ],
  },
  'has no file too long to read': {
    bad: [['src/core/a.ts', 'x\n'.repeat(401), 'src/core/a.ts: 401 lines']],
    good: [['src/core/a.ts', 'x\n'.repeat(400)]],
  },
  'has no name that says nothing': {
    bad: [
      ['src/core/url-utils.ts', '', 'src/core/url-utils.ts: utils'],
      ['src/core/helper.ts', '', 'src/core/helper.ts: helper'],
      ['src/common/a.ts', '', 'src/common/a.ts: common'],
      ['src/submit/quota-manager.ts', '', 'src/submit/quota-manager.ts: manager'],
      ['src/submit/types.ts', '', 'src/submit/types.ts: types.ts'],
      ['src/dashboard/index.tsx', '', 'src/dashboard/index.tsx: index.tsx'],
    ],
    good: [
      ['src/core/reading-index.ts', ''],
      ['src/core/utility-bill.ts', ''],
    ],
  },
  'reveals a secret only where it is listed': {
    bad: [
      ['src/core/log.ts', 'key\n  .reveal()', 'src/core/log.ts reveals a secret'],
      ['src/apps/server/a.ts', 'token?.reveal()', 'src/apps/server/a.ts reveals a secret'],
    ],
    good: [
      ['src/submit/channels/indexnow/request.ts', 'key.reveal()'],
      ['src/core/secret.ts', 'reveal(): string {}'],
    ],
  },
}

const repository: Tree = new Map(
  ['src', 'demo', 'scripts'].flatMap((folder) => [...readTree(folder)]),
)

describe('architecture', () => {
  it('sees the code, its zones and its imports', () => {
    const files = [...repository.keys()]
    expect(files.length).toBeGreaterThan(50)
    for (const zone of [
      'src/core/',
      'src/stores/',
      'src/stores/sqlite/',
      'src/stores/postgres/',
      'src/submit/',
      'src/apps/',
      'demo/',
      'scripts/',
    ]) {
      expect(files.filter((file) => file.startsWith(zone)).length, zone).toBeGreaterThan(3)
    }
    const imports = files.flatMap((file) => ownImports(repository, file))
    expect(imports.length).toBeGreaterThan(files.length)
    const ours = imports.filter((to) => /\.tsx?$/.test(to) && !to.startsWith('test/'))
    expect(ours.filter((to) => !repository.has(to))).toEqual([])
  })

  it.each(Object.entries(RULES))('%s', (_, rule) => expect(rule(repository)).toEqual([]))

  scenario('C01', 'the collect code and its stores contain no word of the mirror', () => {
    const watched = [...repository.keys()].filter((file) => /^src\/(collect|stores)\//.test(file))
    expect(watched.length).toBeGreaterThan(10)
    expect(noWordOfTheMirror(repository)).toEqual([])
  })

  it('lists no file as revealing that does not', () => {
    const reveals = (file: string) => /\.reveal\(/.test(codeOf(repository, file))
    const listed = Object.keys(REVEALS).filter((file) => repository.has(file))
    expect(listed.filter((file) => !reveals(file))).toEqual([])
  })
})

describe('every gate has been seen to fail', () => {
  it.each(Object.entries(RULES))('%s', (name, rule) => {
    const { bad, good } = PLANTED[name] ?? { bad: [], good: [] }
    const planted = new Map(bad.map(([file, source]) => [file, source]))

    const expected = bad.map(([, , found]) => found).filter((found) => found !== '')

    expect(expected.length).toBeGreaterThan(0)
    expect(rule(planted)).toEqual(expected)
    expect(rule(new Map(good))).toEqual([])
  })
})

function readTree(folder: string): Tree {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name.replaceAll('\\', '/')))
    .filter((file) => /\.tsx?$/.test(file))
    .toSorted()
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
}

function eachFile(tree: Tree, find: (file: string, source: string) => string[]): string[] {
  return [...tree].flatMap(([file, source]) => find(file, source))
}

/** Without its comments, as far as they stand on lines of their own or after code and a space. */
function codeOf(tree: Tree, file: string): string {
  return (tree.get(file) ?? '')
    .replace(/^\s*\/\*[^]*?\*\//gm, '')
    .replace(/(^|\s)\/\/(\s.*)?$/gm, '')
}

function importsOf(tree: Tree, file: string): string[] {
  const found = codeOf(tree, file).matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)
  return [...found].map(([, name]) => name ?? '')
}

/** Imports of our own files, as paths from the root. */
function ownImports(tree: Tree, file: string): string[] {
  return importsOf(tree, file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)))
}
