// Records the trace that the page's room of discovery begins with: browser-demo/discover/example.json, in a signed world of
// this machine. Only to be run when what a trace holds has changed, for every run has other keys.
//
//   node scripts/example-trace.mjs
import { writeFile } from 'node:fs/promises'
import { importBundled } from '../test/support/bundle.mjs'

const { recordExample } = await importBundled('example-trace', `export * from './test/discover/trust/example.ts'`)
await writeFile('browser-demo/discover/example.json', `${JSON.stringify(await recordExample(), null, 1)}\n`)
