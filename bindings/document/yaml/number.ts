// Converts numbers of YAML's core schema (YAML 1.2.2 section 10.3.2) to JSON digit by digit, without rounding.

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const DECIMAL = /^([-+]?)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/
const RADIX = /^0[xo]/

/** No double has more digits in these radixes; longer numbers would be slow to convert and then refused anyway. */
const MOST_DIGITS = 360

/** The number in JSON; undefined when it certainly exceeds every double. */
export function toJsonNumber(source: string): string | undefined {
  if (JSON_NUMBER.test(source)) return source
  if (RADIX.test(source)) {
    const digits = source.slice(2).replace(/^0+(?=.)/, '')
    return digits.length > MOST_DIGITS ? undefined : String(BigInt(source.slice(0, 2) + digits))
  }
  const [, sign, whole, fraction = '', exponent = ''] = DECIMAL.exec(source)!
  const integer = whole!.replace(/^0+(?=\d)/, '') || '0'
  return `${sign === '-' ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}${exponent}`
}
