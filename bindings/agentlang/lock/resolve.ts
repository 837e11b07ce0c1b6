// Finds the versions of an agent's tools in an index.
import { canonicalizeValue } from '../../core/value.ts'
import type { FindingKind } from '../../document/finding.ts'
import { toHex } from '../../text/bytes.ts'
import { elements, isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { quoted, shown, suggest } from '../../text/words.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { compareVersions, highest, parseRange, parseVersion } from '../versions/range.ts'
import * as FINDINGS from './findings.ts'

/** Something that keeps an agent from being locked. */
export interface LockFault {
  readonly rule: FindingKind
  /** The place in the agent's document. */
  readonly pointer: string
  readonly detail: string
}

/** The entry of a tool in a lockfile. */
export interface LockedTool {
  readonly version: string
  readonly hash: string
}

export interface Resolution {
  readonly tools: ReadonlyMap<string, LockedTool>
  readonly faults: readonly LockFault[]
}

/** Every runtime has these tools, so the lockfile of the specification leaves them out. */
export const BUILT_IN_TOOLS: readonly string[] = ['artifacts', 'delegate', 'sqlite', 'storage']

/** Stands in an index for a definition that only a lockfile knows, by its hash. */
export class LockedDefinition {
  readonly hash: string

  constructor(hash: string) {
    this.hash = hash
  }
}

const MOST_LISTED = 5
/** Each suggestion compares the name with every tool of the index. */
const MOST_SUGGESTIONS = 20

/** `sha256:` and the digest of the canonical JSON of a value. */
export const hashOf = (value: unknown): string => hashOfBytes(canonicalizeValue(value))

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
): Resolution {
  const known = objectOf(member(objectOf(index), 'tools'))
  const resolved = new Map<string, LockedTool>()
  const faults: LockFault[] = []
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
export function sharedVersions(lists: readonly unknown[], index: unknown): SharedVersions {
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
  report(FINDINGS.UNMATCHED_VERSION, `${quoted(name)}: expected ${wanted}, the index has ${listed(versions)}`)
  return undefined
}

/** The highest versions, the highest first. */
function listed(texts: readonly string[]): string {
  const versions = texts.flatMap((text) => {
    const version = parseVersion(text)
    return version === undefined ? [] : [{ text, version }]
  })
  const best = versions.sort((a, b) => compareVersions(b.version, a.version)).slice(0, MOST_LISTED)
  return best.length === 0 ? 'no version' : best.map(({ text }) => text).join(', ')
}
