import { random } from '../support/random.ts'

const cell = new DataView(new ArrayBuffer(8))

/** The double with these bits. */
export function fromBits(bits: bigint): number {
  cell.setBigUint64(0, bits)
  return cell.getFloat64(0)
}

/** The bits of a double. */
export function toBits(x: number): bigint {
  cell.setFloat64(0, x)
  return cell.getBigUint64(0)
}

/** Endless generators for finite doubles of many kinds, all determined by the seed. */
export function doubles(seed: number): Record<string, () => number> {
  const next = random(seed)
  const below = (n: number) => Math.floor(next() * n)
  const words = (high: number) => (BigInt(high) << 32n) | BigInt(below(2 ** 32))
  return {
    // 0x7fefffff is the upper half of the largest double.
    'bit patterns': () => fromBits(words(below(0x7ff00000)) | (BigInt(below(2)) << 63n)),
    subnormals: () => fromBits(words(below(0x100000))),
    'least subnormals': () => fromBits(BigInt(1 + below(1000))),
    'powers of two and their neighbours': () => fromBits((BigInt(1 + below(2045)) << 52n) + BigInt(below(5) - 2)),
    'powers of ten and their neighbours': () =>
      fromBits(toBits(Number(`1e${below(631) - 322}`)) + BigInt(below(5) - 2)),
    'float32 values': () => Math.fround((next() - 0.5) * 10 ** (below(70) - 35)),
    'fractions of one': next,
    'degrees of longitude': () => next() * 360 - 180,
    'two decimals': () => (below(2e6) - 1e6) / 100,
    'six decimals': () => below(1e9) / 1e6,
    'integers of every size': () => below(2 ** (1 + below(53))),
    'integers of more than 53 bits': () => next() * 10 ** (16 + below(6)),
    'where notation changes': () => next() * 10 ** (below(2) === 0 ? 20 + below(3) : -8 + below(4)),
  }
}
