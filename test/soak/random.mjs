// The random tests with all their cases: node test/soak/random.mjs
// `npm test` runs a fifth of each (test/support/cases.ts).
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { filesOf } from '../../scripts/files.mjs'

const isRandom = (file) =>
  file.endsWith('.test.ts') && /\/(?:support\/cases|sound)\.ts'/.test(readFileSync(file, 'utf8'))
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--testTimeout',
  '3600000',
  ...filesOf('test').filter(isRandom),
]
const env = { ...process.env, BLAZON_CASES: 'whole' }
process.exitCode = spawnSync(process.execPath, vitest, { stdio: 'inherit', env }).status ?? 1
