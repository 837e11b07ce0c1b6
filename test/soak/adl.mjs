// Random ADL documents: node test/soak/adl.mjs [documents, 100000] [seed, from the clock]
// Whatever stands wherever, checking ends in a report within its limits (test/adl/sound.ts says what that is).
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { importBundled } from '../support/bundle.mjs'

const [count = '100000', seed = String(Date.now() % 1e9)] = process.argv.slice(2)
const FOLDER = 'fixtures/adl/rules'

const { flaw, mutations } = await importBundled('soak-adl', `export * from './test/adl/sound.ts'`)
const documents = readdirSync(FOLDER).map((file) => parse(readFileSync(`${FOLDER}/${file}`, 'utf8')).good)

console.log(`seed ${seed}`)
const next = mutations(documents, Number(seed))
const start = performance.now()
let wrong = 0
for (let i = 1; i <= Number(count); i++) {
  const bytes = next()
  const found = flaw(bytes)
  if (found !== undefined && wrong++ < 10) console.error(`${found}\n  ${new TextDecoder().decode(bytes)}`)
  if (i % 20_000 === 0) console.log(`${i} documents, ${((performance.now() - start) / 1000).toFixed(0)} s`)
}
console.log(`${wrong} reports were not as they should be`)
process.exitCode = wrong === 0 ? 0 : 1
