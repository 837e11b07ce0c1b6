// Common parts of all conversions from and to Agent Cards.
import {
  elements,
  escapeToken,
  isObject,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
} from '../../text/members.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import type { ConvertOptions } from '../formats.ts'
import { type Converter, type Job, Problems, type Product, textOf } from '../job.ts'
import { equal, type MutableObject, put } from '../json.ts'
import { type Baggage, type Carrier, Ledger, openBaggage, restore, shownOf } from '../ledger.ts'
import { ITSELF } from './a2a.ts'

/** Formats with members that a card lacks. They are kept under a namespace (Agent Card 3.8). */
type Space = 'a2a' | 'adl' | 'mcp' | 'mcp-server' | 'oasf' | 'wellknown'

const spaceOf = (format: Space) => `blazon.${format}`

/** The version of a card without one, for targets that require a version. */
export const NO_VERSION = '0.0.0'

/** AITP encodes the length of a method in one octet (Agent Card 3.4). */
const LONGEST_METHOD = 255

const encoder = new TextEncoder()

/** True if a text can be the name of a tool. */
const isMethod = (name: string) => encoder.encode(name).length <= LONGEST_METHOD

/** The order of members in the specification's example. */
const ORDER = [
  ['id', 'did', 'name', 'description', 'version', 'skills', 'tools', 'endpoints', 'constraints', 'metadata'],
  ['extensions', 'seq', 'signature'],
].flat()

/** A named tool of a card; each name counts once. */
export interface NamedTool {
  readonly name: string
  readonly tool: PlacedObject
}

/** The named tools of a card. `exact` if these are all its tools, so that each can be found by its name. */
export function toolsOf(card: PlacedObject): { readonly tools: readonly NamedTool[]; readonly exact: boolean } {
  const all = member(card.value, 'tools')
  const list: readonly unknown[] = Array.isArray(all) ? all : []
  const named = new Map<string, PlacedObject>()
  for (const [i, value] of list.entries()) {
    const tool = { pointer: `/tools/${i}`, value: isObject(value) ? value : {} }
    const name = textOf(tool, 'name')
    if (name !== undefined && !named.has(name)) named.set(name, tool)
  }
  const tools = [...named].map(([name, tool]) => ({ name, tool }))
  return { tools, exact: tools.length === list.length && !named.has(ITSELF) }
}

/** Reads the members of another format that this card was made from and cannot express. */
export function keptOf(card: PlacedObject, format: Space): PlacedObject | undefined {
  return objectMember(objectMember(card, 'extensions'), spaceOf(format))
}

/** Reports a card without a name. */
export function needName({ problems }: Job, of: PlacedObject | undefined, pointer = '', name = 'name'): void {
  if (textOf(of, name) !== undefined) return
  problems.report(CONVERT_NEEDED, pointer, 'expected a non-empty name: an Agent Card requires it')
}

/** Writes a required text. The ledger tells a card with the fallback text from one without a text. */
export function writeText(
  ledger: Ledger,
  of: PlacedObject,
  name: string,
  into: MutableObject,
  at: string,
  fallback: string,
  why: string,
  as = name,
): void {
  const text = textOf(of, name)
  into[as] = text ?? fallback
  if (text === undefined) ledger.added(`${at}/${as}`, why)
  else if (text === fallback) ledger.shown(`${of.pointer}/${name}`, `${at}/${as}`, 'as it is')
  else ledger.moved(`${of.pointer}/${name}`, `${at}/${as}`)
}

interface Fallback {
  readonly carried: PlacedObject | undefined
  /** The text shown for a document without one. */
  readonly fallback: string
  /** Shortens a longer text. */
  readonly short?: (text: string) => string
}

/** Reads a text back: the carried text, if the shown one still stands for it. */
export function readText(
  ledger: Ledger,
  of: PlacedObject,
  name: string,
  into: MutableObject,
  target: string,
  { carried, fallback, short = (text) => text }: Fallback,
  as = name,
): void {
  const text = textOf(of, name)
  if (text === undefined) return
  const full = member(carried?.value, as)
  const isOdd = textOf(carried, as) === undefined
  if (full !== undefined && (isOdd || text === fallback || short(full as string) === text))
    ledger.implied(`${of.pointer}/${name}`, 'also carried along', `${target}/${as}`)
  else if (carried !== undefined && text === fallback) {
    ledger.implied(`${of.pointer}/${name}`, 'the replacement for a missing text')
  } else {
    into[as] = text
    ledger.moved(`${of.pointer}/${name}`, `${target}/${as}`)
  }
}

/** A list of another format whose entries can become tools of a card. */
interface ToolList {
  readonly of: PlacedObject | undefined
  readonly list: string
  /** The member with the name of the tool. */
  readonly key: string
  readonly format: Space
  /** True for an entry that is not a tool. */
  readonly skip?: (entry: PlacedObject, name: string) => boolean
}

/** Makes tools from entries with a callable name, each name once. Members that nothing reads are kept. */
export function makeTools(
  { ledger }: Job,
  card: MutableObject,
  carriers: [string, Carrier][],
  { of, list, key, format, skip }: ToolList,
  read: (entry: PlacedObject, tool: MutableObject, at: string, name: string) => void,
): void {
  const names = new Set<string>()
  const tools: MutableObject[] = []
  for (const entry of elements(of, list, isObject)) {
    const name = textOf(entry, key)
    if (name === undefined || names.has(name) || !isMethod(name) || skip?.(entry, name) === true) continue
    names.add(name)
    const at = `/tools/${tools.length}`
    const tool: MutableObject = { name }
    ledger.moved(`${entry.pointer}/${key}`, `${at}/name`)
    read(entry, tool, at, name)
    tools.push(tool)
    carriers.push([entry.pointer, toolKeeper(card, format, name)])
  }
  if (tools.length > 0) card['tools'] = tools
}

