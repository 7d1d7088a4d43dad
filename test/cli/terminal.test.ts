import { describe, expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { breaks } from '../support/stand-ins/stand-in.ts'
import { KEY } from '../support/world.ts'
import { asked, openCliWorld, sluice, startSluice } from './support.ts'

/** Whoever is interrupted cannot know whether these arrived. */
const IN_FLIGHT = 3
const ESCAPE = '\u001B'
const REDRAW = new RegExp(String.raw`${ESCAPE}\[\d+A${ESCAPE}\[0J`)
const COLOUR = new RegExp(String.raw`${ESCAPE}\[3\dm`)

describe('in a terminal', () => {
  scenario('X07', 'shows how far each engine is, drawn anew in its place', async () => {
    const { submit, engine } = await openCliWorld(30)
    const env = { REQUEST_INTERVAL_MS: '80' }

    const { code, stdout } = await sluice(submit('--mode', 'get'), { columns: 100, env })

    expect(code).toBe(0)
    const host = new URL(engine.origin).host
    expect(stdout).toMatch(new RegExp(`${host} +[━─]{20} +\\d+/30`))
    expect(stdout).toMatch(/\d\/s {2}\d+\.\d s left/)
    expect(stdout).toMatch(REDRAW)
    expect(stdout).toMatch(COLOUR)
    expect(stdout).toMatch(/✔.* 127\.0\.0\.1:\d+: succeeded in/)
    expect(stdout).toMatch(/ 30 +30 +0 +0/)
    expect(stdout).not.toContain('INFO')
    expect(stdout).not.toContain(KEY)
  })

  scenario('X07', 'draws no line wider than the terminal', async () => {
    const { submit } = await openCliWorld(20)
    const env = { REQUEST_INTERVAL_MS: '120' }

    const { stdout } = await sluice(submit('--mode', 'get'), { columns: 30, env })

    const drawn = stdout.split(/\r?\n/).filter((line) => /[━─]/.test(line))
    const widths = drawn.map((line) => line.replace(REDRAW, '').length)
    expect(widths.length).toBeGreaterThan(0)
    expect(Math.max(...widths)).toBeLessThan(30)
  })

  scenario('X07', 'NO_COLOR takes the colours away, --quiet the rest', async () => {
    const { submit } = await openCliWorld(3)

    const plain = await sluice(submit(), { columns: 80, env: { NO_COLOR: '1' } })
    const quiet = await sluice(submit('--quiet'), { columns: 80 })

    expect(plain.stdout).toContain('✔ 127.0.0.1')
    expect(plain.stdout).not.toMatch(COLOUR)
    expect(quiet).toMatchObject({ code: 0, stdout: '' })
  })

  scenario('X07', 'FORCE_COLOR gives a pipe its colours', async () => {
    const { submit } = await openCliWorld(3)

    const { stderr } = await sluice(submit(), { env: { FORCE_COLOR: '1' } })

    expect(stderr).toMatch(COLOUR)
  })

  scenario('S29', 'Ctrl-C saves, says how to go on, and the next run sends the rest', async () => {
    const { submit, engine, urls } = await openCliWorld(30)
    const env = { REQUEST_INTERVAL_MS: '300' }
    const command = startSluice(submit('--mode', 'get'), { columns: 100, env })
    await asked(engine, 5)

    command.type('\u0003')
    const interrupted = await command.ended
    const taken = engine.received.size
    const { code, stdout } = await sluice(submit('--json'))

    expect(interrupted.code).toBe(1)
    expect(interrupted.stdout).toContain('Saving what is done. Ctrl-C once more ends at once.')
    expect(interrupted.stdout).toContain(': interrupted in')
    expect(interrupted.stdout).toContain('To go on, run the same command again')
    expect(taken).toBeLessThan(30)
    expect(code).toBe(0)
    const { run } = JSON.parse(stdout) as { run: { status: string; cached: number } }
    expect(run.status).toBe('succeeded')
    expect(run.cached).toBeGreaterThanOrEqual(taken - IN_FLIGHT)
    expect([...engine.received.keys()].sort()).toEqual([...urls(30)].sort())
    expect(engine.sentAgainTooSoon().length).toBeLessThanOrEqual(IN_FLIGHT)
  })
})

describe('signals', () => {
  scenario('S29', 'SIGINT in a pipe does the same', async () => {
    const { submit, engine } = await openCliWorld(30)
    const env = { REQUEST_INTERVAL_MS: '300' }
    const command = startSluice(submit('--mode', 'get', '--json'), { env })
    await asked(engine, 5)

    command.send('SIGINT')
    const interrupted = await command.ended
    await sluice(submit())

    expect(interrupted.code).toBe(1)
    expect(JSON.parse(interrupted.stdout)).toMatchObject({ run: { status: 'interrupted' } })
    expect(engine.received.size).toBe(30)
    expect(engine.sentAgainTooSoon().length).toBeLessThanOrEqual(IN_FLIGHT)
  })

  scenario('X07', 'a second one ends at once, though an engine does not answer', async () => {
    const { submit, engine } = await openCliWorld(3)
    engine.always(breaks('hang'))
    const command = startSluice(submit(), { columns: 80 })
    await asked(engine, 1)

    command.type('\u0003')
    command.type('\u0003')
    const { code } = await command.ended

    expect(code).toBe(1)
  })
})

describe('two at once', () => {
  scenario('R03', 'the second on one folder ends with 3; looking is always possible', async () => {
    const { submit, engine, folder, site } = await openCliWorld(3)
    engine.always(breaks('hang'))
    const first = startSluice(submit(), {})
    await asked(engine, 1)

    const second = await sluice(submit('--json'))
    const status = await sluice(['status', '--data', folder, '--json'])
    first.send('SIGKILL')
    await first.ended

    expect(second.code).toBe(3)
    expect(JSON.parse(second.stdout)).toMatchObject({ error: { code: 'LOCKED' } })
    expect(second.stderr).toContain('Wait for it to end, or give this one a folder of its own')
    expect(status.code).toBe(0)
    expect(JSON.parse(status.stdout)).toMatchObject({ status: 'running', siteId: site.host })
  })
})
