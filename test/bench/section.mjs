// Measures one module of test/bench once, and writes the results to stdout as JSON. scripts/bench.mjs calls this.

import { peer } from '../support/peers.mjs'
import { measure } from './harness.mjs'

const { title, notes = [], cases } = await import(`./${process.argv[2]}.mjs`)
const rows = []
// Cases are made one after the other, so that the data of a later one is not in the heap while an earlier one runs.
for await (const job of await cases({ peer })) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${title}: ${job.name}`)
  rows.push(...(await measure(job)))
}
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
console.log(JSON.stringify({ title, notes, rows }))
