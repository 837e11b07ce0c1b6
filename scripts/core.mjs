// Compiles core/ twice from the same sources: with SIMD, and without for engines that lack it.
import { mkdir } from 'node:fs/promises'
import asc from 'assemblyscript/asc'

// Shrink level 1 takes a fifth off the module for 1 to 3 % of its speed: -O3 alone inlines what is called once a document.
// Warning 201 is about addresses of 64 bits, which the core does not have.
const SHARED = [
  ...['--runtime', 'stub', '--noAssert', '--optimizeLevel', '3', '--shrinkLevel', '1'],
  ...['--disableWarning', '201'],
]

/** Compiles `entry` to `outFile`; gives the compiler's warnings, throws with its errors. */
export async function compileCore(outFile, { simd, entry = 'core/abi.ts', extra = [] }) {
  const flags = simd ? ['--enable', 'simd'] : ['--disable', 'simd']
  const { error, stderr } = await asc.main([entry, '--outFile', outFile, ...SHARED, ...flags, ...extra])
  if (error) throw new Error(`asc ${outFile}: ${stderr.toString() || error.message}`)
  return stderr.toString()
}

if (process.argv[1]?.endsWith('core.mjs')) {
  await mkdir('dist/wasm', { recursive: true })
  await compileCore('dist/wasm/core.wasm', { simd: true })
  await compileCore('dist/wasm/core-baseline.wasm', { simd: false })
}
