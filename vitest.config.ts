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
          // test/n8n needs an n8n: `npm run test:n8n`.
          exclude: ['test/worker/inside/**', 'test/n8n/**'],
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
