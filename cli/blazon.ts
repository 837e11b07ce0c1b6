#!/usr/bin/env node
import { processHost } from './host.ts'
import { main } from './main.ts'

process.exitCode = await main(process.argv.slice(2), processHost(new URL('../wasm/core.wasm', import.meta.url)))

// The runner waits for the end of a hook, not for its answer. What is still open then, as a slow server, is given up.
if (process.argv[2] === 'runs' && process.argv[3] === 'hook') setTimeout(() => process.exit(), 500).unref()
