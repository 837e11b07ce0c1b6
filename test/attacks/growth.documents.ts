// Documents of each kind that name all members of their findings' examples, grown in two dimensions.
import { catalogue } from '../../bindings/catalogue.ts'
import { type ConvertFormat, convert, FORMATS } from '../../bindings/convert/index.ts'
import type { KINDS } from '../../bindings/tables/kinds.ts'
import { isObject } from '../../bindings/text/members.ts'
import { validate } from '../../bindings/verbs.ts'
import { FULL, type Json, OPTIONS } from '../convert/samples.ts'
import type { Split } from './growth.splits.ts'

/** The codes of the findings of each kind. The lists and texts of a run are also in growth.splits.ts. */
const CODES: Readonly<Partial<Record<(typeof KINDS)[number]['kind'], RegExp>>> = {
  adl: /^ADL-/,
  'adl-discovery': /^ADL-10\d\d/,
  verdict: /^PVS-/,
  run: /^RUN-/,
  invite: /^INV-/,
  wellknown: /^WK-/,
  trace: /^WK-/,
  a2a: /^CARD-/,
  'mcp-server': /^SRV-/,
  'ai-catalog': /^CAT-/,
  'claude-settings': /^CCS-/,
  lock: /^AL-/,
  prompt: /^AL-/,
  ux: /^AL-/,
  card: /^CARD-/,
  agentlang: /^AL-/,
  events: /^AL-/,
}

/** The most elements that a list has before it grows. */
const MOST = 12

function merged(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b].slice(0, MOST)
  if (!isObject(a) || !isObject(b)) return a
  return {
    ...b,
    ...Object.fromEntries(Object.entries(a).map(([name, value]) => [name, name in b ? merged(value, b[name]) : value])),
  }
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** One document with all the examples. */
const exampleOf = (codes: RegExp): unknown =>
  catalogue()
    .filter(({ code }) => codes.test(code))
    .flatMap(({ good, bad }) => [good, bad])
    .map(objectIn)
    .filter(isObject)
    .reduce<unknown>(merged, {})

type Change = (text: string) => string

function changed(value: unknown, change: Change): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => changed(one, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, change)]))
}

/** Names the copies of an element apart: the last letter of each text gets a number. */
const numbered =
  (i: number): Change =>
  (text) =>
    i === 0 ? text : text.replace(/[a-zA-Z](?=[^a-zA-Z]{0,9}$)/, `$&${i}`)

const copies = (count: number, value: readonly unknown[], isNumbered: boolean) =>
  Array.from({ length: count }, (_, i) => (isNumbered ? changed(value, numbered(i)) : value) as unknown[]).flat()

/** Repeats the elements of the outermost lists `m` times, and of lists within these `n` times. */
function withLists(value: unknown, m: number, n: number, isNumbered = true): unknown {
  if (Array.isArray(value)) {
    const inner = value.map((one) => withLists(one, n, n > 1 ? 1 : n, isNumbered))
    return copies(m, inner, isNumbered)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withLists(one, m, n, isNumbered)]))
}

/** Repeats each member below the root `m` times, under other names. */
function withNames(value: unknown, m: number, isRoot = true): unknown {
  if (Array.isArray(value)) return value.map((one) => withNames(one, m, false))
  if (!isObject(value)) return value
  const count = isRoot ? 1 : m
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const inner = isRoot ? withNames(one, m, false) : one
      return Array.from({ length: count }, (_, i) => [i === 0 ? name : `${name}${i}`, inner] as const)
    }),
  )
}

const withTexts = (value: unknown, n: number) => changed(value, (text) => text.repeat(n))

type Growth = (value: unknown, m: number, n: number) => unknown
const GROWTHS: Readonly<Record<string, Growth>> = {
  'lists x lists within': withLists,
  'lists x long texts': (value, m, n) => withTexts(withLists(value, m, 1), n),
  'equal elements x long texts': (value, m, n) => withTexts(withLists(value, m, 1, false), n),
  'names x long texts': (value, m, n) => withTexts(withNames(value, m), n),
}

const BYTES = 1 << 17
const isLongRun = process.env['BLAZON_SEED'] !== undefined

function grown(
  name: string,
  value: unknown,
  growths: typeof GROWTHS,
  bytes: number,
  call: (text: string) => unknown,
): readonly Split[] {
  const lengthAt = (grow: Growth, m: number) => JSON.stringify(grow(value, m, 4)).length
  return Object.entries(growths).map(([growth, grow]) => ({
    name: `${name}: ${growth}`,
    area: 'product',
    // One dimension alone would be refused for its bytes.
    ...(isLongRun && { bound: 'the bytes of a document' }),
    size: [Math.ceil(bytes / (lengthAt(grow, 2) - lengthAt(grow, 1) + 1)), 4],
    make(m, n) {
      const text = JSON.stringify(grow(value, m, n))
      return () => call(text)
    },
  }))
}

const VALIDATED = Object.entries(CODES).flatMap(([kind, codes]) =>
  grown(`validate ${kind}`, exampleOf(codes), GROWTHS, BYTES, (text) => validate(text, { as: kind as 'adl' })),
)

const madeOf = (to: ConvertFormat): Json | undefined =>
  to === 'adl'
    ? FULL
    : (convert(JSON.stringify(FULL), { ...OPTIONS, carry: 'all', to }).document?.value as Json | undefined)

/** Each format becomes a definition; nearly every other conversion goes through one. Long runs have all of them. */
const targetsOf = (from: ConvertFormat): readonly ConvertFormat[] => {
  if (isLongRun) return FORMATS.filter((to) => to !== from)
  return from === 'adl' ? ['card', 'mcp-2025-11-25', 'oasf-descriptor'] : ['adl']
}

const CONVERTED = FORMATS.flatMap((from) => {
  const value = madeOf(from)
  if (value === undefined) return []
  const growths = isLongRun ? GROWTHS : { 'lists x lists within': withLists }
  return targetsOf(from).flatMap((to) =>
    grown(`convert ${from} to ${to}`, value, growths, 2 * BYTES, (text) => convert(text, { ...OPTIONS, from, to })),
  )
})

export const DOCUMENT_SPLITS: readonly Split[] = [...VALIDATED, ...CONVERTED]
