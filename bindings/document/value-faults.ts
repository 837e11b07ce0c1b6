// Faults of values in memory as diagnostics. They have no text to point into: the pointer says where they are.
import { diagnose, type FindingKind } from './diagnose.ts'
import { TOO_LARGE } from './faults.ts'
import { visible } from './hidden.ts'
import { FAULTS } from './json-faults.ts'
import { Lines } from './lines.ts'
import type { Diagnostic, Related } from './types.ts'

/** What canonicalizing a value can end with. */
export interface ValueFault {
  readonly reason: ValueReason
  readonly pointer: string
  /** What came, where the reason does not tell: `NaN`, `Map`; the limit that was reached. */
  readonly what: string
  /** Where the container that is met again was first. */
  readonly first?: string
  /** What reading the value threw. */
  readonly cause?: unknown
}

interface Words {
  readonly detail: string
  readonly hint?: string
  readonly related?: readonly Related[]
}

interface Row extends Omit<FindingKind, 'severity'> {
  explain(fault: ValueFault): Words
}

const JSON_VALUES = 'RFC 8259 section 3'
const JSON_NUMBERS = 'RFC 8785 section 3.2.2.3'

/** Faults that only values in memory can have. */
export const VALUE_FAULTS = {
  undefined: {
    code: 'DOC-170',
    rule: 'value/undefined',
    title: 'Undefined instead of a value',
    spec: JSON_VALUES,
    explain: () => ({ detail: 'expected a value, found undefined', hint: 'write null, or leave the element out' }),
  },
  hole: {
    code: 'DOC-171',
    rule: 'value/hole',
    title: 'Hole in an array',
    spec: JSON_VALUES,
    explain: () => ({ detail: 'expected a value, found a hole', hint: 'write null, or close the gap' }),
  },
  function: {
    code: 'DOC-172',
    rule: 'value/function',
    title: 'Function as a value',
    spec: JSON_VALUES,
    explain: () => ({ detail: 'expected a value, found a function', hint: 'leave it out' }),
  },
  symbol: {
    code: 'DOC-173',
    rule: 'value/symbol',
    title: 'Symbol as a value',
    spec: JSON_VALUES,
    explain: () => ({ detail: 'expected a value, found a symbol', hint: 'put its description in its place' }),
  },
  bigint: {
    code: 'DOC-174',
    rule: 'value/bigint',
    title: 'BigInt as a value',
    spec: JSON_NUMBERS,
    explain: () => ({
      detail: 'expected a value, found a BigInt: JSON numbers are doubles here',
      hint: 'put the digits in a string',
    }),
  },
  number: {
    code: 'DOC-175',
    rule: 'value/number',
    title: 'Number that is not finite',
    spec: JSON_NUMBERS,
    explain: ({ what }) => ({
      detail: `expected a finite number, found ${what}`,
      hint: 'JSON numbers are finite: leave the member out or use null',
    }),
  },
  cycle: {
    code: 'DOC-176',
    rule: 'value/cycle',
    title: 'Value inside of itself',
    spec: JSON_VALUES,
    explain: ({ first = '' }) => ({
      detail: `this is the same container as ${place(first)}, which it is inside of: its JSON would never end`,
      hint: 'put something that names it in its place',
      related: [{ pointer: first, message: 'the container that is met again' }],
    }),
  },
  opaque: {
    code: 'DOC-177',
    rule: 'value/opaque',
    title: 'Object whose members are not its content',
    spec: JSON_VALUES,
    explain: ({ what }) => ({
      detail: `expected a plain object, found one of type ${visible(what.slice(0, 40))}: its content is no member of it`,
      hint:
        INSTEAD.find(([type]) => type.test(what))?.[1] ?? 'put its content in its place, or give it a method toJSON',
    }),
  },
  unreadable: {
    code: 'DOC-178',
    rule: 'value/unreadable',
    title: 'Value that cannot be read',
    spec: JSON_VALUES,
    explain: ({ cause }) => ({
      detail: `reading the value threw ${nameOf(cause)}`,
      hint: 'what threw is a getter, a method toJSON or a proxy: see `cause` of the error',
    }),
  },
} as const satisfies Readonly<Record<string, Row>>

/** By reason; those that JSON in bytes can have too are the same fault here as there. */
const ROWS = {
  ...VALUE_FAULTS,
  surrogate: {
    ...FAULTS[-17]!,
    explain: () => ({
      detail: 'the text holds half of a surrogate pair: no character, and nothing that UTF-8 can hold',
      hint: 'cut text between characters, not inside of one',
    }),
  },
  depth: {
    ...FAULTS[-22]!,
    explain: ({ what }) => ({ detail: `expected at most ${what} containers inside of each other, found one more` }),
  },
  size: { ...TOO_LARGE, explain: () => ({ detail: 'the canonical form would be longer than 512 MiB' }) },
  memory: { ...FAULTS[-1]!, explain: () => ({ detail: 'the host gives no more memory for the canonical form' }) },
} as const satisfies Readonly<Record<string, Row>>

export type ValueReason = keyof typeof ROWS

const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^Map$/, 'put Object.fromEntries(map) in its place'],
  [/^Set$/, 'put [...set] in its place'],
  [/Array$|Buffer$|^DataView$/, 'put the bytes in a string, such as base64; `canonicalize` takes JSON in bytes'],
]

const NOWHERE = new Lines(new Uint8Array(0))

/** The diagnostic of a value that has no canonical form. */
export function valueToDiagnostic(fault: ValueFault): Diagnostic {
  const row: Row = ROWS[fault.reason]
  const { pointer } = fault
  const { detail, hint, related } = row.explain(fault)
  const fix = hint === undefined ? undefined : { hint }
  const finding = { pointer, offset: 0, endOffset: 0, detail: `${place(pointer)}: ${detail}`, related, fix }
  return diagnose(NOWHERE, { ...row, severity: 'error' }, finding)
}

/** A pointer within a sentence: what is deep has a long one, of which the end says most. */
function place(pointer: string): string {
  if (pointer === '') return 'the whole value'
  return visible(pointer.length <= 80 ? pointer : `…${pointer.slice(-80)}`)
}

/** What was thrown, in a word or two; it may be anything, also something that throws when it is looked at. */
function nameOf(cause: unknown): string {
  try {
    if (cause instanceof Error) return visible(`${cause.name}: ${cause.message}`.slice(0, 120))
  } catch {
    return 'an error that cannot be read either'
  }
  return `a value of type ${typeof cause}`
}
