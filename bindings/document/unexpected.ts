// Explains a byte that the grammar does not allow: what was expected, what was found, and what was probably meant.
import type { Place } from './locate.ts'
import type { Fix } from './types.ts'
import { characterAt, excerpt, expectation, found } from './wording.ts'

/** Misspellings and words of other languages, with the JSON to write instead. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?(?:nan|inf|infinity)$/i, 'JSON numbers are finite: leave the member out or use null'],
  [/^(?:undefined|none|nil|nul?l?)$/i, 'write null'],
  [/^(?:tru?e?|yes|on)$/i, 'write true'],
  [/^(?:fal?s?e?|no|off)$/i, 'write false'],
  [/^[+-]?0[xob]/i, 'write the number in decimal'],
  [/^\+\d/, 'leave out the plus sign'],
  [/^-?\.\d/, 'write a digit before the decimal point'],
]

export interface Explanation {
  readonly detail: string
  readonly start: number
  readonly end: number
  readonly fix?: Fix | undefined
}

/** Explains a token that the grammar does not allow at its place. */
export function explainUnexpected(bytes: Uint8Array, { expected, token, container, previousEnd }: Place): Explanation {
  const { start, end } = token
  const wanted = expectation(expected, container?.array === true)
  const detail = `expected ${wanted}, found ${found(bytes, start, end)}`
  return { detail, start, end, fix: fixOf(bytes, expected, start, end, previousEnd) }
}

function fixOf(
  bytes: Uint8Array,
  expected: Place['expected'],
  start: number,
  end: number,
  previousEnd: number,
): Fix | undefined {
  const character = characterAt(bytes, start) ?? ''
  if (/[\]}]/.test(character) && bytes[previousEnd - 1] === 0x2c) {
    const comma = { offset: previousEnd - 1, endOffset: previousEnd, text: '' }
    return { hint: 'remove the comma before it', edits: [comma] }
  }
  if (/['`\u2018\u2019\u201c\u201d]/.test(character)) return { hint: 'JSON strings stand in double quotes (")' }
  if (/[/#]/.test(character)) return { hint: 'JSON has no comments: remove it' }
  if (expected === 'colon' && character === '=') return { hint: 'a colon stands between a name and its value' }
  const word = excerpt(bytes, start, end)
  const name = /^[A-Za-z_$][\w$-]*$/.test(word)
  if (name && (expected === 'name' || expected === 'name or end')) {
    const edits = [
      { offset: start, endOffset: start, text: '"' },
      { offset: end, endOffset: end, text: '"' },
    ]
    return { hint: 'put the name in double quotes', edits }
  }
  if (expected === 'value' || expected === 'element or end') {
    const hint = FOREIGN.find(([pattern]) => pattern.test(word))?.[1]
    if (hint !== undefined) return { hint }
    return name ? { hint: 'put text in double quotes' } : undefined
  }
  if (expected === 'comma or end' && (name || /["[{\d-]/.test(character))) {
    return { hint: 'a comma may be missing before it' }
  }
  return undefined
}
