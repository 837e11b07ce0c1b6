// Runs at the Worker, at length: node test/soak/runs.mjs [bodies, 20000] [kills, 50] [seed, from the clock]
import { importBundled } from '../support/bundle.mjs'

const [bodies = '20000', kills = '50', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const { killWhileRecording, sendMutations, withWorker, randomOf } = await importBundled(
  'soak-runs',
  `export { killWhileRecording, sendMutations } from './test/edge/runs-ordeal.ts'
   export { withWorker } from './test/support/runtime.ts'
   export { random as randomOf } from './test/support/random.ts'`,
)

console.log(`seed ${seed}`)
const random = randomOf(Number(seed))
const wrong = await withWorker('edge/worker.ts', {}, (runtime) => sendMutations(runtime, Number(bodies), random))
console.log(`${bodies} changed bodies: ${wrong.length} answered with 5xx`)
const flaws = await killWhileRecording(Number(kills), () => 20 + random() * 100)
console.log(`${kills} kills: ${flaws.length} flaws`)
for (const line of [...wrong, ...flaws].slice(0, 20)) console.error(line)
process.exitCode = wrong.length + flaws.length === 0 ? 0 : 1
