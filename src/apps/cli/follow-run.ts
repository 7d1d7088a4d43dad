import { systemClock } from '../../core/clock.ts'
import type { LogLine } from '../../core/log.ts'
import { ok, type Result } from '../../core/result.ts'
import type { Call } from './command.ts'
import type { Complaint } from './complaint.ts'
import { type Display, openDisplay } from './display.ts'
import { type Environment, type EnvironmentNeeds, openEnvironment } from './environment.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { catchInterruption } from './interruption.ts'
import type { OwnPlace, Place } from './place.ts'
import { openProgressLines } from './progress-lines.ts'
import type { ShownRun } from '../../submit/shown-run.ts'
import { sayRun } from './summary.ts'

const LOOK_EVERY_MS = 250
const ASK_SERVER_EVERY_MS = 1_000

/** An environment whose log and whose progress share the terminal. */
export interface RunEnvironment extends Environment {
  readonly display: Display
}

export function openRunEnvironment(
  call: Call,
  needs: EnvironmentNeeds = {},
): Result<RunEnvironment, Complaint> {
  const display = openDisplay(call.terminal)
  const shows = call.terminal.isInteractive && !process.env['LOG_LEVEL'] ? isNews : () => true
  const env = openEnvironment(call, { shows, around: display.around, ...needs })
  return env.ok ? ok({ ...env.value, display }) : env
}

/** Who looks at the progress and reads the summary needs no line about the rest. */
function isNews({ event, level }: LogLine): boolean {
  return event.endsWith('.retry') || event.startsWith('config.') || level === 'error'
}

export interface Followed {
  readonly run: ShownRun
  /** The server goes on with it. */
  readonly isLeft: boolean
}

/** Starts a run, shows how far it is until it is over, and lets Ctrl-C end it in an orderly way. */
export async function followRun(
  { terminal }: Call,
  { display }: RunEnvironment,
  place: Place | OwnPlace,
  ask: { readonly site: string; readonly channel: string },
): Promise<Result<Followed, Complaint>> {
  const started = await place.ask('POST', `/trigger?${new URLSearchParams({ ...ask })}`)
  if (!started.ok) return started
  const id = String(started.value['runId'])
  const look = () => readRun(place, id)
  const left = new AbortController()
  const restore = catchInterruption(() => {
    display.around(() => terminal.say('Saving what is done. Ctrl-C once more ends at once.'))
    if ('submit' in place) void place.submit.runner.stop()
    else left.abort()
  })
  const hide = showProgress(display, look)
  try {
    const run = 'submit' in place ? await overHere(place, look) : await overThere(look, left.signal)
    return run.ok ? ok({ run: run.value, isLeft: run.value.status === 'running' }) : run
  } finally {
    await hide()
    restore()
  }
}

async function readRun(place: Place, id: string): Promise<Result<ShownRun, Complaint>> {
  const answer = await place.ask('GET', `/api/runs/${encodeURIComponent(id)}`)
  return answer.ok ? ok(answer.value['run'] as ShownRun) : answer
}

type Look = () => Promise<Result<ShownRun, Complaint>>

async function overHere({ submit }: OwnPlace, look: Look): Promise<Result<ShownRun, Complaint>> {
  await submit.runner.idle()
  return look()
}

async function overThere(look: Look, left: AbortSignal): Promise<Result<ShownRun, Complaint>> {
  for (;;) {
    const run = await look()
    if (!run.ok || run.value.status !== 'running' || left.aborted) return run
    await systemClock.sleep(ASK_SERVER_EVERY_MS, left)
  }
}

function showProgress(display: Display, look: Look): () => Promise<void> {
  if (!display.isSeen) return async () => undefined
  const lines = openProgressLines()
  let isOver = false
  let cancel = () => {}
  let underWay = Promise.resolve()
  const show = async () => {
    const run = await look()
    if (isOver) return
    if (run.ok) display.show(lines.of(run.value, systemClock.now()))
    cancel = systemClock.after(LOOK_EVERY_MS, () => {
      underWay = show()
    })
  }
  underWay = show()
  return async () => {
    isOver = true
    cancel()
    await underWay
    display.clear()
  }
}

/** Prints the end of a run, and gives the exit code it means. */
export function tellRun(
  { terminal, answer }: Call,
  { run, isLeft }: Followed,
  { serverUrl }: Place,
): ExitCode {
  answer({ run }, () => undefined)
  sayRun(run, terminal, isLeft ? goesOn(run, serverUrl) : nextSteps(run))
  return run.status === 'succeeded' ? EXIT.done : EXIT.failed
}

function goesOn({ siteId }: ShownRun, serverUrl = ''): readonly string[] {
  return [`The run goes on at ${serverUrl}. See how far it is: sluice status ${siteId}`]
}

function nextSteps({ status, warnings, errors }: ShownRun): readonly string[] {
  switch (status) {
    case 'succeeded':
      return warnings.length > 0
        ? ['Next: look at the warnings above.']
        : ['Next: run it again after your next change; only what is new or changed will be sent.']
    case 'interrupted':
      return ['To go on, run the same command again: what was accepted is not sent twice.']
    case 'partial':
    case 'failed':
    case 'running':
      return errors.length > 0 || warnings.length > 0
        ? ['Next: mend what is named above, then run the same command again; it goes on from here.']
        : ['Next: run the same command again; it goes on from here.']
  }
}
