import { basename } from 'node:path/posix'
import { describe, expect, it } from 'vitest'
import { PLANTED } from './architecture/planted.ts'
import {
  codeOf,
  eachFile,
  importsOf,
  ownImports,
  readTree,
  type Tree,
} from './architecture/tree.ts'
import { scenario } from './support/scenario.ts'

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
