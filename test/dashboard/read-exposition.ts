import { checkName } from './metric-names.ts'

/** What `/metrics` says, read as strictly as `promtool check metrics` does. */
export interface ReadFamily {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: readonly ReadSample[]
}

export interface ReadSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const byText = (a: string, b: string) => (a < b ? -1 : 1)

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y

/** Throws at the first thing that a scraper would not take. */
export function readExposition(text: string): readonly ReadFamily[] {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const families: (ReadFamily & { samples: ReadSample[] })[] = []
  const seen = new Set<string>()
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help, about] = /^# HELP (\S+) (.+)$/.exec(line) ?? []
    if (help !== undefined) {
      if (!NAME.test(help) || seen.has(help)) throw new Error(`HELP of ${help} again or wrong`)
      seen.add(help)
      families.push({ name: help, type: '', help: about ?? '', samples: [] })
      continue
    }
    const family = families.at(-1)
    if (!family) throw new Error(`Before any HELP: ${line}`)
    const [, named, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? []
    if (named !== undefined) {
      if (named !== family.name || family.type !== '') throw new Error(`A stray ${line}`)
      families[families.length - 1] = { ...family, type: type ?? '' }
      continue
    }
    if (family.type === '') throw new Error(`Before its TYPE: ${line}`)
    const sample = readSample(line)
    const key = `sample ${sample.name} ${Object.entries(sample.labels).map(String).toSorted(byText).join(' ')}`
    if (seen.has(key)) throw new Error(`Twice: ${line}`)
    seen.add(key)
    family.samples.push(sample)
  }
  for (const family of families) checkFamily(family)
  return families
}

function readSample(line: string): ReadSample {
  const [, name = '', inside = '', number = ''] = SAMPLE.exec(line) ?? []
  if (!NAME.test(name)) throw new Error(`Not a sample: ${line}`)
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < inside.length) {
    const [, label = '', value = ''] = LABEL.exec(inside) ?? []
    if (label === '' || label in labels) throw new Error(`Wrong labels: ${line}`)
    labels[label] = value.replaceAll(/\\(["\\n])/g, (_, mark: string) =>
      mark === 'n' ? '\n' : mark,
    )
  }
  const value = Number(number)
  if (!Number.isFinite(value)) throw new Error(`Not a number: ${line}`)
  return { name, labels, value }
}

function checkFamily({ name, type, samples }: ReadFamily): void {
  if (samples.length === 0) throw new Error(`${name} has no samples`)
  checkName(name, type)
  const labels = samples.flatMap((sample) => Object.keys(sample.labels))
  const odd = labels.find(
    (label) => /[A-Z]/.test(label) || (label === 'le' && type !== 'histogram'),
  )
  if (odd !== undefined) throw new Error(`${odd} is no label of ${name}`)
  const allowed = type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
  const stray = samples.find((sample) => !allowed.includes(sample.name))
  if (stray) throw new Error(`${stray.name} is not of ${name}`)
  if (type === 'histogram') checkBuckets(name, samples)
}

function checkBuckets(name: string, samples: readonly ReadSample[]): void {
  const series = Map.groupBy(samples, ({ labels: { le: _bound, ...others } }) =>
    JSON.stringify(others),
  )
  for (const [labels, those] of series) {
    const buckets = those.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map((bucket) =>
      bucket.labels['le'] === '+Inf' ? Infinity : Number(bucket.labels['le']),
    )
    const counts = buckets.map(({ value }) => value)
    const isGrowing = (numbers: readonly number[]) =>
      numbers.every((number, i) => i === 0 || number >= (numbers[i - 1] ?? 0))
    const count = those.find((sample) => sample.name === `${name}_count`)?.value
    if (bounds.at(-1) !== Infinity || !isGrowing(bounds) || !isGrowing(counts))
      throw new Error(`The buckets of ${name} ${labels} do not grow to +Inf`)
    if (count !== counts.at(-1)) throw new Error(`${name}_count ${labels} is not its +Inf`)
    if (!those.some((sample) => sample.name === `${name}_sum`)) throw new Error(`no ${name}_sum`)
  }
}
