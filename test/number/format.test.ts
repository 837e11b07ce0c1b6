import { beforeAll, describe, expect, test } from 'vitest'
import { formatNumber, readNumber } from '../../bindings/core/index.ts'
import { BUILDS } from '../support/builds.ts'
import { casesOf } from '../support/cases.ts'
import { doubles } from './doubles.ts'

const EACH = casesOf(60_000)

/** Layouts of Number::toString at the boundaries between notations. Expected values: ECMA-262 section 6.1.6.1.20. */
const LAYOUTS: [x: number, text: string][] = [
  [0, '0'],
  [-0, '0'],
  [1, '1'],
  [-1, '-1'],
  [10, '10'],
  [1e20, '100000000000000000000'],
  [999999999999999900000, '999999999999999900000'],
  [1e21, '1e+21'],
  [-1.5e21, '-1.5e+21'],
  [1234567890123456.8, '1234567890123456.8'],
  [12345678.5, '12345678.5'],
  [123456789.5, '123456789.5'],
  [0.5, '0.5'],
  [0.000001, '0.000001'],
  [-0.0000012345678901234567, '-0.0000012345678901234567'],
  [1e-7, '1e-7'],
  [1.5e-10, '1.5e-10'],
  [1e100, '1e+100'],
  [1e-100, '1e-100'],
  [5e-324, '5e-324'],
  [-1.7976931348623157e308, '-1.7976931348623157e+308'],
  [-2.2250738585072014e-308, '-2.2250738585072014e-308'],
]

describe.each(BUILDS)('$name', ({ use }) => {
  beforeAll(use)

  test.each(LAYOUTS)('[rfc8785/3.2.2.3-1] the layout of %d', (x, text) => {
    expect(formatNumber(x)).toBe(text)
  })

  // The independent implementation is the host's own Number::toString and StringToNumber.
  test.each(Object.entries(doubles(1)))('[rfc8785/3.2.2.3-1] %s: agree with the host, written and read', (_, draw) => {
    for (let i = 0; i < EACH; i++) {
      const x = draw()
      const text = formatNumber(x)
      if (text !== String(x)) expect(text).toBe(String(x))
      if (readNumber(text) !== x) expect(readNumber(text), text).toBe(x)
    }
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('[rfc8785/3.2.2.3-2] refuses %d', (x) => {
    expect(() => formatNumber(x)).toThrow(new RangeError(`value: expected a finite number, got ${x}`))
  })

  test.each([undefined, null, '1', 1n, {}])('refuses the argument %o, which is not a number', (value) => {
    expect(() => formatNumber(value as number)).toThrow(TypeError)
    if (typeof value !== 'string') expect(() => readNumber(value as unknown as string)).toThrow(TypeError)
  })
})
