import type { Random } from '../../../../core/random.ts'
import type { Sought } from './secret-forms.ts'

/** The secrets that are planted, each of which looks like nothing else. */
const CANARIES = [
  'admin token',
  'read token',
  'collect token',
  'master key',
  'old master key',
  'author key',
  'xhs cookie',
  'second xhs cookie',
  'weibo cookie',
  'mistyped cookie',
  'IndexNow key',
  'Bing key',
  'webhook path',
  'webhook secret',
  'foreign token',
] as const

export type CanaryName = (typeof CANARIES)[number]
export type Canaries = Readonly<Record<CanaryName, string>>

export function makeCanaries(random: Random): Canaries {
  const made = CANARIES.map((name) => [name, random.uuid().replaceAll('-', '')] as const)
  return Object.fromEntries(made) as Canaries
}

export function soughtCanaries(canaries: Canaries): readonly Sought[] {
  return CANARIES.map((name) => ({ name, value: canaries[name] }))
}
