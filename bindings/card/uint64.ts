const LARGEST = 2n ** 64n - 1n

/** The number of digits of the largest uint64. */
const MOST_DIGITS = 20

/** Bounds the input: no legitimate integer is longer, and a number of a million digits would take long to parse. */
const MOST_CHARACTERS = 64

/**
 * Reads a JSON number in any notation as an integer, without a double, which would round it. Undefined when it is not
 * an integer, or has more than 20 digits.
 */
export function readInteger(text: string): bigint | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)
  if (parts === null) return undefined
  const [, sign, whole, fraction = '', power = '0'] = parts
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return 0n
  const zeros = digits.length - significant.length + Number(power) - fraction.length
  if (zeros < 0 || significant.length + zeros > MOST_DIGITS) return undefined
  return BigInt(`${sign}${significant}${'0'.repeat(zeros)}`)
}

/**
 * Reads a JSON number as an unsigned 64-bit integer.
 *
 * @example
 * readUint64('18446744073709551615') // 18446744073709551615n
 * readUint64('1.5e3') // 1500n
 * readUint64('1.5') // undefined
 */
export function readUint64(text: string): bigint | undefined {
  const value = readInteger(text)
  return value !== undefined && value >= 0n && value <= LARGEST ? value : undefined
}
