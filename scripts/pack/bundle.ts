import { isBuiltin } from 'node:module'
import { basename } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { oneFileOf } from './one-file.ts'

export interface Bundle {
  /** The whole program: a file that Node runs as it is. */
  readonly text: string
  /** What went into it, for the licences. */
  readonly inputs: Metafile['inputs']
}

export async function bundle(entry: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: { [PROGRAM]: entry },
    outdir: 'parts',
    write: false,
    bundle: true,
    metafile: true,
    // The packages' paths become names in the file: as the checkout writes them, wherever they really lie.
    preserveSymlinks: true,
    platform: 'node',
    format: 'esm',
    target: `node${REQUIRED_MAJOR}`,
    // A command is a part of its own, and so is what several of them share: only what runs is compiled.
    splitting: true,
    chunkNames: '[name]-[hash]',
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: true,
    // They are all in LICENSES.txt.
    legalComments: 'none',
    // Packages of the old kind ask for Node's own modules this way, and for nothing else.
    banner: { js: 'const require=process.getBuiltinModule;' },
    plugins: [versionAlone, assetsInside, englishAlone, spawnWhenNeeded, builtinsAsTheyAre],
    logLevel: 'warning',
  })
  const parts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const text = oneFileOf(parts, { start: `${PROGRAM}.js`, requiredMajor: REQUIRED_MAJOR })
  return { text, inputs: metafile.inputs }
}

const PROGRAM = 'program'
const REQUIRED_MAJOR = 24

/** The program reads its version from package.json; the rest of it is nobody's business. */
const versionAlone: Plugin = {
  name: 'version-alone',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]package\.json$/ }, async ({ path }) => {
      const manifest = (await import(path, { with: { type: 'json' } })) as {
        readonly default: { readonly version: string }
      }
      return { contents: JSON.stringify({ version: manifest.default.version }), loader: 'json' }
    })
  },
}

/** Of others, and put into the program as text: their licence is named too. */
export const assetFiles = ['node_modules/uplot/dist/uPlot.iife.min.js']

/** The files of the pages go into the program: there is no folder beside it. */
const assetsInside: Plugin = {
  name: 'assets-inside',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]dashboard-assets\.ts$/ }, async ({ path }) => {
      const { dashboardAssets } = (await import(path)) as {
        readonly dashboardAssets: () => unknown
      }
      const assets = JSON.stringify(dashboardAssets())
      return { contents: `export const dashboardAssets = () => (${assets})`, loader: 'js' }
    })
  },
}

/** Zod can tell what is wrong in fifty languages; Sluice has its own words. */
const englishAlone: Plugin = {
  name: 'english-alone',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js'`,
      loader: 'js',
    }))
  },
}

/** The command line's library could start other programs, which takes a fifth of a start to load; Sluice has none. */
const spawnWhenNeeded: Plugin = {
  name: 'spawn-when-needed',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      /[/\\]commander[/\\]/.test(importer) ? { path, namespace: 'when-needed' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'when-needed' }, ({ path }) => ({
      contents: `export default { spawn: (...how) => process.getBuiltinModule('${path}').spawn(...how) }`,
      loader: 'js',
    }))
  },
}

/**
 * To import one of Node's modules makes Node read all that it exports, and with that load worker threads, readline and
 * more that it would only load when asked: another fifth of a start.
 */
const builtinsAsTheyAre: Plugin = {
  name: 'builtins-as-they-are',
  setup({ onResolve, onLoad }) {
    // Some packages leave the `node:` out.
    onResolve({ filter: /^[a-z0-9:/_]+$/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path, namespace: 'builtin' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
      loader: 'js',
    }))
  },
}
