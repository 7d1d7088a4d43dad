import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: ['test/worker/inside/**'],
          testTimeout: 60_000,
        },
      },
      {
        plugins: [
          cloudflareTest({
            main: './test/worker/inside/bare-object.ts',
            miniflare: {
              compatibilityDate: '2026-09-01',
              durableObjects: { BARE: { className: 'BareObject', useSQLite: true } },
            },
          }),
        ],
        test: { name: 'workerd', include: ['test/worker/inside/**/*.test.ts'] },
      },
    ],
  },
})
