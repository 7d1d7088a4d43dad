import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // SLUICE_MEASURE=1: how fast it is, instead of whether it is right.
    include: [`test/n8n/**/*.${process.env.SLUICE_MEASURE ? 'measure' : 'test'}.ts`],
    // An n8n takes a gigabyte and half a minute to start: one at a time.
    fileParallelism: false,
    // Another program's start and schedule are part of every test here: what fails once is tried once more.
    retry: 1,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
