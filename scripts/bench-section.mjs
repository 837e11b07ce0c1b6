// Measures one module of test/bench once, and writes the results to stdout as JSON. `scripts/bench.mjs` calls this.
import { measure } from '../test/bench/harness.mjs'
import { peer } from './peers.mjs'

const { title, notes = [], cases } = await import(`../test/bench/${process.argv[2]}.mjs`)
const rows = []
// Jobs may be made one after the other, so that the data of one is not in the heap during those before it.
for await (const job of await cases({ peer })) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${title}: ${job.name}`)
  rows.push(...(await measure(job)))
}
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')
console.log(JSON.stringify({ title, notes, rows }))
