// Keywords that apply other schemas to the same value (core sections 8.2.3 and 10.2).

import { compileRegex } from '../regex/regex.ts'
import {
  ANY,
  equal,
  type Finding,
  INTEGER,
  Marks,
  NAMES,
  type Node,
  NUMBER,
  type Run,
  type Source,
  STRING,
} from '../run.ts'
import type { Dialect, Draft, Place } from '../shapes.ts'
import { ARRAYS, OBJECTS, UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES } from './objects.ts'

const APPLICATORS = 'applicator'

const nodesOf = ({ schema, inPlace }: Context, keyword: string): readonly Node[] =>
  (schema[keyword] as readonly unknown[]).map((branch, i) => inPlace(branch, keyword, i))

/** Applies a schema that may fail: its marks count only when it succeeds. */
function attempt(node: Node, value: unknown, marks: Marks | undefined, run: Run): boolean {
  if (marks === undefined) return node.check(value, false, undefined, run)
  const own = new Marks()
  const passed = node.check(value, false, own, run)
  if (passed) marks.add(own, run)
  return passed
}

/** A value that fails one of these keywords is of a different kind than the branch describes. */
const TELLING: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'false'])

/**
 * True when a finding rules a branch out: the value itself, or the member that distinguishes the kinds, does not match.
 */
function rulesOut({ at, source }: Finding, value: Place): boolean {
  return at === value ? TELLING.has(source.keyword) : at.parent === value && source.keyword === 'const'
}

/** Reports the errors of the only branch that is not ruled out. Otherwise reports that the value fits no branch. */
function failAll(branches: readonly Node[], value: unknown, from: Source, run: Run): false {
  const at = run.place()
  const trials = branches.map((branch) => run.trial(() => branch.check(value, true, undefined, run)))
  const meant = trials.filter((findings) => !findings.some((finding) => rulesOut(finding, at)))
  if (meant.length !== 1) return run.fail(from, { branches: branches.length, passing: [] })
  for (const finding of meant[0]!) run.fail(finding.source, finding.params, finding.at)
  return false
}

const allOf: Rule = {
  keywords: ['allOf'],
  vocabulary: APPLICATORS,
  compile(context) {
    const branches = nodesOf(context, 'allOf')
    context.node.add(ANY, (value, tells, marks, run) => {
      let passed = true
      for (const branch of branches) {
        if (branch.check(value, tells, marks, run)) continue
        if (!tells) return false
        passed = false
      }
      return passed
    })
  },
}

const anyOf: Rule = {
  keywords: ['anyOf'],
  vocabulary: APPLICATORS,
  compile(context) {
    const branches = nodesOf(context, 'anyOf')
    const from = context.source('anyOf')
    context.node.add(ANY, (value, tells, marks, run) => {
      let passed = false
      for (const branch of branches) {
        if (!attempt(branch, value, marks, run)) continue
        passed = true
        if (marks === undefined) break
      }
      return passed || (tells && failAll(branches, value, from, run))
    })
  },
}

const oneOf: Rule = {
  keywords: ['oneOf'],
  vocabulary: APPLICATORS,
  compile(context) {
    const branches = nodesOf(context, 'oneOf')
    const from = context.source('oneOf')
    context.node.add(ANY, (value, tells, marks, run) => {
      const passing: number[] = []
      for (let i = 0; i < branches.length; i++) {
        if (!attempt(branches[i]!, value, marks, run)) continue
        passing.push(i)
        if (passing.length > 1) break
      }
      if (passing.length === 1 || !tells) return passing.length === 1
      if (passing.length === 0) return failAll(branches, value, from, run)
      return run.fail(from, { branches: branches.length, passing })
    })
  },
}

const not: Rule = {
  keywords: ['not'],
  vocabulary: APPLICATORS,
  compile({ schema, node, inPlace, source }) {
    const refused = inPlace(schema['not'], 'not')
    const from = source('not')
    node.add(
      ANY,
      (value, tells, _, run) => !refused.check(value, false, undefined, run) || (tells && run.fail(from, {})),
    )
  },
}

