import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [{ test: { name: 'node', include: ['test/**/*.test.ts'], environment: 'node', testTimeout: 120_000 } }],
  },
})
