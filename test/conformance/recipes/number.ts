import { type Content, contentBytes } from '../content.ts'
import { DOUBLE_RESULT, double, length, returned } from '../program.ts'
import { NO_INPUT, type Recipe, text } from './recipe.ts'

// Bits are in hex, most significant first, as RFC 8785 appendix B writes them.

export const formatNumber: Recipe = {
  calls(vector) {
    const value = Buffer.from(vector['bits'] as string, 'hex').readDoubleBE()
    return [{ name: 'formatNumber', input: NO_INPUT, args: [double(value)], outputs: [returned()] }]
  },
  read: ({ outputs }) => ({ text: text(outputs[0]!) }),
}

export const readNumber: Recipe = {
  calls(vector) {
    const input = contentBytes(vector as Content)
    return [{ name: 'readNumber', input, args: [length], flags: DOUBLE_RESULT, outputs: [] }]
  },
  read: ({ outputs }) => ({ bits: Buffer.from(outputs[0]!).reverse().toString('hex') }),
}
