import { beforeAll, describe, expect, test } from 'vitest'
import { readNumber } from '../../bindings/core/index.ts'
import { BUILDS } from '../support/builds.ts'
import { casesOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'
import { random } from '../support/random.ts'
import { doubles, fromBits, toBits } from './doubles.ts'

/** Texts that other readers are known to have misread, and the ends of the range. Bits computed by hand. */
const KNOWN: [text: string, bits: bigint][] = [
  ['0', 0n],
  ['-0', 0x8000000000000000n],
  ['-0.0e5', 0x8000000000000000n],
  ['0e999999999999', 0n],
  ['9007199254740993', 0x4340000000000000n], // 2^53 + 1, half way: to the even 2^53
  ['9007199254740993.0000000000000000000000000000000001', 0x4340000000000001n],
  ['9007199254740995', 0x4340000000000002n],
  ['1.00000000000000011102230246251565', 0x3ff0000000000000n], // just below 1 + 2^-53
  ['1.00000000000000011102230246251565404236316680908203125', 0x3ff0000000000000n], // 1 + 2^-53
  ['1.00000000000000011102230246251565404236316680908203126', 0x3ff0000000000001n],
  ['2.2250738585072011e-308', 0x000fffffffffffffn], // PHP bug 53632
  ['2.2250738585072012e-308', 0x0010000000000000n], // CVE-2010-4476
  ['1.7976931348623157e308', 0x7fefffffffffffffn],
  ['1.7976931348623158079e308', 0x7fefffffffffffffn],
  ['1.7976931348623158080e308', 0x7ff0000000000000n],
  ['-1e309', 0xfff0000000000000n],
  ['1e99999999999999999999', 0x7ff0000000000000n],
  ['1e-99999999999999999999', 0n],
  ['4.9e-324', 1n],
  ['2.4703282292062327e-324', 0n],
  ['2.4703282292062328e-324', 1n],
]

const JSON_NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/
const NOT_NUMBERS = [
  ...[
    '',
    '-',
    '+1',
    '--1',
    '01',
    '-01',
    '00',
    '1.',
    '.5',
    '-.5',
    '1.e1',
    '1e',
    '1e+',
    '1e-',
    '1e1.5',
    '1.2.3',
    '1e1e1',
  ],
  ...[
    ' 1',
    '1 ',
    '\t1',
    '1\n',
    '1\0',
    '1,',
    '0x10',
    '1_000',
    '1n',
    'Infinity',
    '-Infinity',
    'NaN',
    'e5',
    '１',
    '1\u0131',
  ],
  ...['1\ud800', '\u0131', '\u0131'.repeat(100), `${'1'.repeat(100)}\u0131`],
]

const MEGABYTE = 1 << 20
/** A token of a megabyte takes 1 to 3 ms here; this only distinguishes linear from quadratic time. */
const MOST_MILLISECONDS = 300

/** The midpoint of the positive double with these bits and the next one, with all its decimal digits. */
function halfway(bits: bigint): { digits: bigint; exponent: number } {
  const biased = Number(bits >> 52n)
  const fraction = bits & 0xfffffffffffffn
  const middle = ((biased > 0 ? fraction | (1n << 52n) : fraction) << 1n) | 1n
  const binary = Math.max(biased, 1) - 1076
  return binary < 0
    ? { digits: middle * 5n ** BigInt(-binary), exponent: binary }
    : { digits: middle << BigInt(binary), exponent: 0 }
}

describe.each(BUILDS)('$name', ({ use }) => {
  beforeAll(use)

  test.each(KNOWN)('[rfc8785/3.2.2.3-3] %s', (text, bits) => {
    expect(toBits(readNumber(text))).toBe(bits)
    expect(toBits(Number(text))).toBe(bits)
  })

  test('[rfc8785/3.2.2.3-3] agrees with the host for decimals of 1 to 31 digits', () => {
    const next = random(2)
    const below = (n: number) => Math.floor(next() * n)
    for (let i = 0; i < casesOf(200_000); i++) {
      let digits = String(1 + below(9))
      for (let more = below(31); more > 0; more--) digits += below(10)
      const point = below(digits.length + 1)
      const text = `${point > 0 ? digits.slice(0, point) : '0'}${point < digits.length ? `.${digits.slice(point)}` : ''}`
      const token = below(3) > 0 ? `${text}e${below(700) - 350}` : text
      if (readNumber(token) !== Number(token)) expect(readNumber(token), token).toBe(Number(token))
    }
  })

  // Rounding to even decides the first of the five, the last digits the others. The expected double follows from how
  // the text was built, and the host's reader must agree.
  test('[rfc8785/3.2.2.3-3] decimals half way between two doubles, and up to one unit next to them', () => {
    const kinds = doubles(3)
    const draws = [kinds['bit patterns']!, kinds['subnormals']!, kinds['least subnormals']!, kinds['two decimals']!]
    const next = random(4)
    let longest = 0
    for (let i = 0; i < casesOf(2_400); i++) {
      const bits = toBits(Math.abs(draws[i % draws.length]!())) & 0x7fffffffffffffffn
      const { digits, exponent } = halfway(bits)
      const zeros = '0'.repeat(Math.floor(next() * 300))
      const above = bits + 1n
      const cases: [string, bigint][] = [
        [`${digits}e${exponent}`, bits & 1n ? above : bits],
        [`${digits}${zeros}e${exponent - zeros.length}`, bits & 1n ? above : bits],
        [`${digits + 1n}e${exponent}`, above],
        [`${digits - 1n}e${exponent}`, bits],
        [`${digits}${zeros}1e${exponent - zeros.length - 1}`, above],
      ]
      for (const [text, expected] of cases) {
        longest = Math.max(longest, text.length)
        const read = toBits(readNumber(text))
        if (read !== expected || toBits(Number(text)) !== expected) expect(read, text).toBe(expected)
      }
    }
    expect(longest).toBeGreaterThan(1000)
  })

  test('[rfc8785/3.2.2.3-3] the half way decimals at both ends of the range', () => {
    for (const bits of [0n, 1n, 0xfffffffffffffn, 0x10000000000000n, 0x7feffffffffffffen, 0x7fefffffffffffffn]) {
      const { digits, exponent } = halfway(bits)
      for (const [text, expected] of [
        [`${digits - 1n}e${exponent}`, bits],
        [`${digits}e${exponent}`, bits & 1n ? bits + 1n : bits],
        [`${digits}.${'0'.repeat(900)}1e${exponent}`, bits + 1n],
      ] as const) {
        expect(readNumber(text), text).toBe(fromBits(expected))
        expect(Number(text), text).toBe(fromBits(expected))
      }
    }
  })

  const ones = '1'.repeat(MEGABYTE)
  const zeros = '0'.repeat(MEGABYTE)
  test.each([
    ['digits, and so infinite', ones],
    ['digits, scaled back', `${ones}e-${MEGABYTE}`],
    ['digits behind the point', `0.${ones}`],
    ['digits, the point amid them', `${ones.slice(1 << 19)}.${ones.slice(1 << 19)}e-${1 << 19}`],
    ['zeros, then a digit, scaled up', `0.${zeros}25e${MEGABYTE}`],
    ['a digit, then zeros, scaled down', `25${zeros}e-${MEGABYTE}`],
    ['half way, zeros, and a one that decides', `9007199254740993.${zeros}1`],
    ['half way, zeros, and no one that decides', `9007199254740993.${zeros}0`],
    [
      'half way of 700 digits, zeros, and a one that decides',
      `${halfway(0x10000000000003n).digits}${zeros}1e-${MEGABYTE + 1075}`,
    ],
    ['zeros in the exponent', `1e-${zeros}5`],
    ['digits in the exponent', `1e-${ones}`],
  ])('one token of a megabyte: %s', (_, text) => {
    const start = processorTime()
    const x = readNumber(text)
    const spent = processorTime() - start
    expect(x).toBe(Number(text))
    expect(spent).toBeLessThan(MOST_MILLISECONDS)
  })

  test('a megabyte of the tokens that take longest', () => {
    const { digits, exponent } = halfway(0x10000000000001n)
    const text = `${digits}1e${exponent - 1}`
    const start = processorTime()
    for (let i = 0; i < MEGABYTE / text.length; i++) readNumber(text)
    expect(processorTime() - start).toBeLessThan(MOST_MILLISECONDS)
  })

  test.each(NOT_NUMBERS.map((text) => [text]))('[rfc8785/3.2.2.3-3] %o is not one JSON number', (text) => {
    expect(readNumber(text)).toBeNaN()
  })

  // The oracle is JSON.parse; the pattern is exactly the grammar of RFC 8259 section 6.
  test('strings of number characters: accepts exactly what JSON.parse accepts', () => {
    const next = random(5)
    let numbers = 0
    for (let i = 0; i < casesOf(100_000); i++) {
      let text = ''
      for (let n = Math.floor(next() * 9); n >= 0; n--) text += '0123456789.eE+-0-1.5e'[Math.floor(next() * 21)]
      const expected = JSON_NUMBER.test(text) ? JSON.parse(text) : Number.NaN
      if (!Number.isNaN(expected)) numbers++
      if (!Object.is(readNumber(text), expected)) expect(readNumber(text), text).toBe(expected)
    }
    expect(numbers).toBeGreaterThan(casesOf(10_000))
  })
})
