// Compiles core/ twice from the same sources: with SIMD, and without for engines that lack it.
import { readFile, writeFile } from 'node:fs/promises'
import asc from 'assemblyscript/asc'
import binaryen from 'assemblyscript/binaryen'

// Warning 201 is about 64-bit addresses: the core is for 32-bit memories only.
const SHARED = ['--runtime', 'stub', '--noAssert', '--optimizeLevel', '0', '--disableWarning', '201']

/** Compiles `entry` to `outFile`; returns the compiler's warnings, throws with its errors. */
export async function compileCore(outFile, { simd, entry = `core/${simd ? 'abi' : 'baseline'}.ts`, extra = [] }) {
  const flags = simd ? ['--enable', 'simd'] : ['--disable', 'simd']
  const { error, stderr } = await asc.main([entry, '--outFile', outFile, ...SHARED, ...flags, ...extra])
  if (error) throw new Error(`asc ${outFile}: ${stderr.toString() || error.message}`)
  await writeFile(outFile, optimize(await readFile(outFile), simd))
  return stderr.toString()
}

/**
 * Optimizes with our own order of Binaryen passes instead of asc's: the module is a tenth smaller and 2 % faster. The
 * size limits for inlining were found by experiment; they make the compressed module smallest.
 */
function optimize(bytes, simd) {
  const { SIMD128, BulkMemory, BulkMemoryOpt, SignExt, NontrappingFPToInt, MutableGlobals } = binaryen.Features
  const module = binaryen.readBinary(bytes)
  module.setFeatures(BulkMemory | BulkMemoryOpt | SignExt | NontrappingFPToInt | MutableGlobals | (simd ? SIMD128 : 0))
  binaryen.setOptimizeLevel(3)
  binaryen.setShrinkLevel(2)
  binaryen.setAlwaysInlineMaxSize(4)
  binaryen.setFlexibleInlineMaxSize(40)
  binaryen.setOneCallerInlineMaxSize(-1)
  module.optimize()
  module.optimize()
  const optimized = module.emitBinary()
  module.dispose()
  return optimized
}
