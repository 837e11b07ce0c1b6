// Discovery: node test/soak/discovery.mjs [lies, 1000] [worlds, 5000] [seed, from the clock]
//
// Lies about zones against delv, made-up worlds of odd zones and servers, and docs/start/domain.md over port 443.
import { spawnSync } from 'node:child_process'

const [lies = '1000', worlds = '5000', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const env = { ...process.env, BLAZON_LIES: lies, BLAZON_WORLDS: worlds, BLAZON_SEED: seed }
const isPassed = (program, ...args) => spawnSync(program, args, { stdio: 'inherit', env }).status === 0

console.log(`seed ${seed}`)
const tests = ['test/discover/dns/lies/lies.test.ts', 'test/attacks/odd-zones.test.ts']
// A lie takes a process of delv: half a second, more on a busy machine.
const patience = String(600_000 + 5_000 * Number(lies) + 1_000 * Number(worlds))
const areSound = isPassed(
  process.execPath,
  'node_modules/vitest/vitest.mjs',
  'run',
  ...tests,
  '--testTimeout',
  patience,
)

// In namespaces of its own, so that the addresses, ports and resolver of this machine stay as they are.
const apart = ['--net', '--mount']
const canSeparate = spawnSync('unshare', [...apart, 'true']).status === 0
if (!canSeparate) console.warn('NOT RUN: docs/start/domain.md over port 443: it takes a network namespace, and root')
const isWalked = !canSeparate || isPassed('unshare', ...apart, process.execPath, 'test/support/port-443.mjs')
process.exitCode = areSound && isWalked ? 0 : 1
