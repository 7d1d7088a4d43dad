/** A number as Prometheus reads it, with what tells it from others of its name. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface Family {
  /** In Prometheus' manner: unit last, and `_total` after that where it only grows. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly Sample[]
}

/** Durations, by how many took no longer than each bound. */
export interface HistogramFamily {
  readonly name: string
  readonly help: string
  readonly type: 'histogram'
  readonly samples: readonly HistogramSample[]
}

export interface HistogramSample {
  readonly labels: Readonly<Record<string, string>>
  /** Each bound with how many were at or below it; they grow. What is above the last bound is in `count` alone. */
  readonly buckets: readonly (readonly [bound: number, atMost: number])[]
  readonly sum: number
  readonly count: number
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** The text format of Prometheus, version 0.0.4. A family without samples is left out. */
export function exposition(families: readonly (Family | HistogramFamily)[]): string {
  const told = families.filter(({ samples }) => samples.length > 0)
  return told.map((family) => `${headOf(family)}${linesOf(family).join('\n')}\n`).join('')
}

function headOf({ name, help, type }: Family | HistogramFamily): string {
  const text = help.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`)
  return `# HELP ${name} ${text}\n# TYPE ${name} ${type}\n`
}

function linesOf(family: Family | HistogramFamily): readonly string[] {
  const { name } = family
  if (family.type !== 'histogram') {
    return family.samples.map(({ labels = {}, value }) => line(name, labels, value))
  }
  return family.samples.flatMap(({ labels, buckets, sum, count }) => [
    ...buckets.map(([bound, atMost]) =>
      line(`${name}_bucket`, { ...labels, le: String(bound) }, atMost),
    ),
    line(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
    line(`${name}_sum`, labels, sum),
    line(`${name}_count`, labels, count),
  ])
}

function line(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  let pairs = ''
  for (const label in labels) {
    pairs += `${pairs === '' ? '' : ','}${label}="${quoted(labels[label] ?? '')}"`
  }
  return pairs === '' ? `${name} ${value}` : `${name}{${pairs}} ${value}`
}

const ODD = /[\\"\n]/

function quoted(text: string): string {
  if (!ODD.test(text)) return text
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
}
