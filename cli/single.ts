// The tool as one file (scripts/executable.mjs), which has the core inside.
import core from '#wasm'
import { processHost } from './host.ts'
import { main } from './main.ts'

const host = processHost(new URL('file:'))
Object.defineProperty(host, 'core', { get: core })
// A hook that this tool installs names this program, not the script inside.
process.argv[1] = process.execPath

main(process.argv.slice(2), host).then((code) => {
  process.exitCode = code
  // As in blazon.ts.
  if (process.argv[2] === 'runs' && process.argv[3] === 'hook') setTimeout(() => process.exit(), 500).unref()
})
