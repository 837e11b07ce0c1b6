// Canonical bytes against the npm package `canonicalize`: node test/soak/peer.mjs [documents, 100000] [seed, 1]
//
// Documents are spelled oddly, half of them damaged too. The package stands on JSON.parse, which lets pass what Blazon
// refuses: duplicate names, halves of surrogate pairs, numbers beyond the doubles, malformed UTF-8. These faults are
// counted apart; a refusal of any other kind must be one of JSON.parse as well.

import { importBundled } from '../support/bundle.mjs'
import { peer } from '../support/peers.mjs'

const [count = '100000', seed = '1'] = process.argv.slice(2)
const STRICTER = new Set([
  'json/duplicate-member',
  'json/lone-surrogate',
  'json/number-overflow',
  'json/utf-8',
  'json/depth',
])

const { documents } = await importBundled('soak-peer', `export * from './test/support/documents.ts'`)
const { canonicalize, DocumentError } = await import('blazon')
const { default: theirs } = await peer('canonicalize')

const make = documents(Number(seed))
const encoder = new TextEncoder()
const decoder = new TextDecoder()
const tally = { equal: 0, refusedByBoth: 0, stricter: {} }
let wrong = 0
for (let i = 0; i < Number(count); i++) {
  const spelled = encoder.encode(make.spell(make.value(4)))
  const bytes = i % 2 === 0 ? spelled : make.damage(spelled)
  const ours = attempt(() => decoder.decode(canonicalize(bytes)))
  const other = attempt(() => theirs(JSON.parse(decoder.decode(bytes))))
  if (ours.value !== undefined && ours.value === other.value) tally.equal++
  else if (ours.value === undefined && other.value === undefined) tally.refusedByBoth++
  else if (STRICTER.has(ours.rule)) tally.stricter[ours.rule] = (tally.stricter[ours.rule] ?? 0) + 1
  else {
    wrong++
    console.error(`disagreement: ${JSON.stringify(decoder.decode(bytes))}\n  ${JSON.stringify({ ours, other })}`)
    if (wrong === 20) break
  }
}
console.log(`${count} documents: ${tally.equal} equal, ${tally.refusedByBoth} refused by both, ${wrong} disagreements`)
for (const [rule, times] of Object.entries(tally.stricter)) console.log(`  ${times} refused for ${rule}`)
process.exitCode = wrong === 0 ? 0 : 1

function attempt(work) {
  try {
    return { value: work() }
  } catch (error) {
    return error instanceof DocumentError ? { rule: error.diagnostics[0].rule } : { rule: error.name }
  }
}
