// Lockfiles: the versions of tools, models and sub-agents, and the hash of every file.
//
//     version: "1"
//     resolved_at: 2025-01-29T10:30:00Z
//     tools:
//       web_search:
//         version: 1.3.0
//         hash: sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a
import { canonicalizeValue } from '../../core/value.ts'
import type { FindingKind } from '../../document/finding.ts'
import type { Files } from '../../document/types.ts'
import { isEqual } from '../../policy/diff/members.ts'
import { toHex } from '../../text/bytes.ts'
import { elements, escapeToken, isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { checkedNow } from '../../text/moment.ts'
import { quoted, shown, suggest } from '../../text/words.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { type Fault, LOCK_FILE } from '../files.ts'
import { BUILT_IN_TOOLS } from '../tool-names.ts'
import * as FINDINGS from './findings.ts'
import { CONFLICTING_VERSIONS, UNKNOWN_MODEL } from './findings.ts'
import { compareVersions, highest, parseRange, parseVersion, satisfies } from './range.ts'

export interface SubAgent {
  readonly version?: string
  /** The files that it consists of, by their paths in the agent's folder. */
  readonly files: Files
  /** Its `tools`, which share the versions of the root's. */
  readonly tools?: unknown
  /** Its `mcp_servers`, whose pins the lockfile keeps. */
  readonly mcp_servers?: unknown
}

export interface ServerDescription {
  readonly instructions?: string
  /** The tools of its `tools/list`. */
  readonly tools: readonly unknown[]
}

export declare namespace makeLock {
  interface Result {
    /** Undefined when there are faults. */
    readonly lock: JsonObject | undefined
    /** Those of sub-agents have no pointer, and name the agent. */
    readonly faults: readonly Fault[]
  }

  interface Parts {
    readonly agent: JsonObject
    readonly files: Files
    readonly agents?: Readonly<Record<string, SubAgent>>
    readonly index: unknown
    readonly previous?: unknown
    /** SOURCE_DATE_EPOCH: seconds since 1970. */
    readonly epoch?: number
    /** The time of the build; default: the platform's clock. */
    readonly now?: Date
    /** Pins these servers again. The previous lockfile has the pins of the others that the agent still has. */
    readonly mcp?: Readonly<Record<string, ServerDescription>>
  }
}

/** The end of the year 9999, the last one of RFC 3339. */
const LAST_SECOND = 253_402_300_799
/** The members of a tool that its users and its model see. */
const PINNED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']

/**
 * Makes the lockfile of an agent. Its time is the epoch; otherwise that of the previous lockfile if nothing changed;
 * otherwise the current time.
 *
 * @throws {TypeError} or {RangeError} for an invalid time.
 */
export function makeLock(parts: makeLock.Parts): makeLock.Result {
  const { agent, files, agents = {}, index, previous } = parts
  const tools = lockedTools(agent, agents, index)
  const models = lockedModels(agent, index)
  const faults = [...tools.faults, ...models.faults]
  if (faults.length > 0) return { lock: undefined, faults }
  const mcp = pinsFor(parts)
  const lock = {
    version: '1',
    resolved_at: '',
    tools: tools.entries,
    agents: mapMembers(agents, ({ version, files: own }) => ({
      ...(version !== undefined && { version }),
      hash: hashOf(hashesOf(own)),
    })),
    models: models.entries,
    files: hashesOf(files),
    ...(mcp !== undefined && { mcp }),
  }
  return { lock: { ...lock, resolved_at: timeOf(parts, compareLocks(previous, lock).length === 0) }, faults }
}

/** The lockfile with other entries for some files. The hashes of sub-agents follow from the entries of their files. */
export function withEntries(
  lock: JsonObject,
  agents: Readonly<Record<string, SubAgent>>,
  entries: ReadonlyMap<string, string>,
): JsonObject {
  const files: JsonObject = { ...objectOf(lock['files']), ...Object.fromEntries(entries) }
  const locked = mapMembers(objectOf(lock['agents']), (entry, name) => {
    const own = Object.hasOwn(agents, name) ? [...agents[name]!.files.keys()] : undefined
    return { ...objectOf(entry), ...(own && { hash: hashOf(pickMembers(files, own)) }) }
  })
  return { ...lock, agents: locked, files }
}

/** The index that a lockfile replaces: its tools and models, and no others. Models that it lacks have no details. */
export function lockedIndex(lock: JsonObject, models: readonly string[]): JsonObject {
  const locked = objectOf(lock['models'])
  return {
    tools: mapMembers(objectOf(lock['tools']), (entry) => {
      const { version, hash } = objectOf(entry)
      return isText(version) && isText(hash) ? { [version]: new LockedDefinition(hash) } : {}
    }),
    models: Object.fromEntries(models.map((id) => [id, objectOf(member(locked, id))])),
  }
}

export declare namespace compareLocks {
  interface Change {
    readonly path: string
    readonly change: 'added' | 'removed' | 'changed'
  }
}

/**
 * The differences of two lockfiles, by JSON Pointers. The time is not compared.
 *
 * @example
 * compareLocks({ files: { a: 'sha256:1' } }, { files: { b: 'sha256:1' } })
 * // [{ path: '/files/a', change: 'removed' }, { path: '/files/b', change: 'added' }]
 */
export function compareLocks(expected: unknown, found: unknown): compareLocks.Change[] {
  const changes: compareLocks.Change[] = []
  compareAt(expected, found, '', changes)
  return changes
}

function compareAt(expected: unknown, found: unknown, path: string, changes: compareLocks.Change[]): void {
  if (!isObject(expected) || !isObject(found)) {
    if (!isEqual(expected, found)) changes.push({ path, change: 'changed' })
    return
  }
  for (const name of [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort()) {
    const at = `${path}/${escapeToken(name)}`
    if (at === '/resolved_at') continue
    if (!Object.hasOwn(found, name)) changes.push({ path: at, change: 'removed' })
    else if (!Object.hasOwn(expected, name)) changes.push({ path: at, change: 'added' })
    else compareAt(expected[name], found[name], at, changes)
  }
}

function lockedTools(agent: JsonObject, agents: Readonly<Record<string, SubAgent>>, index: unknown) {
  const all = [agent, ...Object.values(agents)]
  const shared = sharedVersions(
    all.map(({ tools }) => tools),
    index,
  )
  const { tools, faults } = resolveTools(member(agent, 'tools'), index, shared)
  const locked = new Map<string, LockedTool>(tools)
  const found = [...faults]
  for (const [agentName, { tools: own }] of Object.entries(agents)) {
    const resolved = resolveTools(own, index, shared)
    const add = ({ rule, detail }: Omit<Fault, 'pointer'>) =>
      found.push({ rule, pointer: '', detail: `Sub-agent ${quoted(agentName)}: ${detail}` })
    resolved.faults.forEach(add)
    for (const [name, tool] of resolved.tools) {
      const { version } = locked.get(name) ?? tool
      locked.set(name, tool)
      const detail = `expected ${quoted(name)} in version ${version}, which other agents use, found ${tool.version}`
      if (version !== tool.version) add({ rule: CONFLICTING_VERSIONS, detail })
    }
  }
  return { entries: sortMembers(Object.fromEntries(locked)), faults: found }
}

function lockedModels(agent: JsonObject, index: unknown) {
  const known = objectOf(member(objectOf(index), 'models'))
  const faults: Fault[] = []
  const entries = mapMembers(objectOf(member(agent, 'models')), (_, id) => {
    const model = member(known, id)
    if (isObject(model)) return pickMembers(model, ['context_window', 'supports_tools'])
    const pointer = `/models/${escapeToken(id)}`
    faults.push({ rule: UNKNOWN_MODEL, pointer, detail: `The index has no model ${quoted(id)}` })
    return undefined
  })
  return { entries, faults }
}

function hashesOf(files: Files): JsonObject {
  const { [LOCK_FILE]: _, ...hashed } = mapMembers(Object.fromEntries(files), hashOfBytes)
  return hashed
}

function pinsFor({ agent, agents = {}, previous, mcp = {} }: makeLock.Parts): JsonObject | undefined {
  const owners = [member(agent, 'mcp_servers'), ...Object.values(agents).map(({ mcp_servers }) => mcp_servers)]
  const servers = owners.flatMap((declared) => Object.keys(objectOf(declared)))
  const pins = { ...pickMembers(objectOf(member(objectOf(previous), 'mcp')), servers), ...mapMembers(mcp, pinsOf) }
  return Object.keys(pins).length > 0 ? sortMembers(pins) : undefined
}

/** What a lockfile has of a server. */
export function pinsOf({ instructions, tools }: ServerDescription): JsonObject {
  const pins = tools.filter(isObject).map((tool) => [String(tool['name']), hashOf(pickMembers(tool, PINNED))] as const)
  return {
    ...(instructions !== undefined && { instructions: hashOf(instructions) }),
    tools: sortMembers(Object.fromEntries(pins)),
  }
}

function timeOf({ previous, epoch, now }: makeLock.Parts, isUnchanged: boolean): string {
  const before = member(objectOf(previous), 'resolved_at')
  if (epoch === undefined && isUnchanged && isText(before)) return before
  if (epoch !== undefined && !(Number.isSafeInteger(epoch) && epoch >= 0 && epoch <= LAST_SECOND))
    throw new RangeError(`epoch: expected seconds since 1970, got ${epoch}`)
  const time = epoch === undefined ? checkedNow(now) : new Date(epoch * 1000)
  return time.toISOString().replace('.000Z', 'Z')
}

/** An object with other values, sorted by its names. */
const mapMembers = <Value>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => unknown,
): JsonObject =>
  sortMembers(Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)])))

