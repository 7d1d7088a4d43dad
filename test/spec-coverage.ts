// `npm run spec`: which lines of docs/spec.md have a test. A test carries the id at the start of its title.
// An id that the spec does not have is a typo and fails; with --strict, so does a line without a test.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SPEC_LINE = /^- \*\*([A-Z]\d{2})\*\* (.*)$/gm
// scenario('S01', …), it('S01 — …'), it.each(…)('S01, S02 — …').
const TITLE =
  /(?:\b(?:scenario|it|test|describe)(?:\.\w+)*|[)`])\(\s*['"`]([A-Z]\d{2}(?:, [A-Z]\d{2})*)\b/g

const spec = new Map(
  [...readFileSync('docs/spec.md', 'utf8').matchAll(SPEC_LINE)].map(([, id = '', line = '']) => [
    id,
    line,
  ]),
)
const carried = testFiles('test').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(TITLE)].flatMap(([, ids = '']) =>
    ids.split(', ').map((id) => ({ id, file })),
  ),
)
const tested = new Set(carried.map(({ id }) => id))
const untested = [...spec].filter(([id]) => !tested.has(id))
const unknown = carried.filter(({ id }) => !spec.has(id))

const withTest = [...spec.keys()].filter((id) => tested.has(id))
console.log(`${withTest.length} of ${spec.size} lines have a test: ${withTest.join(' ')}`)
for (const [id, line] of untested) console.log(`  no test  ${id}  ${line.slice(0, 90)}`)
for (const { id, file } of unknown) console.log(`  not in docs/spec.md  ${id}  in ${file}`)
if (spec.size === 0) console.log('  docs/spec.md has no line with an id')

const isStrict = process.argv.includes('--strict')
process.exitCode =
  spec.size === 0 || unknown.length > 0 || (isStrict && untested.length > 0) ? 1 : 0

function testFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .toSorted()
}