const condition: Rule = {
  keywords: ['if'],
  vocabulary: APPLICATORS,
  compile({ schema, node, inPlace, has }) {
    const test = inPlace(schema['if'], 'if')
    const then = has('then') ? inPlace(schema['then'], 'then') : undefined
    const otherwise = has('else') ? inPlace(schema['else'], 'else') : undefined
    node.add(ANY, (value, tells, marks, run) => {
      const branch = attempt(test, value, marks, run) ? then : otherwise
      return branch === undefined || branch.check(value, tells, marks, run)
    })
  },
}

const ref: Rule = {
  keywords: ['$ref'],
  vocabulary: 'core',
  compile({ node, referred }) {
    const target = referred('$ref')?.node
    if (target === undefined) return
    node.inPlace.push(target)
    node.add(ANY, (value, tells, marks, run) => target.check(value, tells, marks, run))
  },
}

/** A reference to a dynamic anchor resolves in the outermost entered resource that has an anchor of that name. */
const dynamicRef = (keyword: '$dynamicRef' | '$recursiveRef', since: Draft, until: Draft): Rule => ({
  keywords: [keyword],
  vocabulary: 'core',
  since,
  until,
  compile({ node, referred }) {
    const target = referred(keyword)
    if (target === undefined) return
    const { dynamic } = target
    if (dynamic === undefined) {
      node.inPlace.push(target.node)
      node.add(ANY, (value, tells, marks, run) => target.node.check(value, tells, marks, run))
      return
    }
    node.add(ANY, (value, tells, marks, run) => {
      run.spend(run.scope.length >> 3)
      const outermost = run.scope.find(({ dynamicAnchors }) => dynamicAnchors.has(dynamic))
      const meant = outermost?.nodes.get(outermost.anchors.get(dynamic)!.schema) ?? target.node
      return meant.check(value, tells, marks, run)
    })
  },
})

const COMBINE: readonly Rule[] = [
  ref,
  dynamicRef('$dynamicRef', 2020, 2020),
  dynamicRef('$recursiveRef', 2019, 2019),
  allOf,
  anyOf,
  oneOf,
  not,
  condition,
]

// Keywords about the value itself (validation section 6.1 to 6.3).

const ASSERTIONS = 'validation'

const type: Rule = {
  keywords: ['type'],
  vocabulary: ASSERTIONS,
  compile({ schema, node, source }) {
    node.types = 0
    for (const name of [schema['type']].flat()) node.types |= name === 'integer' ? INTEGER : 1 << NAMES.indexOf(name)
    node.typeSource = source('type')
  },
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null

const constant: Rule = {
  keywords: ['const'],
  vocabulary: ASSERTIONS,
  compile({ schema, node, source }) {
    const allowed = schema['const']
    const from = source('const')
    node.add(
      ANY,
      (value, tells, _, run) => equal(value, allowed, run) || (tells && run.fail(from, { allowed, actual: value })),
    )
  },
}

const enumeration: Rule = {
  keywords: ['enum'],
  vocabulary: ASSERTIONS,
  compile({ schema, node, source }) {
    const allowed = schema['enum'] as readonly unknown[]
    const from = source('enum')
    const scalars = new Set(allowed.filter(isScalar))
    const others = allowed.filter((value) => !isScalar(value))
    node.add(ANY, (value, tells, _, run) => {
      if (typeof value === 'string') run.spend(value.length >> 9)
      else run.spend(others.length >> 2)
      const found = isScalar(value) ? scalars.has(value) : others.some((other) => equal(value, other, run))
      return found || (tells && run.fail(from, { allowed, actual: value }))
    })
  },
}

/** A keyword that compares a number with a limit. */
function limit(keyword: string, holds: (value: number, limit: number, run: Run) => boolean): Rule {
  return {
    keywords: [keyword],
    vocabulary: ASSERTIONS,
    compile({ schema, node, source }) {
      const wanted = schema[keyword] as number
      const from = source(keyword)
      node.add(
        1 << NUMBER,
        (value, tells, _, run) =>
          holds(value, wanted, run) || (tells && run.fail(from, { limit: wanted, actual: value })),
      )
    },
  }
}

/** Work on decimals with up to 600 digits. */
const DECIMAL_STEPS = 64

/**
 * True when a number is a decimal multiple of another: 19.99 is a multiple of 0.01, although their quotient as doubles
 * is not an integer.
 */
function isMultiple(value: number, divisor: number, run: Run): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  run.spend(DECIMAL_STEPS)
  const [digits, exponent] = decimal(value)
  const [divisorDigits, divisorExponent] = decimal(divisor)
  const least = Math.min(exponent, divisorExponent)
  const scale = (n: bigint, from: number) => n * 10n ** BigInt(from - least)
  return scale(digits, exponent) % scale(divisorDigits, divisorExponent) === 0n
}

