// What attackers tried, at length: node test/soak/attacks.mjs [scale, 1] [seed, from the clock]
// test/attacks/README.md has the table of it all; what npm test runs of this is a slice.
import { spawnSync } from 'node:child_process'
import { importBundled } from '../support/bundle.mjs'
import { peer } from '../support/peers.mjs'

const [scale = '1', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const times = (count) => Math.ceil(count * Number(scale))
const MOST_MILLISECONDS = 100
const LENGTHS = [1_000, 10_000, 100_000]

const { attackDocuments, attackDoubles, attackExports, EXPRESSIONS, nestedCounts, randomOf, slowCalls } =
  await importBundled(
    'soak-attacks',
    `export { attackDocuments, attackDoubles } from './test/attacks/canonical.ts'
     export { attackExports } from './test/attacks/exports.ts'
     export { slowCalls } from './test/attacks/patterns.ts'
     export { EXPRESSIONS, nestedCounts } from './test/schema/expressions.ts'
     export { random as randomOf } from './test/support/random.ts'`,
  )
const { default: canonicalizeOfPeer } = await peer('canonicalize')

const slow = (expressions) =>
  slowCalls(expressions, LENGTHS, MOST_MILLISECONDS).map((call) => `slow: ${JSON.stringify(call)}`)
const random = randomOf(Number(seed))
const attacks = {
  doubles: [10_000_000, (count) => attackDoubles(count, Number(seed))],
  'documents against two other canonicalizers': [
    300_000,
    (count) => attackDocuments(count, Number(seed), canonicalizeOfPeer),
  ],
  "inputs at the module's exports": [316_700, (count) => attackExports(count, Number(seed))],
  'expressions of the table': [EXPRESSIONS.length, () => slow(EXPRESSIONS)],
  'expressions of nested counts': [20_000, (count) => slow(Array.from({ length: count }, () => nestedCounts(random)))],
}

console.log(`seed ${seed}`)
for (const [name, [count, attack]] of Object.entries(attacks)) {
  const begun = performance.now()
  const tries = count === EXPRESSIONS.length ? count : times(count)
  const wrong = attack(tries)
  console.log(`${tries} ${name}: ${wrong.length} wrong (${((performance.now() - begun) / 1000).toFixed(0)} s)`)
  for (const line of wrong.slice(0, 10)) console.error(line)
  if (wrong.length > 0) process.exitCode = 1
}

const tests = ['test/attacks/growth.test.ts', 'test/attacks/growth-splits.test.ts']
const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...tests, '--testTimeout', '3600000']
const env = { ...process.env, BLAZON_GROWTH: 'whole', BLAZON_SEED: seed }
if (spawnSync(process.execPath, vitest, { stdio: 'inherit', env }).status !== 0) process.exitCode = 1
