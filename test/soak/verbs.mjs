// Random ADL documents at every verb: node test/soak/verbs.mjs [documents, 10000] [seed, from the clock]
// None throws but what it says, and none takes long (test/adl/sound-verbs.ts has the verbs).
import { importBundled } from '../support/bundle.mjs'

const [count = '10000', seed = String(Date.now() % 1e9)] = process.argv.slice(2)

const { catalogue, flawOfVerbs, mutations, slowCases } = await importBundled(
  'soak-verbs',
  `export * from './test/adl/sound-verbs.ts'\nexport { mutations } from './test/adl/sound.ts'`,
)

console.log(`seed ${seed}`)
const next = mutations(catalogue(), Number(seed))
const start = performance.now()
let wrong = 0
let before = next()
for (let i = 1; i <= Number(count); i++) {
  const source = next()
  const found = await flawOfVerbs({ source, before })
  if (found !== undefined && wrong++ < 10) console.error(`${found}\n  ${new TextDecoder().decode(source)}`)
  if (i % 1000 === 0) console.log(`${i} documents, ${((performance.now() - start) / 1000).toFixed(0)} s`)
  before = source
}
for (const [title, given] of slowCases(1_000_000)) {
  const begin = performance.now()
  const found = await flawOfVerbs(given)
  if (found !== undefined && wrong++ < 20) console.error(`${title}: ${found}`)
  console.log(`a megabyte of ${title}: ${((performance.now() - begin) / 1000).toFixed(1)} s`)
}
console.log(`${wrong} documents were not taken as they should be`)
process.exitCode = wrong === 0 ? 0 : 1
