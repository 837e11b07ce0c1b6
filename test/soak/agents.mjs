// An agent at the Worker on the local runtime: node test/soak/agents.mjs [kills, 50] [seed, from the clock]
//
// Messages, tasks, callbacks and invitations of four agents, who are found by a real DNS, all at once; SIGKILL in the middle, again
// and again. Afterwards what was acknowledged has to be there once, and nothing was taken twice.
import { importBundled } from '../support/bundle.mjs'

const [kills = '50', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const { ordealOfAgents, randomOf } = await importBundled(
  'soak-agents',
  `export { ordealOfAgents } from './test/edge/ordeal.ts'
   export { random as randomOf } from './test/support/random.ts'`,
)

console.log(`seed ${seed}`)
const plan = { kills: Number(kills), life: [500, 4_000], random: randomOf(Number(seed)) }
const { flaws, ...figures } = await ordealOfAgents(plan, console.log)
console.log(figures)
for (const flaw of flaws.slice(0, 20)) console.error(flaw)
console.log(`${flaws.length} flaws`)
process.exitCode = flaws.length === 0 ? 0 : 1
