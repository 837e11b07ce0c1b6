#!/usr/bin/env node
import { main } from './main.ts'
import { processHost } from './process.ts'

process.exitCode = await main(process.argv.slice(2), processHost(new URL('../wasm/core.wasm', import.meta.url)))
