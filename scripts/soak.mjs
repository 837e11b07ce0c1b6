// `npm run soak [-- NAME...]`: the long runs of test/soak, one after the other, each with its own progress.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureInstalled, installPackages } from './setup.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
ensureInstalled({ tests: true })
await installPackages()
if (!existsSync('dist/index.js')) run('scripts/build.mjs')

const all = readdirSync('test/soak')
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4))
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !all.includes(name))
if (unknown !== undefined) {
  console.error(`soak: expected some of ${all.join(', ')}, got ${unknown}`)
  process.exit(2)
}

const failed = (wanted.length > 0 ? wanted : all).filter((name) => {
  console.log(`\n== ${name}`)
  const start = performance.now()
  const passed = run(`test/soak/${name}.mjs`)
  console.log(`${passed ? 'ok' : 'FAILED'}  ${name} (${((performance.now() - start) / 60_000).toFixed(1)} min)`)
  return !passed
})
console.log(failed.length === 0 ? 'all passed' : `failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

function run(script) {
  return spawnSync(process.execPath, [script], { stdio: 'inherit' }).status === 0
}
