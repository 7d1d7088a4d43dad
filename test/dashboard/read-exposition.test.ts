import { expect, it } from 'vitest'
import { promtoolSays } from './promtool.ts'
import { readExposition } from './read-exposition.ts'

const family = (name: string, type = 'gauge', samples = `${name} 1\n`) =>
  `# HELP ${name} What it is.\n# TYPE ${name} ${type}\n${samples}`

const histogram = (samples: string) => family('a', 'histogram', samples)

it.each([
  ['a counter without its ending', 'counters alone end in _total', family('a', 'counter')],
  ['a gauge with the ending of a counter', 'counters alone end in _total', family('a_total')],
  ['a metric without help', 'Before any HELP', '# TYPE a gauge\na 1\n'],
  ['a type behind its sample', 'Before its TYPE', '# HELP a b\na 1\n# TYPE a gauge\n'],
  ['a second help', 'HELP of a again', '# HELP a b\n# TYPE a gauge\n# HELP a b\na 1\n'],
  ['a second type', 'A stray', '# HELP a b\n# TYPE a gauge\n# TYPE a gauge\na 1\n'],
  ['milliseconds', 'not in a base unit', family('a_milliseconds')],
  ['minutes', 'not in a base unit', family('a_minutes_total', 'counter')],
  ['kilobytes', 'not in a base unit', family('a_kilobytes')],
  ['an abbreviated unit', 'a unit is written out', family('a_ms')],
  ['a type in the name', 'the type is no part of it', family('a_gauge')],
  ['a name in camel case', 'small letters', family('aB')],
  ['a label in camel case', 'cD is no label', family('a', 'gauge', 'a{cD="e"} 1\n')],
  ['a colon in the name', 'small letters', family('a:b')],
  ['a gauge with a bound', 'le is no label', family('a', 'gauge', 'a{le="1"} 1\n')],
  ['a gauge with the ending of a histogram', 'the parts of a histogram', family('a_count')],
  ['a last line without its end', 'The last line does not end', family('a').trimEnd()],
])('takes no more than promtool does: not %s', (_, why, text) => {
  const ofPromtool = promtoolSays(text)

  expect(() => readExposition(text)).toThrow(why)
  expect(ofPromtool?.status).not.toBe(0)
})

it.each([
  ['a series twice', 'Twice', family('a', 'gauge', 'a{c="d"} 1\na{c="d"} 2\n')],
  ['a family in two parts', 'a is not of c', `${family('a')}${family('c')}a{d="e"} 1\n`],
  [
    'no bucket for all',
    'do not grow to +Inf',
    histogram('a_bucket{le="1"} 1\na_sum 1\na_count 1\n'),
  ],
  [
    'a count beside the last bucket',
    'is not its +Inf',
    histogram('a_bucket{le="+Inf"} 1\na_sum 1\na_count 2\n'),
  ],
  ['a histogram without buckets', 'do not grow to +Inf', histogram('a_sum 1\na_count 1\n')],
  [
    'buckets that shrink',
    'do not grow to +Inf',
    histogram('a_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n'),
  ],
])('nor what promtool lets pass and a server stumbles over: %s', (_, why, text) => {
  expect(() => readExposition(text)).toThrow(why)
})
