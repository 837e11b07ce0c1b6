// Decides how much of a card a caller sees (Agent Card sections 7.2 and 7.5).

import { cuts, inJson, withEdits, withMembers } from '../document/edit.ts'
import type { Document } from '../document/parse.ts'
import { ARRAY } from '../document/tape.ts'
import type { Edit } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { FileOptions, SignResult, Source } from '../frame/source.ts'
import { type JsonObject, member, objectOf } from '../text/members.ts'
import { shown } from '../text/words.ts'
import { CARD_READING } from './subject.ts'

export declare namespace partial {
  interface Options extends FileOptions {
    /** The requested members. Default: the whole card. */
    readonly fields?: readonly string[] | undefined
  }

  /** A card as it is given to a caller: the whole card, or a part of it. */
  interface Result extends SignResult {
    /** Members were left out. The transport marks the card as partial, which `verify` needs to know. */
    readonly partial: boolean
  }
}

/** The members that every part has (section 4.1). */
const ALWAYS: readonly string[] = ['id', 'name']

/**
 * Returns the requested members of a card, with `id` and `name` (section 4.1). Names that the card lacks are ignored. A
 * part carries no signature, because the signature covers the whole card.
 *
 * @example
 * partial(bytes, { fields: ['tools'] }) // { document: { id, name, tools }, partial: true, ... }
 *
 * @throws {TypeError} when fields is not an array of strings.
 */
export function partial(source: Source, { fields, file }: partial.Options = {}): partial.Result {
  if (fields !== undefined && !(Array.isArray(fields) && fields.every((field) => typeof field === 'string'))) {
    throw new TypeError('fields: expected an array of strings')
  }
  const { subject: card, diagnostics } = readAs(CARD_READING, source, file)
  if (card === undefined) return { document: undefined, bytes: undefined, diagnostics, partial: false }
  const whole = inJson(card.document)
  const wanted = fields && new Set([...ALWAYS, ...fields])
  if (wanted === undefined || Object.keys(card.root.value).every((name) => wanted.has(name))) {
    return { document: whole, bytes: whole.bytes, diagnostics, partial: false }
  }
  const document = withMembers(whole, (name) => name !== 'signature' && wanted.has(name))
  return { document, bytes: document.bytes, diagnostics, partial: true }
}

/** A partial view of a card: only the members in `fields`, without the tools in `hideTools`. */
export interface VisiblePart {
  /** The members to show, in addition to `id` and `name`. Default: all members. */
  readonly fields?: readonly string[]
  /** Names of hidden tools. They are removed from `tools` and from the methods of endpoints. */
  readonly hideTools?: readonly string[]
}

export declare namespace disclose {
  interface Options extends FileOptions {
    /** The agent:// URI of the caller, if the transport has authenticated it. */
    readonly caller?: string | undefined
  }

  interface Result extends partial.Result {
    /** The caller may not see the card: UNAUTHORIZED (section 4.1). */
    readonly refused: boolean
  }

  /** What one group of callers may see. */
  interface Rule {
    /**
     * Anyone; callers whose agent:// URI the transport has authenticated; some of these; or callers that a function
     * accepts.
     */
    readonly to: 'anyone' | 'known' | readonly string[] | ((caller: string | undefined) => boolean)
    readonly show: 'whole' | 'nothing' | VisiblePart
  }
}

const REFUSED: disclose.Result = {
  document: undefined,
  bytes: undefined,
  diagnostics: [],
  partial: false,
  refused: true,
}

/**
 * Returns the card as a caller may see it. The first matching rule of the policy decides. A caller that matches none
 * sees `id` and `name`. The whole card carries its signature, a part does not.
 *
 * @example
 * const policy = [{ to: ['agent://auditor'], show: 'whole' }, { to: 'anyone', show: { hideTools: ['admin.reset'] } }]
 * disclose(bytes, policy).partial // true
 *
 * @throws {TypeError} for a malformed policy.
 */
