// Ten million published ES6 numbers by hash, each read back: node test/soak/numbers.mjs [lines, at most 100000000]
// The suite lies in BLAZON_SUITES or ../shared/suites; `npm run build` comes first.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { formatNumber, readNumber } from 'blazon/core'

const most = Number(process.argv[2] ?? 10_000_000)
const suites = resolve(process.env.BLAZON_SUITES ?? '../shared/suites')
const { PUBLISHED, verify } = await import(pathToFileURL(`${suites}/es6numbers/gen.mjs`).href)

const start = performance.now()
const seconds = () => `${((performance.now() - start) / 1000).toFixed(0)} s`
let lines = 0
let wrong = 0
const rows = verify(most, (x) => {
  const text = formatNumber(x)
  if (readNumber(text) !== x && wrong++ < 10) console.error(`${text} was read as ${readNumber(text)}`)
  if (++lines % 1_000_000 === 0) console.log(`${lines} lines, ${seconds()}`)
  return text
})
for (const row of rows) console.log(`${row.ok ? 'same' : 'DIFFERENT'} hash at ${row.lines} lines`)
const complete = rows.length === PUBLISHED.filter(([n]) => n <= most).length
console.log(`${lines} lines, ${wrong} read back wrongly, ${seconds()}`)
process.exitCode = complete && rows.length > 0 && wrong === 0 && rows.every((row) => row.ok) ? 0 : 1