const pickMembers = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => member(object, name) !== undefined).map((name) => [name, object[name]]))

export const sortMembers = (object: object): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))

// Whether a lockfile is that of an agent: the same tools, models and sub-agents.

/** Says where a lockfile does not fit its agent; undefined if it fits. The index is not needed. */
export function misfitOf(
  lock: JsonObject,
  agent: JsonObject,
  agents: Readonly<Record<string, SubAgent>>,
): string | undefined {
  const locked = objectOf(lock['tools'])
  const declared = [agent, ...Object.values(agents)].flatMap(({ tools }) =>
    elements({ pointer: '', value: { tools } }, 'tools', isObject).map(({ value }) => value),
  )
  for (const tool of declared) {
    const name = member(tool, 'name')
    if (!isText(name) || BUILT_IN_TOOLS.includes(name)) continue
    const found = member(objectOf(member(locked, name)), 'version')
    const version = isText(found) ? parseVersion(found) : undefined
    const range = parseRange(member(tool, 'version') ?? '')
    if (version === undefined) return `it has no version of the tool ${quoted(name)}`
    if (range === undefined || !satisfies(range, version))
      return `${quoted(name)} is locked in version ${found}, which its agent does not accept`
  }
  const names = new Set(declared.map((tool) => member(tool, 'name')))
  const undeclared = Object.keys(locked).find((name) => !names.has(name))
  if (undeclared !== undefined) return `no agent declares its tool ${quoted(undeclared)}`
  const expected = {
    models: mapMembers(objectOf(agent['models']), (_, id) => member(objectOf(lock['models']), id) ?? null),
    agents: mapMembers(agents, ({ version }, name) => {
      const { version: _, ...entry } = objectOf(member(objectOf(lock['agents']), name))
      return version === undefined ? entry : { ...entry, version }
    }),
  }
  const own = { models: lock['models'] ?? {}, agents: lock['agents'] ?? {} }
  const [other] = compareLocks(withEntries({ ...lock, ...expected }, agents, new Map()), { ...lock, ...own })
  return other && `${quoted(other.path)} is not that of the agent`
}

