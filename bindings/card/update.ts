import { canonicalizeValue } from '../core/value.ts'
import { cuts, inJson, type Values, withEdits, withMembers, withValues } from '../document/edit.ts'
import { DocumentError } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import { readAs } from '../frame/as.ts'
import { unsigned } from '../frame/signing.ts'
import type { SignResult, Source } from '../frame/source.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { timeOf } from '../schema/times.ts'
import { escapeToken, isObject, type JsonObject, member, textMember } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { shown } from '../text/words.ts'
import { CARD_NO_HIGHER_SEQ } from './findings.ts'
import { made } from './size.ts'
import { CARD_READING, type Card } from './subject.ts'

export interface UpdateOptions {
  /** The file name of the card in diagnostics. */
  readonly file?: string
  /** The time of the update. Default: the current time. */
  readonly now?: Date
}

/** Members that an update sets itself (`seq`, `signature`), or that identify the card (`id`). */
const OWN = ['id', 'seq', 'signature']

/**
 * Returns the next version of a card. The given members replace those of the card, and `undefined` removes one. Members
 * of `metadata` are merged. seq is raised by one and `metadata.updated_at` is set. `created_at` and everything else
 * stay byte for byte. The signature is removed, because it covers the previous card.
 *
 * @example
 * const { bytes } = update('{"id": "agent://scout", "name": "Scout", "seq": 4}', { version: '1.1.0' })
 * // {"id": "agent://scout", "name": "Scout", "seq": 5,"version":"1.1.0","metadata":{"updated_at":"..."}}
 *
 * @throws {TypeError} for wrong arguments, {RangeError} for changes of id, seq or signature, and for values that JSON
 * lacks.
 */
export function update(
  previous: Source,
  changes: Readonly<Record<string, unknown>> = {},
  { file, now = new Date() }: UpdateOptions = {},
): SignResult {
  checkArguments(changes, now)
  const { subject: card, diagnostics } = readAs(CARD_READING, previous, file)
  if (card === undefined) return unsigned(diagnostics)
  const seq = nextSeq(card)
  if (typeof seq === 'string') {
    const finding = ruleDiagnostic(card.document, CARD_NO_HIGHER_SEQ, 'error', '/seq', seq)
    return { document: undefined, bytes: undefined, diagnostics: [finding] }
  }
  const { metadata, ...others } = changes
  const gone = ['signature', ...Object.keys(others).filter((name) => others[name] === undefined)]
  const kept = withMembers(inJson(card.document), (name) => !gone.includes(name))
  return made(withMetadata(withValues(kept, valuesIn('', { ...others, seq })), card, metadata, now), [])
}

function checkArguments(changes: Readonly<Record<string, unknown>>, now: Date): void {
  if (!isObject(changes)) throw new TypeError(`changes: expected an object, got ${shown(changes)}`)
  checkedNow(now)
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) checkValue(name, value)
  }
  const { metadata } = changes
  if (Object.hasOwn(changes, 'metadata') && !isObject(metadata)) {
    throw new TypeError(`changes.metadata: expected an object, got ${shown(metadata)}`)
  }
  const own = OWN.find((name) => Object.hasOwn(changes, name))
  if (own !== undefined) throw new RangeError(`changes: expected members other than ${OWN.join(', ')}, got ${own}`)
}

function checkValue(name: string, value: unknown): void {
  try {
    canonicalizeValue(value)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new RangeError(`changes.${name}: ${error.diagnostics[0]!.detail}`)
  }
}

/** Returns the next seq, or the reason that it cannot be raised: the new card could not be signed. */
function nextSeq({ root, seq }: Card): number | string {
  const found = member(root.value, 'seq')
  if (found === undefined) return 1
  if (seq === undefined) return `expected a uint64 to raise, found ${shown(found)}`
  if (seq.value < BigInt(Number.MAX_SAFE_INTEGER)) return Number(seq.value) + 1
  return `${seq.value} cannot be raised: integers beyond 2^53 - 1 cannot be signed`
}

/**
 * Merges the changes and the time into the metadata. The time always advances, so that two updates have different
 * times.
 */
function withMetadata(document: Document, { metadata }: Card, changes: unknown, now: Date): Document {
  const before = textMember(metadata, 'updated_at')?.value
  const last = before === undefined ? undefined : timeOf(before)
  const time = last === undefined || last < now.getTime() ? now : new Date(last + 1)
  const created = member(metadata?.value, 'created_at')
  const members = {
    ...(isObject(changes) && changes),
    ...(created !== undefined && { created_at: created }),
    updated_at: time.toISOString().replace('.000Z', 'Z'),
  }
  if (metadata === undefined) return withValues(document, [['/metadata', members]])
  const { tape } = document
  const goes = ([, value]: readonly [string, unknown]) => value === undefined
  const gone = Object.entries(members)
    .filter(goes)
    .map(([name]) => name)
  const stays = (name: number) => !gone.includes(tape.text(name))
  const kept = withEdits(document, cuts(document, tape.find(['metadata']), stays))
  return withValues(kept, valuesIn('/metadata', members))
}

/** The members that have a value, with their pointers below `parent`. */
function valuesIn(parent: string, members: JsonObject): Values {
  return Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[`${parent}/${escapeToken(name)}`, value] as const],
  )
}

/**
 * Returns a card that revokes the agent: an update with empty tools and endpoints. It takes effect once it is signed.
 *
 * @example
 * const { document } = revoke(bytes, { now: new Date() })
 * isRevocation(document.value) // true
 *
 * @throws {TypeError} for wrong arguments.
 */
export function revoke(previous: Source, options: UpdateOptions = {}): SignResult {
  return update(previous, { tools: [], endpoints: [] }, options)
}
