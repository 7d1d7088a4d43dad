import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/n8n/**/*.test.ts'],
    // An n8n takes a gigabyte and half a minute to start: one at a time.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
