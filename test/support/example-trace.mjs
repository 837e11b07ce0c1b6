// Records the trace that the page's discovery view starts with: browser-demo/discover/example.json, in a signed test
// network on this machine. Run it only when the trace format has changed, because every run has new keys.
//
//   node test/support/example-trace.mjs
import { writeFile } from 'node:fs/promises'
import { importBundled } from './bundle.mjs'

const { recordExample } = await importBundled('example-trace', `export * from './test/discover/trust/example.ts'`)
await writeFile('browser-demo/discover/example.json', `${JSON.stringify(await recordExample(), null, 1)}\n`)
