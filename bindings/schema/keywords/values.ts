// Keywords about the value itself (validation section 6.1 to 6.3).
import { equal, isMultiple } from '../equal.ts'
import { ANY, INTEGER, NAMES, NUMBER, STRING } from '../node.ts'
import { compileRegex } from '../regex/regex.ts'
import type { Run } from '../run.ts'
import type { Context, Rule } from './context.ts'

const vocabulary = 'validation'

const type: Rule = {
  keywords: ['type'],
  vocabulary,
  compile({ schema, node, source }) {
    node.types = 0
    for (const name of [schema['type']].flat()) node.types |= name === 'integer' ? INTEGER : 1 << NAMES.indexOf(name)
    node.typeSource = source('type')
  },
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null

const constant: Rule = {
  keywords: ['const'],
  vocabulary,
  compile({ schema, node, source }) {
    const allowed = schema['const']
    const from = source('const')
    node.add(
      ANY,
      (value, at, _, run) =>
        equal(value, allowed, run) || (at !== undefined && run.fail(at, from, { allowed, actual: value })),
    )
  },
}

const enumeration: Rule = {
  keywords: ['enum'],
  vocabulary,
  compile({ schema, node, source }) {
    const allowed = schema['enum'] as readonly unknown[]
    const from = source('enum')
    const scalars = new Set(allowed.filter(isScalar))
    const others = allowed.filter((value) => !isScalar(value))
    node.add(ANY, (value, at, _, run) => {
      if (typeof value === 'string') run.spend(value.length >> 9)
      else run.spend(others.length >> 2)
      const found = isScalar(value) ? scalars.has(value) : others.some((other) => equal(value, other, run))
      return found || (at !== undefined && run.fail(at, from, { allowed, actual: value }))
    })
  },
}

/** A keyword that compares a number with a limit. */
function limit(keyword: string, holds: (value: number, limit: number, run: Run) => boolean): Rule {
  return {
    keywords: [keyword],
    vocabulary,
    compile({ schema, node, source }) {
      const wanted = schema[keyword] as number
      const from = source(keyword)
      node.add(
        1 << NUMBER,
        (value, at, _, run) =>
          holds(value, wanted, run) || (at !== undefined && run.fail(at, from, { limit: wanted, actual: value })),
      )
    },
  }
}

/** The length in characters: a surrogate pair counts as one. */
function lengthOf(text: string): number {
  let length = text.length
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) length--
  }
  return length
}

const length: Rule = {
  keywords: ['maxLength', 'minLength'],
  vocabulary,
  compile({ schema, node, source, has }) {
    const most = has('maxLength') ? (schema['maxLength'] as number) : Number.POSITIVE_INFINITY
    const least = has('minLength') ? (schema['minLength'] as number) : 0
    const [tooLong, tooShort] = [source('maxLength'), source('minLength')]
    node.add(1 << STRING, (value: string, at, _, run) => {
      // A text has at least half as many characters as units, and at most as many.
      if (value.length <= most && value.length >= 2 * least) return true
      run.spend(value.length >> 6)
      const actual = lengthOf(value)
      if (actual > most) return at !== undefined && run.fail(at, tooLong, { limit: most, actual })
      return actual >= least || (at !== undefined && run.fail(at, tooShort, { limit: least, actual }))
    })
  },
}

const pattern: Rule = {
  keywords: ['pattern'],
  vocabulary,
  compile({ schema, node, source }: Context) {
    const regex = compileRegex(schema['pattern'])
    const from = source('pattern')
    node.add(
      1 << STRING,
      (value, at, _, run) =>
        regex.test(value, run) || (at !== undefined && run.fail(at, from, { pattern: regex.source, actual: value })),
    )
  },
}

export const VALUES: readonly Rule[] = [
  type,
  constant,
  enumeration,
  limit('multipleOf', isMultiple),
  limit('maximum', (value, most) => value <= most),
  limit('exclusiveMaximum', (value, most) => value < most),
  limit('minimum', (value, least) => value >= least),
  limit('exclusiveMinimum', (value, least) => value > least),
  length,
  pattern,
]
