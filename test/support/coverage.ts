// Set up by vitest.config.ts only for test/soak/coverage.mjs: adds up the counters of all instances for a test file.

import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'
import { initSync } from '../../bindings/wasm/instance.ts'

/** An instance of the core that counts statements. */
interface Counting {
  readonly memory: WebAssembly.Memory
  /** The address of the counters. */
  coverage(): number
  /** The number of counters. */
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
