// Random ranges of versions against npm's semver: node test/soak/versions.mjs [ranges, 100000] [seed, from the clock]
// test/agentlang/versions-peer.ts makes them; npm test runs a slice.
import { importBundled } from '../support/bundle.mjs'

const [count = '100000', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const SLICE = 10_000

const { disagreements } = await importBundled(
  'soak-versions',
  `export { disagreements } from './test/agentlang/versions-peer.ts'`,
)

console.log(`seed ${seed}`)
let wrong = 0
for (let done = 0; done < Number(count); done += SLICE) {
  const found = disagreements(Math.min(SLICE, Number(count) - done), Number(seed) + done)
  for (const line of found) console.error(line)
  wrong += found.length
  console.log(`${Math.min(done + SLICE, Number(count))} ranges, ${wrong} disagreements`)
}
process.exitCode = wrong === 0 ? 0 : 1
