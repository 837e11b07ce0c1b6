// What others send, changed by chance: node test/soak/foreign.mjs [scale, 1] [seed, from the clock]
// A million inputs at scale 1 (test/attacks/foreign.ts has the targets); npm test runs a slice.
import { importBundled } from '../support/bundle.mjs'

const [scale = '1', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const COUNTS = {
  'answers of the DNS': 300_000,
  traces: 50_000,
  metadata: 250_000,
  invitations: 100_000,
  messages: 200_000,
  'strict messages': 100_000,
}
const SLICE = 10_000

const { attackForeign } = await importBundled(
  'soak-foreign',
  `export { attackForeign } from './test/attacks/foreign.ts'`,
)

console.log(`seed ${seed}`)
let wrong = 0
for (const [name, count] of Object.entries(COUNTS)) {
  const all = Math.ceil(count * Number(scale))
  const begun = performance.now()
  for (let done = 0; done < all; done += SLICE) {
    const faults = await attackForeign(name, Math.min(SLICE, all - done), Number(seed) + done)
    for (const fault of faults) console.error(fault)
    wrong += faults.length
    console.log(
      `${name}: ${Math.min(all, done + SLICE)} of ${all}, ${((performance.now() - begun) / 1000).toFixed(0)} s`,
    )
  }
}
console.log(`${wrong} inputs were not taken as they should be`)
process.exitCode = wrong === 0 ? 0 : 1