// Finds the versions of an agent's tools in an index.

/** The entry of a tool in a lockfile. */
interface LockedTool {
  readonly version: string
  readonly hash: string
}

export declare namespace resolveTools {
  interface Result {
    readonly tools: ReadonlyMap<string, LockedTool>
    readonly faults: readonly Fault[]
  }
}

/** Stands in an index for a definition that only a lockfile knows, by its hash. */
class LockedDefinition {
  readonly hash: string

  constructor(hash: string) {
    this.hash = hash
  }
}

const MOST_LISTED = 5
/** Each suggestion compares the name with every tool of the index. */
const MOST_SUGGESTIONS = 20

/** `sha256:` and the digest of the canonical JSON of a value. */
const hashOf = (value: unknown): string => hashOfBytes(canonicalizeValue(value))

export const hashOfBytes = (bytes: Uint8Array): string => `sha256:${toHex(sha256(bytes))}`

/**
 * Finds the highest version in the index for each tool of an agent; with `shared`, the highest that its whole family
 * accepts. The pointers of its faults begin with `/tools`.
 *
 * @example
 * resolveTools([{ name: 'web_search', version: '^1.2.0' }], { tools: { web_search: { '1.3.0': {} } } })
 * // tools: web_search -> { version: '1.3.0', hash: 'sha256:44136fa3...' }
 *
 * @throws {DocumentError} when a definition in the index is not JSON.
 */
