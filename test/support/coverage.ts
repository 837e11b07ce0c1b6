// Set up by vitest.config.ts for scripts/coverage.mjs only: adds up, for a test file, the counters of every instance.

import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { initSync } from '../../bindings/wasm/instance.ts'

/** An instance of the counting core. */
interface Counting {
  readonly memory: WebAssembly.Memory
  /** Address of the counters. */
  coverage(): number
  /** How many they are. */
  statements(): number
}

const instances: Counting[] = []

WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    super(module, imports)
    if ('coverage' in this.exports) instances.push(this.exports as unknown as Counting)
  }
}

initSync(new WebAssembly.Module(readFileSync(`${process.env['BLAZON_CORE']}/core.wasm`)))

afterAll(() => {
  const totals: number[] = []
  for (const core of instances) {
    const counts = new Uint32Array(core.memory.buffer, core.coverage(), core.statements())
    counts.forEach((count, i) => {
      totals[i] = (totals[i] ?? 0) + count
    })
  }
  const folder = process.env['BLAZON_COVERAGE']!
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${randomUUID()}.json`, JSON.stringify(totals))
})
