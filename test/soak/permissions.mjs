// Random definitions, settings and requests through the conversions: node test/soak/permissions.mjs [requests, 100000] [seed]
import { importBundled } from '../support/bundle.mjs'

const [count = '100000', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const { flawOf, random } = await importBundled(
  'soak-permissions',
  `export { flawOf } from './test/convert/runner-requests.ts'
   export { random } from './test/support/random.ts'`,
)

console.log(`seed ${seed}`)
const next = random(Number(seed))
const seen = { requests: 0, allowed: 0 }
let flaw
while (seen.requests < Number(count) && flaw === undefined) flaw = flawOf(next, 20, seen)
console.log(
  flaw ?? `${seen.requests} requests, ${seen.allowed} of them allowed: no conversion grants more than its source`,
)
process.exitCode = flaw === undefined ? 0 : 1
