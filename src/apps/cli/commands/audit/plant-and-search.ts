import type { Random } from '../../../../core/random.ts'
import { type AuditReport, NOT_CHECKED, type PlayedFlow } from './audit-report.ts'
import { type AuditWorld, openAuditWorld } from './audit-world.ts'
import type { Program } from './audited-program.ts'
import { makeCanaries, soughtCanaries } from './canaries.ts'
import { openEvidence, type PlaceName } from './evidence.ts'
import { FLOWS, type Flow } from './flows.ts'
import { looseModes } from './search-folder.ts'
import { openStandIns } from './stand-ins.ts'

export interface PlantOptions {
  readonly program: Program
  readonly random: Random
  readonly flows?: readonly Flow[]
  /** Where the marker must have been found, or else nothing was looked at there. */
  readonly proven?: readonly PlaceName[]
  readonly tell?: (flow: string) => void
}

const EVERYWHERE: readonly PlaceName[] = [
  'log',
  'answers',
  'commands',
  'files',
  'tables',
  'backup',
  'requests',
]

/** SPEC C07: canaries are planted, the flows are played, everything is searched. */
export async function plantAndSearch(options: PlantOptions): Promise<AuditReport> {
  const { program, random, flows = FLOWS, proven = EVERYWHERE, tell = () => undefined } = options
  const canaries = makeCanaries(random)
  const marker = random.uuid()
  const sought = soughtCanaries(canaries)
  const evidence = openEvidence({ sought, marker: { value: marker, in: proven } })
  const modes: string[] = []
  const standIns = await openStandIns({
    indexNowKey: canaries['IndexNow key'],
    arrived: (role, text, meant) => evidence.add('requests', `request to ${role}`, text, meant),
  })
  try {
    const look = (folder: string) => void modes.push(...looseModes(folder))
    const world = await openAuditWorld({ program, canaries, marker, standIns, evidence, look })
    const played = await play(flows, world, tell)
    await world.close()
    const leaks = evidence.leaks()
    const problems = [
      ...modes,
      ...evidence.unproven().map((place) => `Nothing could be searched in ${place}.`),
    ]
    const passed = leaks.length + problems.length === 0 && played.every(({ reason }) => !reason)
    return {
      passed,
      secrets: sought.map(({ name }) => name),
      flows: played,
      places: evidence.places(),
      leaks,
      problems,
      notChecked: NOT_CHECKED,
    }
  } finally {
    await standIns.close()
  }
}

async function play(
  flows: readonly Flow[],
  world: AuditWorld,
  tell: (flow: string) => void,
): Promise<readonly PlayedFlow[]> {
  const played: Promise<PlayedFlow>[] = []
  for (const flow of flows) {
    tell(flow.name)
    const one = playOne(flow, world)
    played.push(one)
    if (!flow.meanwhile) await one
  }
  return Promise.all(played)
}

async function playOne({ name, run }: Flow, world: AuditWorld): Promise<PlayedFlow> {
  try {
    await run(world)
    return { flow: name }
  } catch (error) {
    // What could not be played proves nothing.
    return { flow: name, reason: error instanceof Error ? error.message : String(error) }
  }
}
