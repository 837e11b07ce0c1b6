import { readFileSync } from 'node:fs'
import { initSync } from '../../bindings/wasm/instance.ts'

/** Where the two compilations lie; another folder has those that count statements (scripts/coverage.mjs). */
const FOLDER = process.env['BLAZON_CORE'] ?? 'dist/wasm'

const FILES: [name: string, file: string][] = [
  ['SIMD', `${FOLDER}/core.wasm`],
  ['baseline', `${FOLDER}/core-baseline.wasm`],
]

/** Every test of the core runs with both compilations: they may not differ in anything. */
export const BUILDS = FILES.map(([name, file]) => {
  const compile = () => new WebAssembly.Module(readFileSync(file))
  return { name, compile, use: () => initSync(compile()) }
})

/** The build without SIMD, which alone takes cards by their bytes. */
export const [, BASELINE] = BUILDS as [unknown, (typeof BUILDS)[number]]
