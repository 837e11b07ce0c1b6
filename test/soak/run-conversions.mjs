// Random run records through OTLP and ATIF and back: node test/soak/run-conversions.mjs [records, 10000]
import { isDeepStrictEqual } from 'node:util'
import { importBundled } from '../support/bundle.mjs'

const [records = '10000'] = process.argv.slice(2)
const { fc, RUNS, runFromAtif, runsFromOtlp, runToAtif, runToOtlp } = await importBundled(
  'soak-run-conversions',
  `export { default as fc } from 'fast-check'
   export { RUNS } from './test/convert/run/random-runs.ts'
   export { runFromAtif, runToAtif } from './bindings/convert/run/atif.ts'
   export { runsFromOtlp } from './bindings/convert/run/from-otlp.ts'
   export { runToOtlp } from './bindings/convert/run/to-otlp.ts'`,
)

fc.assert(
  fc.property(RUNS, (run) => {
    const [trace] = runsFromOtlp(JSON.parse(runToOtlp(run, { carry: 'all' }).text)).runs
    const [trajectory] = runFromAtif(JSON.parse(JSON.stringify(runToAtif(run).value))).runs
    return isDeepStrictEqual(trace, run) && isDeepStrictEqual(trajectory, run)
  }),
  { numRuns: Number(records) },
)
console.log(`${records} records: the same after OTLP and after ATIF`)
