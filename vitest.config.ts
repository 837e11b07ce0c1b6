import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// scripts/coverage.mjs runs the tests of the core on a build that counts statements.
const setupFiles = process.env['BLAZON_COVERAGE'] ? ['test/support/coverage.ts'] : []

export default defineConfig({
  test: {
    // One for each core; Vitest leaves one free, which of two is half of the time.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          environment: 'node',
          testTimeout: 120_000,
          // Servers, browsers and packages are made ready in hooks.
          hookTimeout: 120_000,
          // A page may show its results late: the default patience of a second is short on a busy machine.
          expect: { poll: { timeout: 30_000, interval: 20 } },
          setupFiles,
        },
      },
    ],
  },
})
