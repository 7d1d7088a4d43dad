interface Planted {
  readonly bad: readonly (readonly [file: string, source: string, found: string])[]
  readonly good: readonly (readonly [file: string, source: string])[]
}

/** For every rule: files that break it with what it says of them, then files that do not. */
export const PLANTED: Readonly<Record<string, Planted>> = {
  'lets dependencies point inwards only': {
    bad: [
      ['src/core/a.ts', `import { x } from '../stores/b.ts'`, 'src/core/a.ts → src/stores/b.ts'],
      ['src/core/b/c.ts', `export * from "../../submit/x.ts"`, 'src/core/b/c.ts → src/submit/x.ts'],
      ['src/stores/a.ts', `import './sqlite/b.ts'`, 'src/stores/a.ts → src/stores/sqlite/b.ts'],
      [
        'src/stores/kv/a.ts',
        `import '../sqlite/b.ts'`,
        'src/stores/kv/a.ts → src/stores/sqlite/b.ts',
      ],
      ['src/submit/a.ts', `import '../collect/b.ts'`, 'src/submit/a.ts → src/collect/b.ts'],
      [
        'src/collect/a.ts',
        `import type { X } from '../submit/b.ts'`,
        'src/collect/a.ts → src/submit/b.ts',
      ],
      [
        'src/collect/x/a.ts',
        `await import('../../stores/sqlite/b.ts')`,
        'src/collect/x/a.ts → src/stores/sqlite/b.ts',
      ],
      ['src/alerts/a.ts', `import '../submit/b.ts'`, 'src/alerts/a.ts → src/submit/b.ts'],
      ['src/submit/b.ts', `import '../apps/server/c.ts'`, 'src/submit/b.ts → src/apps/server/c.ts'],
      [
        'src/dashboard/a.tsx',
        `import '../stores/kv/b.ts'`,
        'src/dashboard/a.tsx → src/stores/kv/b.ts',
      ],
      [
        'src/submit/c.ts',
        `import {\n  x,\n} from '../dashboard/d.tsx'`,
        'src/submit/c.ts → src/dashboard/d.tsx',
      ],
      ['src/schedule.ts', `import './submit/a.ts'`, 'src/schedule.ts → src/submit/a.ts'],
      ['src/apps/cli/a.ts', `import '../../../demo/b.ts'`, 'src/apps/cli/a.ts → demo/b.ts'],
      ['demo/a.ts', `import '../scripts/b.ts'`, 'demo/a.ts → scripts/b.ts'],
      ['demo/b.ts', `import '../test/cli/support.ts'`, 'demo/b.ts → test/cli/support.ts'],
      ['scripts/a.ts', `import '../src/core/clock.ts'`, 'scripts/a.ts → src/core/clock.ts'],
      ['scripts/b/c.ts', `import '../../test/d.ts'`, 'scripts/b/c.ts → test/d.ts'],
      ['src/elsewhere/a.ts', '', 'src/elsewhere/a.ts is in no zone'],
    ],
    good: [
      [
        'src/core/a.ts',
        `import './ledger/b.ts'\n// import '../apps/x.ts'\n/** from '../submit/y.ts' */`,
      ],
      ['src/stores/sqlite/a.ts', `import '../a.ts'\nimport './b.ts'\nimport '../../core/c.ts'`],
      [
        'src/submit/http/a.ts',
        `import '../run.ts'\nimport '../../stores/a.ts'\nimport '../../schedule.ts'`,
      ],
      ['src/dashboard/a.tsx', `import '../submit/b.ts'\nimport '../collect/c.ts'`],
      [
        'src/apps/server/a.ts',
        `import '../../stores/sqlite/open.ts'\nimport '../../dashboard/b.tsx'`,
      ],
      ['demo/a.ts', `import './b.ts'\nimport '../src/core/c.ts'\nimport '../test/support/d.ts'`],
      ['scripts/a.ts', `import './pack/b.ts'\nimport '../src/submit/shown-run.ts'`],
    ],
  },
  'keeps packages out of the core': {
    bad: [
      ['src/core/a.ts', `import { z } from 'zod'`, 'src/core/a.ts → zod'],
      ['src/core/b.ts', `import type { Hono } from 'hono'`, 'src/core/b.ts → hono'],
    ],
    good: [
      ['src/core/a.ts', `import ipaddr from 'ipaddr.js'`],
      ['src/apps/a.ts', `import { z } from 'zod'`],
    ],
  },
  'keeps Node at the edge': {
    bad: [
      ['src/core/a.ts', `import { readFileSync } from 'node:fs'`, 'src/core/a.ts → node:fs'],
      ['src/stores/sqlite/a.ts', `import 'node:sqlite'`, 'src/stores/sqlite/a.ts → node:sqlite'],
      ['src/submit/a.ts', `await import('node:zlib')`, 'src/submit/a.ts → node:zlib'],
    ],
    good: [
      ['src/stores/sqlite/node-sql.ts', `import { DatabaseSync } from 'node:sqlite'`],
      ['src/apps/server/a.ts', `import 'node:fs'`],
      ['demo/a.ts', `import 'node:fs'`],
    ],
  },
  'has no import cycles': {
    bad: [
      [
        'src/core/a.ts',
        `import './b.ts'`,
        'src/core/a.ts → src/core/b.ts → src/core/c.ts → src/core/a.ts',
      ],
      ['src/core/b.ts', `import './c.ts'`, ''],
      ['src/core/c.ts', `import type { A } from './a.ts'`, ''],
      ['src/core/self.ts', `import './self.ts'`, 'src/core/self.ts → src/core/self.ts'],
    ],
    good: [
      ['src/core/a.ts', `import './b.ts'\nimport './c.ts'`],
      ['src/core/b.ts', `import './c.ts'`],
      ['src/core/c.ts', ''],
    ],
  },
  'hands in time, chance, output, settings and the network': {
    bad: [
      ['src/core/a.ts', 'const now = Date.now()', 'src/core/a.ts: Date.now — take a Clock'],
      ['src/core/b.ts', 'const now = new Date()', 'src/core/b.ts: new Date() — take a Clock'],
      ['src/stores/a.ts', 'setTimeout(f, 1)', 'src/stores/a.ts: setTimeout( — take a Clock'],
      ['src/stores/b.ts', 'setImmediate(f)', 'src/stores/b.ts: setImmediate( — take a Clock'],
      [
        'src/submit/s.ts',
        'fetchIt(AbortSignal.timeout(1))',
        'src/submit/s.ts: AbortSignal.timeout — take a Clock',
      ],
      ['src/submit/a.ts', 'x = Math.random()', 'src/submit/a.ts: Math.random — take a Random'],
      ['src/core/c.ts', 'crypto.randomUUID()', 'src/core/c.ts: crypto.randomUUID — take a Random'],
      ['src/core/d.ts', 'console.log(1)', 'src/core/d.ts: console. — take a Log'],
      [
        'src/collect/a.ts',
        'const { A } = process.env',
        'src/collect/a.ts: process. — take a setting',
      ],
      ['src/submit/b.ts', 'await fetch(url)', 'src/submit/b.ts: fetch( — take an HttpClient'],
      [
        'src/apps/server/a.ts',
        'date.getHours()',
        'src/apps/server/a.ts: .getHours( — use utcDayOf: local time is never meant',
      ],
      [
        'scripts/a.ts',
        'date.getDay()',
        'scripts/a.ts: .getDay( — use utcDayOf: local time is never meant',
      ],
    ],
    good: [
      ['src/core/clock.ts', 'Date.now(); setTimeout(f, 1)'],
      ['src/core/random.ts', 'Math.random()'],
      ['src/core/http.ts', 'fetch(url)'],
      ['src/apps/server/b.ts', 'console.log(process.env, Date.now())'],
      ['demo/b.ts', 'process.stdout.write(Date.now())'],
      [
        'src/core/e.ts',
        '// Not Date.now(): it is ambient.\n/**\n * console.log would do.\n */\nclock.now()',
      ],
      [
        'src/core/f.ts',
        `log.info('process.started', new Date(at).toISOString(), at.getUTCHours())`,
      ],
      ['src/submit/d.ts', 'await http.fetch(url); await refetch(url)'],
    ],
  },
  'does not know what the mirror is': {
    bad: [
      ['src/collect/a.ts', '// then Feishu has it', 'src/collect/a.ts: Feishu'],
      ['src/collect/http/b.ts', 'const bitableToken = 1', 'src/collect/http/b.ts: bitable'],
      ['src/stores/sqlite/c.ts', 'toLark(row)', 'src/stores/sqlite/c.ts: Lark'],
      ['src/stores/lark-store.ts', '', 'src/stores/lark-store.ts: lark'],
      ['src/collect/d.ts', '// 飞书', 'src/collect/d.ts: 飞书'],
    ],
    good: [
      ['src/collect/a.ts', 'the mirror; Clark, skylarking'],
      ['src/apps/webhook.ts', 'feishu'],
    ],
  },
  'has no file too long to read': {
    bad: [['src/core/a.ts', 'x\n'.repeat(401), 'src/core/a.ts: 401 lines']],
    good: [['src/core/a.ts', 'x\n'.repeat(400)]],
  },
  'has no name that says nothing': {
    bad: [
      ['src/core/url-utils.ts', '', 'src/core/url-utils.ts: utils'],
      ['src/core/helper.ts', '', 'src/core/helper.ts: helper'],
      ['src/common/a.ts', '', 'src/common/a.ts: common'],
      ['src/submit/quota-manager.ts', '', 'src/submit/quota-manager.ts: manager'],
      ['src/submit/types.ts', '', 'src/submit/types.ts: types.ts'],
      ['src/dashboard/index.tsx', '', 'src/dashboard/index.tsx: index.tsx'],
    ],
    good: [
      ['src/core/reading-index.ts', ''],
      ['src/core/utility-bill.ts', ''],
    ],
  },
  'reveals a secret only where it is listed': {
    bad: [
      ['src/core/log.ts', 'key\n  .reveal()', 'src/core/log.ts reveals a secret'],
      ['src/apps/server/a.ts', 'token?.reveal()', 'src/apps/server/a.ts reveals a secret'],
    ],
    good: [
      ['src/submit/channels/indexnow/request.ts', 'key.reveal()'],
      ['src/core/secret.ts', 'reveal(): string {}'],
    ],
  },
}
