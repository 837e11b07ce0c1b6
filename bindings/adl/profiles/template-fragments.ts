import { FORMATS, type Fragment, TYPES } from './fragment.ts'
import { read, readList, readObject, readText, typeName } from './template-values.ts'

/** A fragment is as deep as members of ADL are, and no larger than what one can read. */
const DEEPEST = 16
const MOST_FRAGMENTS = 5000
const MOST_ITEMS = 1000

const NUMBERS = [
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
] as const satisfies readonly (keyof Fragment)[]
const TEXTS = ['title', 'description', 'x-rule'] as const satisfies readonly (keyof Fragment)[]
const KEYWORDS: ReadonlySet<string> = new Set<keyof Fragment>([
  ...NUMBERS,
  ...TEXTS,
  'type',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'format',
])

/** Copies the fragments of a template by name. */
export function readFragments(value: unknown, field: string): Readonly<Record<string, Fragment>> {
  let count = 0
  const readMany = (members: unknown, path: string, depth: number): Readonly<Record<string, Fragment>> => {
    if (members === undefined) return {}
    const from = readObject(members, path)
    const names = Object.keys(from).map((name) => [name, readOne(read(from, name, path), `${path}.${name}`, depth)])
    return Object.freeze(Object.fromEntries(names))
  }
  const readOne = (fragment: unknown, path: string, depth: number): Fragment => {
    const from = readObject(fragment, path)
    if (depth > DEEPEST) throw new RangeError(`${path}: expected fragments at most ${DEEPEST} deep`)
    if (++count > MOST_FRAGMENTS) throw new RangeError(`${path}: expected at most ${MOST_FRAGMENTS} fragments`)
    const copy: Record<string, unknown> = {}
    for (const keyword of Object.keys(from)) {
      if (!KEYWORDS.has(keyword)) {
        const known = [...KEYWORDS].join(', ')
        throw new RangeError(`${path}: keyword ${JSON.stringify(keyword.slice(0, 80))} is none of ${known}`)
      }
      const at = `${path}.${keyword}`
      const given = read(from, keyword, path)
      if (keyword === 'properties') copy[keyword] = readMany(given, at, depth + 1)
      else if (keyword === 'items') copy[keyword] = readOne(given, at, depth + 1)
      else copy[keyword] = readKeyword(keyword, given, at)
    }
    return Object.freeze(copy)
  }
  return readMany(value, field, 1)
}

function readKeyword(keyword: string, value: unknown, field: string): unknown {
  if ((NUMBERS as readonly string[]).includes(keyword)) {
    if (typeof value === 'number' && Number.isFinite(value)) return value
    throw new TypeError(`${field}: expected a finite number, got ${typeName(value)}`)
  }
  if ((TEXTS as readonly string[]).includes(keyword)) return readText(value, field, 'a text that is not empty')
  switch (keyword) {
    case 'type':
      return Array.isArray(value) ? readList(value, field, 7, readType) : readType(value, field)
    case 'enum':
      return readList(value, field, MOST_ITEMS, readScalar)
    case 'required':
      return readList(value, field, MOST_ITEMS, (name, at) => readText(name, at, 'the name of a member'))
    case 'format':
      return readText(value, field, `one of ${Object.keys(FORMATS).join(', ')}`, (text) => Object.hasOwn(FORMATS, text))
    default:
      if (typeof value === 'boolean') return value
      throw new TypeError(`${field}: expected a boolean, got ${typeName(value)}`)
  }
}

const readType = (value: unknown, field: string) =>
  readText(value, field, `one of ${Object.keys(TYPES).join(', ')}`, (text) => Object.hasOwn(TYPES, text))

function readScalar(value: unknown, field: string): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value
  throw new TypeError(`${field}: expected a text, number, boolean or null, got ${typeName(value)}`)
}
