// Random run records through OTLP, ATIF and events and back: node test/soak/run-conversions.mjs [records, 10000]
import { isDeepStrictEqual } from 'node:util'
import { importBundled } from '../support/bundle.mjs'

const [records = '10000'] = process.argv.slice(2)
const { fc, RUNS, runFromAtif, runFromEvents, runsFromOtlp, runToAtif, runToEvents, runToOtlp } = await importBundled(
  'soak-run-conversions',
  `export { default as fc } from 'fast-check'
   export { RUNS } from './test/convert/run/random-runs.ts'
   export { runFromAtif, runToAtif } from './bindings/convert/run/atif.ts'
   export { runFromEvents } from './bindings/convert/run/from-events.ts'
   export { runToEvents } from './bindings/convert/run/convert-runs.ts'
   export { runsFromOtlp } from './bindings/convert/run/from-otlp.ts'
   export { runToOtlp } from './bindings/convert/run/to-otlp.ts'`,
)

fc.assert(
  fc.property(RUNS, (run) => {
    const [trace] = runsFromOtlp(JSON.parse(runToOtlp(run, { carry: 'all' }).text)).runs
    const [trajectory] = runFromAtif(JSON.parse(JSON.stringify(runToAtif(run).value))).runs
    const [replay] = runFromEvents([JSON.parse(JSON.stringify(runToEvents(run).value))]).runs
    return [trace, trajectory, replay].every((read) => isDeepStrictEqual(read, run))
  }),
  { numRuns: Number(records) },
)
console.log(`${records} records: the same after OTLP, ATIF and events`)
