import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileCore } from '../../scripts/core.mjs'

interface Probe {
  readonly memory: WebAssembly.Memory
  powerAt(k: number): number
}

async function probe(): Promise<Probe> {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-powers-'))
  try {
    const file = join(folder, 'probe.wasm')
    await compileCore(file, { simd: false, entry: 'core/number/probe.ts' })
    return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file))).exports as unknown as Probe
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The upper 128 bits of 5^k, truncated, computed with BigInt. */
function upperBits(k: number): bigint {
  const five = 5n ** BigInt(Math.abs(k))
  const value = k < 0 ? (1n << 2048n) / five : five << 256n
  return value >> BigInt(value.toString(2).length - 128)
}

test('every power of ten in the table is exact', async () => {
  const { memory, powerAt } = await probe()
  const at = powerAt(-342)
  const table = new DataView(memory.buffer)
  let same = 0
  for (let k = -342; k <= 324; k++) {
    const entry = powerAt(k)
    expect(entry).toBe(at + (k + 342) * 16)
    const value = (table.getBigUint64(entry + 8, true) << 64n) | table.getBigUint64(entry, true)
    if (value === upperBits(k)) same++
  }
  expect(same).toBe(667)
})
