// What attackers tried, at length: node test/soak/attacks.mjs [expressions, 20000] [seed, from the clock]
// test/attacks/README.md has the table of it all; what npm test runs of it is a slice.
import { importBundled } from '../support/bundle.mjs'

const [count = '20000', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const MOST_MILLISECONDS = 100
const LENGTHS = [1_000, 10_000, 100_000]

const { EXPRESSIONS, nestedCounts, randomOf, slowCalls } = await importBundled(
  'soak-attacks',
  `export { slowCalls } from './test/attacks/patterns.ts'
   export { EXPRESSIONS, nestedCounts } from './test/schema/expressions.ts'
   export { random as randomOf } from './test/support/random.ts'`,
)

console.log(`seed ${seed}`)
const random = randomOf(Number(seed))
const made = Array.from({ length: Number(count) }, () => nestedCounts(random))
let failed = 0
for (const [name, expressions] of Object.entries({ 'the table': EXPRESSIONS, 'nested counts': made })) {
  const slow = slowCalls(expressions, LENGTHS, MOST_MILLISECONDS)
  console.log(`${name}: ${expressions.length} expressions at ${LENGTHS.join(', ')} characters, ${slow.length} slow`)
  for (const call of slow.slice(0, 10)) console.error(call)
  failed += slow.length
}
process.exitCode = failed === 0 ? 0 : 1
