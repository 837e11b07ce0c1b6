// Members that two formats have with one meaning. One table serves both directions of a pair.
import { isDid } from '../keys/did.ts'
import { isUri } from '../schema/formats.ts'
import { isObject, member, objectMember, type PlacedObject } from '../text/members.ts'
import { child, isTexts, type MutableObject } from './json.ts'
import type { Ledger } from './ledger.ts'

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isFlag = (value: unknown) => typeof value === 'boolean'

/** Which values are taken over, and which of them back. */
const READERS = {
  did: [(value: unknown) => isFilled(value) && isDid(value)],
  flag: [isFlag],
  /** Definitions accept only URIs (ADL 18.7). */
  link: [isFilled, (value: unknown) => isFilled(value) && isUri(value)],
  object: [isObject],
  texts: [isTexts],
} as const satisfies Readonly<Record<string, readonly ((value: unknown) => boolean)[]>>

type Counterparts = readonly (readonly [path: string, other: string, reader: keyof typeof READERS])[]

const TABLES = {
  'adl-a2a': [['metadata/documentation', 'documentationUrl', 'link']],
  'adl-card': [
    ['cryptographic_identity/did', 'did', 'did'],
    ['metadata/tags', 'skills', 'texts'],
  ],
  'adl-card tool': [
    ['parameters', 'input_schema', 'object'],
    ['returns', 'output_schema', 'object'],
    ['idempotent', 'idempotent', 'flag'],
  ],
  'adl-mcp': [['metadata/documentation', 'websiteUrl', 'link']],
  'adl-mcp tool': [
    ['read_only', 'annotations/readOnlyHint', 'flag'],
    ['idempotent', 'annotations/idempotentHint', 'flag'],
  ],
  'adl-server': [
    ['metadata/documentation', 'websiteUrl', 'link'],
    ['metadata/repository', 'repository/url', 'link'],
  ],
  'card-mcp tool': [['idempotent', 'annotations/idempotentHint', 'flag']],
} as const satisfies Readonly<Record<string, Counterparts>>

/** Copies members to their counterparts, or `back`; without a ledger nothing is reported. */
export function moveCounterparts(
  ledger: Ledger | undefined,
  table: keyof typeof TABLES,
  from: PlacedObject,
  into: MutableObject,
  { at = '', back = false, except = [] as readonly string[] } = {},
): void {
  for (const [path, other, reader] of TABLES[table]) {
    const [source, target] = back ? [other, path] : [path, other]
    const [name, ...above] = source.split('/').reverse()
    const [as, ...parents] = target.split('/').reverse()
    const holder = above.reduceRight<PlacedObject | undefined>((object, part) => objectMember(object, part), from)
    const value = member(holder?.value, name!)
    if (except.includes(source) || !READERS[reader].at(back ? -1 : 0)!(value)) continue
    parents.reduceRight(child, into)[as!] = value
    ledger?.moved(`${from.pointer}/${source}`, `${at}/${target}`)
  }
}
