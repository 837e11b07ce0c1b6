#!/usr/bin/env node
import { engines } from '../package.json'
import { processHost } from './host.ts'
import { main } from './main.ts'

// Older ones lack what the host needs, and would fail with words of their own.
if (process.getBuiltinModule === undefined) {
  process.stderr.write(`Blazon needs Node ${engines.node.slice(2)} or later; this is ${process.versions.node}.\n`)
  process.exit(2)
}

process.exitCode = await main(process.argv.slice(2), processHost(new URL('../wasm/core.wasm', import.meta.url)))

// The runner waits for the end of a hook, not for its answer. What is still open then, as a slow server, is given up.
if (process.argv[2] === 'runs' && process.argv[3] === 'hook') setTimeout(() => process.exit(), 500).unref()