/** The carried members of each tool; undefined for a tool without carried members. */
export function carriedTools(carried: PlacedObject | undefined): (name: string) => PlacedObject | undefined {
  if (carried === undefined) return () => undefined
  const found = new Map<unknown, PlacedObject>()
  for (const tool of elements(carried, 'tools', isObject)) {
    const name = member(tool.value, 'name')
    if (!found.has(name)) found.set(name, tool)
  }
  return (name) => found.get(name) ?? { pointer: '', value: {} }
}

/**
 * Restores the carried parts of a card. Tools without unique names come back as they were, others only if the document
 * that `shows` them still does.
 */
export function restoreCard(ledger: Ledger, carried: PlacedObject, card: MutableObject, shows = true): void {
  const own = structuredClone(carried)
  const isExact = member(own.value, 'tools') === undefined || toolsOf({ pointer: '', value: own.value }).exact
  if (!isExact) delete card['tools']
  restore(ledger, isExact && shows ? shownOf(ledger, own, 'tools', card) : own, card)
}

type Carriers = readonly (readonly [string, Carrier])[]

/**
 * Completes a card: marks derived members, adds required ones, and keeps members without a counterpart. `remake` is the
 * opposite conversion.
 */
export function closeCard(
  job: Job,
  card: MutableObject,
  format: Space,
  remake: Converter,
  carriers: Carriers = [],
  baggage: (options: ConvertOptions, carriers: Carriers, homeless: string) => Baggage = openBaggage,
): Product {
  skipRemade(job, card, remake)
  finishCard(job, card)
  const all = [...carriers, ['', cardKeeper(card, format)]] as const
  return { document: card, baggage: baggage(job.options, all, 'an Agent Card has no member for it') }
}

/** Adds the required members to a card and sorts its members. */
function finishCard({ options, ledger, problems, passing }: Job, card: MutableObject): void {
  if (card['id'] === undefined) {
    if (options.id !== undefined) {
      card['id'] = options.id
      ledger.added('/id', 'the option id')
    } else if (passing !== true) {
      problems.report(CONVERT_NEEDED, '', 'expected the option id: the agent:// URI of the agent (Agent Card 3.3)')
    }
  }
  for (const name of new Set([...ORDER, ...Object.keys(card)])) {
    if (!Object.hasOwn(card, name)) continue
    const value = card[name]
    delete card[name]
    if (value !== undefined) put(card, name, value)
  }
}

/** Keeps members that a card cannot express, under the namespace of the format. */
function cardKeeper(card: MutableObject, format: Space): Carrier {
  const space = spaceOf(format)
  return { target: `/extensions/${space}`, take: (residue) => keep(card, space, residue as JsonObject) }
}

/** Keeps those of one tool, under its name. */
export function toolKeeper(card: MutableObject, format: Space, name: string): Carrier {
  const space = spaceOf(format)
  return {
    target: `/extensions/${space}/tools/${escapeToken(name)}`,
    take(residue) {
      const tools: MutableObject = {}
      put(tools, name, residue)
      keep(card, space, { tools })
    },
  }
}

function keep(card: MutableObject, space: string, residue: JsonObject): void {
  const extensions = isObject(card['extensions']) ? (card['extensions'] as MutableObject) : {}
  card['extensions'] = extensions
  const own = isObject(extensions[space]) ? (extensions[space] as MutableObject) : {}
  extensions[space] = own
  for (const [name, value] of Object.entries(residue)) {
    const there = Object.hasOwn(own, name) ? own[name] : undefined
    if (name === 'tools' && isObject(there) && isObject(value)) {
      for (const [tool, rest] of Object.entries(value)) put(there as MutableObject, tool, rest)
    } else if (there === undefined) put(own, name, value)
  }
}

/** Marks members of the source that follow from the card: the opposite conversion gives the same. */
function skipRemade(job: Job, card: MutableObject, remake: (job: Job) => Product): void {
  const again = remake({
    ...job,
    root: { pointer: '', value: structuredClone(card) },
    options: { carry: 'nothing' },
    ledger: new Ledger(undefined),
    problems: new Problems(),
  })
  skip(job.ledger, '', job.root.value, again.document)
}

function skip(ledger: Ledger, pointer: string, value: unknown, again: unknown): void {
  if (pointer !== '' && ledger.isOpen(pointer) && equal(value, again)) {
    ledger.implied(pointer, 'follows from the rest', '')
  } else if (Array.isArray(value) && Array.isArray(again)) {
    // The rest of a list must still be a list, so only lists read element by element are compared this way.
    for (const [i, element] of value.entries()) {
      if (!ledger.isOpen(`${pointer}/${i}`)) skip(ledger, `${pointer}/${i}`, element, again[i])
    }
  } else if (isObject(value) && isObject(again)) {
    for (const [name, inner] of Object.entries(value)) {
      skip(ledger, `${pointer}/${escapeToken(name)}`, inner, member(again, name))
    }
  }
}
