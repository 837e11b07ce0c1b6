// The directory on the local runtime: node test/soak/directory.mjs [kills, 50] [agents, 1000] [seed, from the clock]
//
// As many writers as agents, and as many readers, all at once; SIGKILL in the middle, again and again, while shards are added.
// Afterwards every acknowledged card has to be there, none twice, none stale; and no answer may have had an old one.
import { importBundled } from '../support/bundle.mjs'

const [kills = '50', agents = '1000', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const { ordeal, prepareSite, randomOf } = await importBundled(
  'soak-directory',
  `export { ordeal } from './test/edge/directory/ordeal.ts'
   export { prepareSite } from './test/support/runtime.ts'
   export { random as randomOf } from './test/support/random.ts'`,
)

console.log(`seed ${seed}`)
const site = await prepareSite('edge/worker.ts')
const plan = {
  kills: Number(kills),
  agents: Number(agents),
  writers: Number(agents),
  readers: Number(agents),
  life: [20, 250],
  growEvery: 7,
  random: randomOf(Number(seed)),
}
try {
  const { flaws, ...figures } = await ordeal(site, plan, console.log)
  console.log(figures)
  for (const flaw of flaws.slice(0, 20)) console.error(flaw)
  console.log(`${flaws.length} flaws`)
  process.exitCode = flaws.length === 0 ? 0 : 1
} finally {
  site.remove()
}
