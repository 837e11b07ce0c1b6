import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// test/soak/coverage.mjs runs the tests of the core on a build that counts statements.
const coverage = process.env['BLAZON_COVERAGE'] ? ['test/support/coverage.ts'] : []
const spent = process.env['BLAZON_SPENT'] && process.platform === 'linux' ? ['test/support/spent.ts'] : []

export default defineConfig({
  test: {
    // One more than cores: many tests wait for other processes. Vitest's default leaves a core idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          environment: 'node',
          // The files of a worker share its modules: reading and running these for each file anew was a third of the time.
          // Counting instances of the core needs them for itself.
          isolate: coverage.length > 0,
          // One patience for all, for a machine that does other work: what hangs is told five minutes later.
          testTimeout: 300_000,
          hookTimeout: 900_000,
          expect: { poll: { timeout: 120_000, interval: 50 } },
          setupFiles: ['test/support/fetch.ts', ...spent, ...coverage],
        },
      },
    ],
  },
})
