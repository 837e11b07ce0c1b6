import { readFileSync } from 'node:fs'
import { initSync } from '../../bindings/wasm/instance.ts'

/** Another compilation to test in place of both, such as one that counts statements. */
const other = process.env['BLAZON_CORE']

const files: [name: string, file: string][] = other
  ? [['given', other]]
  : [
      ['SIMD', 'dist/wasm/core.wasm'],
      ['baseline', 'dist/wasm/core-baseline.wasm'],
    ]

/** Every test of the core runs with both compilations: they may not differ in anything. */
export const BUILDS = files.map(([name, file]) => ({
  name,
  use: () => initSync(new WebAssembly.Module(readFileSync(file))),
}))
