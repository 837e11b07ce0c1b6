// Recorders and hooks under load: node test/soak/runs.mjs [kills, 50] [streams, 200] [hooks, 50] [seed, from the clock]
//
// SIGKILL in the middle of 200 streams, again and again, and 50 hooks of one session at once. Afterwards every acknowledged line
// has to be there once, in order.
import { importBundled } from '../support/bundle.mjs'

const [kills = '50', streams = '200', hooks = '50', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const { crowdHooks, killRecorders, random } = await importBundled(
  'soak-runs',
  `export { crowdHooks, killRecorders } from './test/runs/record/ordeal.ts'
   export { random } from './test/support/random.ts'`,
)

console.log(`seed ${seed}`)
const plan = { kills: Number(kills), streams: Number(streams), life: [50, 2000], random: random(Number(seed)) }
const { flaws, acknowledged } = await killRecorders(plan)
const crowd = await crowdHooks(Number(hooks))
console.log(`${acknowledged} lines acknowledged before ${kills} kills, ${hooks} hooks at once, ${crowd.late} too late`)
for (const flaw of [...flaws, ...crowd.flaws].slice(0, 20)) console.error(flaw)
console.log(`${flaws.length + crowd.flaws.length} flaws`)
process.exitCode = flaws.length + crowd.flaws.length === 0 ? 0 : 1
