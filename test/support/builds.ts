import { readFileSync } from 'node:fs'
import { initSync } from '../../bindings/wasm/instance.ts'

/** The folder of the two builds; test/soak/coverage.mjs sets one whose builds count statements. */
const FOLDER = process.env['BLAZON_CORE'] ?? 'dist/wasm'

const FILES: [name: string, file: string][] = [
  ['SIMD', `${FOLDER}/core.wasm`],
  ['baseline', `${FOLDER}/core-baseline.wasm`],
]

/** Every test of the core runs with both builds, which must not differ in anything. */
export const BUILDS = FILES.map(([name, file]) => {
  const compile = () => new WebAssembly.Module(readFileSync(file))
  return { name, compile, use: () => initSync(compile()) }
})

/** The build without SIMD, the only one that accepts cards as bytes. */
export const [, BASELINE] = BUILDS as [unknown, (typeof BUILDS)[number]]