export function resolveTools(
  tools: unknown,
  index: unknown,
  shared: ReadonlyMap<string, readonly string[]> = new Map(),
): resolveTools.Result {
  const known = objectOf(member(objectOf(index), 'tools'))
  const resolved = new Map<string, LockedTool>()
  const faults: Fault[] = []
  const seen = new Set<string>()
  for (const { value, pointer } of elements({ pointer: '', value: { tools } }, 'tools', isObject)) {
    const name = member(value, 'name')
    if (!isText(name)) continue
    const report: Report = (rule, detail) => faults.push({ rule, pointer, detail })
    if (seen.has(name)) report(FINDINGS.DUPLICATE_TOOL, `The tool ${quoted(name)} is listed twice`)
    else if (!BUILT_IN_TOOLS.includes(name)) {
      const definitions = member(known, name)
      const found = isObject(definitions) && resolveTool([name, member(value, 'version')], definitions, shared, report)
      if (found) resolved.set(name, found)
      else if (found === false) {
        const meant = faults.length < MOST_SUGGESTIONS ? suggest(name, Object.keys(known)) : undefined
        const hint = meant === undefined ? '' : `; did you mean ${quoted(meant)}?`
        report(FINDINGS.UNKNOWN_TOOL, `The index has no tool ${quoted(name)}${hint}`)
      }
    }
    seen.add(name)
  }
  return { tools: resolved, faults }
}

type Report = (rule: FindingKind, detail: string) => void

/** By the name of a tool: the versions that all agents of a family accept. */
type SharedVersions = ReadonlyMap<string, readonly string[]>

/** A range that no version meets is left out: it is a fault of its agent alone. */
function sharedVersions(lists: readonly unknown[], index: unknown): SharedVersions {
  const known = objectOf(member(objectOf(index), 'tools'))
  const shared = new Map<string, readonly string[]>()
  for (const { value } of lists.flatMap((tools) => elements({ pointer: '', value: { tools } }, 'tools', isObject))) {
    const name = member(value, 'name')
    const range = parseRange(member(value, 'version') ?? '')
    if (!isText(name) || range === undefined) continue
    const versions = Object.keys(objectOf(member(known, name)))
    if (highest(range, versions) === undefined) continue
    const left = (shared.get(name) ?? versions).filter((text) => highest(range, [text]) !== undefined)
    shared.set(name, left)
  }
  return shared
}

function resolveTool(
  [name, range]: readonly [string, unknown],
  definitions: JsonObject,
  shared: SharedVersions,
  report: Report,
): LockedTool | undefined {
  const accepted = parseRange(range ?? '')
  if (accepted === undefined) {
    report(FINDINGS.INVALID_RANGE, `${quoted(name)}: expected a range such as ^1.2.0, found ${shown(range)}`)
    return undefined
  }
  const versions = Object.keys(definitions)
  const version = highest(accepted, shared.get(name) ?? []) ?? highest(accepted, versions)
  if (version !== undefined) {
    const definition = definitions[version]
    return { version, hash: definition instanceof LockedDefinition ? definition.hash : hashOf(definition) }
  }
  const wanted = range === undefined ? 'a release' : `a version in ${quoted(String(range))}`
  report(FINDINGS.UNMATCHED_VERSION, `${quoted(name)}: expected ${wanted}, the index has ${listVersions(versions)}`)
  return undefined
}

/** The highest versions, the highest first. */
function listVersions(texts: readonly string[]): string {
  const versions = texts.flatMap((text) => {
    const version = parseVersion(text)
    return version === undefined ? [] : [{ text, version }]
  })
  const best = versions.sort((a, b) => compareVersions(b.version, a.version)).slice(0, MOST_LISTED)
  return best.length === 0 ? 'no version' : best.map(({ text }) => text).join(', ')
}