export function disclose(
  source: Source,
  policy: readonly disclose.Rule[],
  { caller, file }: disclose.Options = {},
): disclose.Result {
  const show = showFor(policy, caller)
  if (show === 'nothing') return REFUSED
  const { subject: card, diagnostics } = readAs(CARD_READING, source, file)
  if (card === undefined) return { document: undefined, bytes: undefined, diagnostics, partial: false, refused: false }
  const whole = inJson(card.document)
  const edits = show === 'whole' ? [] : editsOf(whole, show)
  const document = withEdits(whole, edits)
  return { document, bytes: document.bytes, diagnostics, partial: edits.length > 0, refused: false }
}

/** Returns what a caller may see of every card: the first matching rule of the policy decides. */
export function showFor(policy: readonly disclose.Rule[], caller: string | undefined): disclose.Rule['show'] {
  return ruleFor(policy, caller)?.show ?? { fields: [] }
}

function ruleFor(policy: readonly disclose.Rule[], caller: string | undefined): disclose.Rule | undefined {
  if (!Array.isArray(policy)) throw new TypeError(`policy: expected an array of rules, got ${shown(policy)}`)
  return policy.find(({ to }, i) => {
    if (typeof to === 'function') return to(caller)
    if (to === 'anyone') return true
    if (to === 'known') return caller !== undefined
    if (Array.isArray(to)) return caller !== undefined && to.includes(caller)
    throw new TypeError(`policy[${i}].to: expected anyone, known, a list of ids or a function, got ${shown(to)}`)
  })
}

function editsOf(document: Document, { fields, hideTools = [] }: VisiblePart): readonly Edit[] {
  const { tape } = document
  const wanted = fields && new Set([...ALWAYS, ...fields])
  const isWanted = (name: string) => wanted?.has(name) ?? true
  const hidden = new Set(hideTools)
  const inner = [
    ...(isWanted('tools') ? toolEdits(document, hidden) : []),
    ...(isWanted('endpoints') ? endpointEdits(document, hidden) : []),
  ]
  const isWhole = inner.length === 0 && tape.children(0).every((name) => isWanted(tape.text(name)))
  if (isWhole) return []
  const outer = cuts(document, 0, (name) => isWanted(tape.text(name)) && tape.text(name) !== 'signature')
  return [...outer, ...inner]
}

function toolEdits(document: Document, hidden: ReadonlySet<string>): Edit[] {
  const [entry, tools] = listIn(document, 'tools')
  if (tools === undefined) return []
  return cuts(document, entry, (_, i) => !isHidden(hidden, member(objectOf(tools[i]), 'name')))
}

/** An endpoint without methods serves all tools and stays. An endpoint with only hidden methods is removed. */
function endpointEdits(document: Document, hidden: ReadonlySet<string>): Edit[] {
  const [entry, endpoints] = listIn(document, 'endpoints')
  if (endpoints === undefined) return []
  const methods = endpoints.map((endpoint) => {
    const list = member(objectOf(endpoint), 'methods')
    return Array.isArray(list) ? (list as readonly unknown[]) : []
  })
  const isGone = (list: readonly unknown[]) => list.length > 0 && list.every((name) => isHidden(hidden, name))
  const inner = document.tape.children(entry).flatMap((child, i) => {
    const list = methods[i]!
    if (isGone(list) || !list.some((name) => isHidden(hidden, name))) return []
    return cuts(document, valueEntry(document, child, 'methods'), (_, j) => !isHidden(hidden, list[j]))
  })
  return [...cuts(document, entry, (_, i) => !isGone(methods[i]!)), ...inner]
}

const isHidden = (hidden: ReadonlySet<string>, name: unknown) => typeof name === 'string' && hidden.has(name)

/** An array member of the card: its tape entry and its elements. */
function listIn({ tape, value }: Document, name: string): readonly [number, readonly unknown[] | undefined] {
  const entry = tape.find([name])
  if (entry < 0 || tape.kind(entry) !== ARRAY) return [entry, undefined]
  return [entry, member(value as JsonObject, name) as readonly unknown[]]
}

/** The tape entry of a member's value. A lookup by pointer would count the preceding elements each time. */
function valueEntry({ tape }: Document, object: number, name: string): number {
  return tape.children(object).find((child) => tape.text(child) === name)! + 1
}
