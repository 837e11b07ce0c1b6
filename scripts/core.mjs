// Compiles core/ twice from the same sources: with SIMD, and without for engines that lack it.
import { mkdir } from 'node:fs/promises'
import asc from 'assemblyscript/asc'

const SHARED = ['--runtime', 'stub', '--noAssert', '-O3', '--converge']

/** Compiles `entry` to `outFile`; throws with the compiler's own messages. */
export async function compileCore(outFile, { simd, entry = 'core/abi.ts', extra = [] }) {
  const flags = simd ? ['--enable', 'simd'] : ['--disable', 'simd']
  const { error, stderr } = await asc.main([entry, '--outFile', outFile, ...SHARED, ...flags, ...extra])
  if (error) throw new Error(`asc ${outFile}: ${stderr.toString() || error.message}`)
}

if (process.argv[1]?.endsWith('core.mjs')) {
  await mkdir('dist/wasm', { recursive: true })
  await compileCore('dist/wasm/core.wasm', { simd: true })
  await compileCore('dist/wasm/core-baseline.wasm', { simd: false })
}
