// MCP servers and kill -9: node test/soak/agents-servers.mjs [times, 100] [seed, from the clock]
//
// `blazon agent lock` starts real servers, one behind npx, and one that ignores every wish to end. A server, or Blazon,
// is killed after a random time, each so many times. No process may be left.
import { importBundled } from '../support/bundle.mjs'
import { serverKills } from '../support/server-kills.mjs'

const [times = '100', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const { random } = await importBundled('soak-agents-servers', `export { random } from './test/support/random.ts'`)

console.log(`seed ${seed}`)
const say = (line) => process.stderr.isTTY && process.stderr.write(`\r${line}`)
const { hits, flaws } = await serverKills({ times: Number(times), random: random(Number(seed)), say })
for (const flaw of flaws) console.error(flaw)
console.log(`killed ${hits.server} servers and Blazon ${hits.blazon} times: ${flaws.length} processes left`)
process.exitCode = flaws.length === 0 ? 0 : 1
