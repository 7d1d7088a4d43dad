import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { answerOutside } from './test/worker/inside/outside.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/worker/inside/**'],
          testTimeout: 60_000,
          globalSetup: ['test/support/postgres-for-all.ts'],
        },
      },
      {
        plugins: [
          cloudflareTest({
            main: './test/worker/inside/bare-object.ts',
            miniflare: {
              compatibilityDate: '2026-09-01',
              durableObjects: {
                BARE: { className: 'BareObject', useSQLite: true },
                SITES: { className: 'SiteRunner', useSQLite: true },
                DIRECTORY: { className: 'SiteDirectory', useSQLite: true },
              },
              kvNamespaces: ['SLUICE_KV'],
              bindings: { ADMIN_TOKEN: 'token-of-the-inside-test', LOG_LEVEL: 'error' },
              outboundService: answerOutside,
            },
          }),
        ],
        test: { name: 'workerd', include: ['test/worker/inside/**/*.test.ts'] },
      },
    ],
  },
})