/** The shortest decimal of a number: its digits, and the power of ten to multiply them by. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?]
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
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
  vocabulary: ASSERTIONS,
  compile({ schema, node, source, has }) {
    const most = has('maxLength') ? (schema['maxLength'] as number) : Number.POSITIVE_INFINITY
    const least = has('minLength') ? (schema['minLength'] as number) : 0
    const [tooLong, tooShort] = [source('maxLength'), source('minLength')]
    node.add(1 << STRING, (value: string, tells, _, run) => {
      // A text has at least half as many characters as units, and at most as many.
      if (value.length <= most && value.length >= 2 * least) return true
      run.spend(value.length >> 6)
      const actual = lengthOf(value)
      if (actual > most) return tells && run.fail(tooLong, { limit: most, actual })
      return actual >= least || (tells && run.fail(tooShort, { limit: least, actual }))
    })
  },
}

const pattern: Rule = {
  keywords: ['pattern'],
  vocabulary: ASSERTIONS,
  compile({ schema, node, source }: Context) {
    const regex = compileRegex(schema['pattern'])
    const from = source('pattern')
    node.add(
      1 << STRING,
      (value, tells, _, run) =>
        regex.test(value, run) || (tells && run.fail(from, { pattern: regex.source, actual: value })),
    )
  },
}

const VALUES: readonly Rule[] = [
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

/** In the order of checking: cheap rules first. The last ones depend on what the others evaluated. */
const RULES: readonly Rule[] = [...VALUES, ...ARRAYS, ...OBJECTS, ...COMBINE, UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES]

function byKeyword(draft: Draft): ReadonlyMap<string, number> {
  return new Map(
    RULES.flatMap(({ keywords, since = 7, until = 2020 }, i) =>
      since <= draft && draft <= until ? keywords.map((keyword): [string, number] => [keyword, i]) : [],
    ),
  )
}

const BY_KEYWORD: Readonly<Record<Draft, ReadonlyMap<string, number>>> = {
  7: byKeyword(7),
  2019: byKeyword(2019),
  2020: byKeyword(2020),
}

/** The rules for a schema's keywords, in order. Before 2019-09, keywords next to `$ref` are ignored. */
export function rulesFor(schema: Readonly<Record<string, unknown>>, { draft, vocabularies }: Dialect): Rule[] {
  const keywords = draft === 7 && Object.hasOwn(schema, '$ref') ? ['$ref'] : Object.keys(schema)
  const numbers: number[] = []
  for (const keyword of keywords) {
    const number = BY_KEYWORD[draft].get(keyword)
    if (number !== undefined && !numbers.includes(number)) numbers.push(number)
  }
  const rules = numbers.sort((a, b) => a - b).map((number) => RULES[number]!)
  return vocabularies === undefined ? rules : rules.filter(({ vocabulary }) => vocabularies.has(vocabulary))
}

/** A schema during compilation. The shapes of its keywords have been checked. */
export interface Context {
  // biome-ignore lint/suspicious/noExplicitAny: every keyword knows what its value looks like
  readonly schema: Readonly<Record<string, any>>
  readonly node: Node
  readonly draft: Draft
  /** True when the schema contains the keyword and the draft defines it. */
  has(keyword: string): boolean
  /** The keyword with its place, for findings. */
  source(keyword: string): Source
  /** A subschema that applies to members or elements of the value. */
  child(schema: unknown, keyword: string, token?: string | number): Node
  /** A subschema that applies to the value itself. */
  inPlace(schema: unknown, keyword: string, token?: string | number): Node
  /** The schema that a reference names. Undefined when there is no such schema; then a problem has been reported. */
  referred(keyword: string): ResolvedReference | undefined
}

export interface ResolvedReference {
  readonly node: Node
  /** The dynamic anchor in the reference, if it names one. */
  readonly dynamic: string | undefined
}

/** A group of keywords that are compiled together. */
export interface Rule {
  readonly keywords: readonly string[]
  readonly vocabulary: string
  /** The first and the last draft that has these keywords; absent for all drafts. */
  readonly since?: Draft
  readonly until?: Draft
  compile(context: Context): void
}
