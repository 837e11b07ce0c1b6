// An agent on the local runtime: node test/soak/agents.mjs [kills, 50] [seed, from the clock]
//
// Messages, tasks, invitations and results all at once; SIGKILL in the middle, again and again. Afterwards everything that was
// acknowledged has to be there, once, and what was taken is taken no second time.
import { importBundled } from '../support/bundle.mjs'

const [kills = '50', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const { ordeal, randomOf } = await importBundled(
  'soak-agents',
  `export { ordeal } from './test/edge/agent-ordeal.ts'
   export { random as randomOf } from './test/support/random.ts'`,
)

console.log(`seed ${seed}`)
const plan = { kills: Number(kills), life: [40, 200], random: randomOf(Number(seed)) }
const { flaws, ...figures } = await ordeal(plan, console.log)
console.log(figures)
for (const flaw of flaws.slice(0, 20)) console.error(flaw)
console.log(`${flaws.length} flaws`)
process.exitCode = flaws.length === 0 ? 0 : 1
