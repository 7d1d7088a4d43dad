import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          testTimeout: 60_000,
          globalSetup: ['test/support/postgres-for-all.ts'],
        },
      },
    ],
  },
})
