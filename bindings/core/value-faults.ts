// Converts faults of values in memory to diagnostics. Values have no source text, so a pointer shows the place.
import { diagnoseNowhere } from '../document/diagnose.ts'
import { FAULTS } from '../document/faults.ts'
import type { FindingKind } from '../document/finding.ts'
import { LIMIT_SIZE } from '../document/findings.ts'
import type { Diagnostic, RelatedPlace } from '../document/types.ts'
import { visible } from '../text/hidden.ts'
import { JSON_DEPTH, JSON_SURROGATE, NO_MEMORY } from '../wasm/faults.ts'
import * as FINDINGS from './findings.ts'

/** Why a value cannot be canonicalized. */
export interface ValueFault {
  readonly reason: ValueReason
  readonly pointer: string
  /** The offending value where the reason does not show it: `NaN`, `Map`; or the limit that was reached. */
  readonly what: string
  /** The first place of a container that contains itself. */
  readonly first?: string
  /** The error thrown when the value was read. */
  readonly cause?: unknown
}

interface Words {
  readonly detail: string
  readonly hint?: string
  readonly related?: readonly RelatedPlace[]
}

interface Row extends FindingKind {
  explain(fault: ValueFault): Words
}

/** Faults that only values in memory can have. */
export const VALUE_FAULTS = {
  undefined: {
    ...FINDINGS.VALUE_UNDEFINED,
    explain: () => ({ detail: 'expected a value, found undefined', hint: 'write null, or leave the element out' }),
  },
  hole: {
    ...FINDINGS.VALUE_HOLE,
    explain: () => ({ detail: 'expected a value, found a hole', hint: 'write null, or close the gap' }),
  },
  function: {
    ...FINDINGS.VALUE_FUNCTION,
    explain: () => ({ detail: 'expected a value, found a function', hint: 'leave it out' }),
  },
  symbol: {
    ...FINDINGS.VALUE_SYMBOL,
    explain: () => ({ detail: 'expected a value, found a symbol', hint: 'put its description in its place' }),
  },
  bigint: {
    ...FINDINGS.VALUE_BIGINT,
    explain: () => ({
      detail: 'expected a value, found a BigInt: JSON numbers are doubles here',
      hint: 'put the digits in a string',
    }),
  },
  number: {
    ...FINDINGS.VALUE_NUMBER,
    explain: ({ what }) => ({
      detail: `expected a finite number, found ${what}`,
      hint: 'JSON numbers are finite: leave the member out or use null',
    }),
  },
  cycle: {
    ...FINDINGS.VALUE_CYCLE,
    explain: ({ first = '' }) => ({
      detail: `this is the same container as ${place(first)}, which it is inside of: its JSON would never end`,
      hint: 'put something that names it in its place',
      related: [{ pointer: first, message: 'the container that is met again' }],
    }),
  },
  opaque: {
    ...FINDINGS.VALUE_OPAQUE,
    explain: ({ what }) => ({
      detail: `expected a plain object, found one of type ${visible(what.slice(0, 40))}: its content is no member of it`,
      hint:
        INSTEAD.find(([type]) => type.test(what))?.[1] ?? 'put its content in its place, or give it a method toJSON',
    }),
  },
  unreadable: {
    ...FINDINGS.VALUE_UNREADABLE,
    explain: ({ cause }) => ({
      detail: `reading the value threw ${nameOf(cause)}`,
      hint: 'what threw is a getter, a method toJSON or a proxy: see `cause` of the error',
    }),
  },
} as const satisfies Readonly<Record<string, Row>>

/** By reason. Faults that JSON text can have as well use the same codes. */
const ROWS = {
  ...VALUE_FAULTS,
  surrogate: {
    ...FAULTS[JSON_SURROGATE]!,
    explain: () => ({
      detail: 'the text holds half of a surrogate pair: no character, and nothing that UTF-8 can hold',
      hint: 'cut text between characters, not inside of one',
    }),
  },
  depth: {
    ...FAULTS[JSON_DEPTH]!,
    explain: ({ what }) => ({ detail: `expected at most ${what} containers inside of each other, found one more` }),
  },
  size: { ...LIMIT_SIZE, explain: () => ({ detail: 'the canonical form would be longer than 512 MiB' }) },
  memory: {
    ...FAULTS[NO_MEMORY]!,
    explain: () => ({ detail: 'the host gives no more memory for the canonical form' }),
  },
} as const satisfies Readonly<Record<string, Row>>

export type ValueReason = keyof typeof ROWS

const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^Map$/, 'put Object.fromEntries(map) in its place'],
  [/^Set$/, 'put [...set] in its place'],
  [/Array$|Buffer$|^DataView$/, 'put the bytes in a string, such as base64; `canonicalize` takes JSON in bytes'],
]

/** The diagnostic of a value that has no canonical form. */
export function valueToDiagnostic(fault: ValueFault): Diagnostic {
  const row: Row = ROWS[fault.reason]
  const { pointer } = fault
  const { detail, hint, related } = row.explain(fault)
  const fix = hint === undefined ? undefined : { hint }
  return diagnoseNowhere(row, { pointer, detail: `${place(pointer)}: ${detail}`, related, fix })
}

/** A pointer within a sentence. Long pointers are cut at the start, because their end shows most. */
function place(pointer: string): string {
  if (pointer === '') return 'the whole value'
  return visible(pointer.length <= 80 ? pointer : `…${pointer.slice(-80)}`)
}

/** The name of a thrown value, which may be anything, even an object that throws when it is read. */
function nameOf(cause: unknown): string {
  try {
    if (cause instanceof Error) return visible(`${cause.name}: ${cause.message}`.slice(0, 120))
  } catch {
    return 'an error that cannot be read either'
  }
  return `a value of type ${typeof cause}`
}
