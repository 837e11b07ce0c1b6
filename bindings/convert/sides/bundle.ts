// An MCP server as a bundle of its answers: one result for each method.
import {
  HANDSHAKE_VERSION,
  introduction,
  type McpVersion,
  resultOf,
  toolSchema,
  versionMembers,
} from '../../mcp/messages.ts'
import { escapeToken, objectMember, type PlacedObject } from '../../text/members.ts'
import { META } from '../baggage.ts'
import type { Job } from '../job.ts'
import { child, equal, type MutableObject } from '../json.ts'
import type { Carrier, Ledger } from '../ledger.ts'
import { holdGuards } from './definition.ts'

/** Begins a bundle with MCP's introduction; returns the places of name and version. */
export function openBundle(version: McpVersion, ledger: Ledger) {
  const { method, info } = introduction(version)
  const start: MutableObject = { ...versionMembers(version), ...resultOf(version), capabilities: {} }
  const bundle: MutableObject = { [method]: start }
  const at = `/${escapeToken(method)}`
  ledger.added(at, `the introduction of MCP ${version}`)
  const implementation = info.reduce(child, start)
  return { bundle, start, at, implementation, infoAt: [at, ...info.map(escapeToken)].join('/') }
}

/** Reads the first result of a bundle, and the places of its name and version. */
export function readBundle(root: PlacedObject, version: McpVersion) {
  const { method, info } = introduction(version)
  const start = objectMember(root, method)
  return { method, info, start, implementation: info.reduce(objectMember, start) }
}

/** The names of a tool's schemas in definitions and cards. */
export interface SchemaNames {
  readonly input: string
  readonly output: string
  /** The document that they are in. */
  readonly owner: 'definition' | 'card'
}

/** Writes the schemas of a tool; without a ledger nothing is reported. */
export function writeSchemas(
  tool: PlacedObject,
  { input, output }: SchemaNames,
  made: MutableObject,
  at: string,
  version: McpVersion,
  ledger: Ledger | undefined,
): void {
  const given = objectMember(tool, input)
  const schema = toolSchema(given?.value ?? {}, version)
  made['inputSchema'] = schema
  if (given === undefined) ledger?.added(`${at}/inputSchema`, 'any object, because the tool has no schema')
  // A tool without a schema also gets an empty schema.
  else if (equal(schema, given.value) && Object.keys(schema).length > 1)
    ledger?.moved(given.pointer, `${at}/inputSchema`)
  else ledger?.shown(given.pointer, `${at}/inputSchema`, 'as a schema of an object', 'changed')
  const answered = objectMember(tool, output)
  if (answered === undefined) return
  // Up to 2025-11-25, the output of a tool is an object.
  if (version === HANDSHAKE_VERSION && !equal(toolSchema(answered.value, version), answered.value)) return
  made['outputSchema'] = answered.value
  ledger?.moved(answered.pointer, `${at}/outputSchema`)
}

/** A tool in a server's list. */
export interface ListedTool {
  readonly entry: PlacedObject
  readonly carried: PlacedObject | undefined
  /** True if it was made from a definition or card, so that members that are not carried were absent. */
  readonly whole: boolean
  readonly version: McpVersion
}

/** Restores schemas that do not follow from the rest, and keeps invalid ones closed. */
export function readSchemas(
  job: Job,
  { entry, carried, whole, version }: ListedTool,
  { input, output, owner }: SchemaNames,
  tool: MutableObject,
  at: string,
): void {
  const { ledger } = job
  for (const [from, to] of [
    ['inputSchema', input],
    ['outputSchema', output],
  ] as const) {
    const schema = objectMember(entry, from)
    if (schema === undefined) continue
    const isDefault = whole && from === 'inputSchema' && equal(schema.value, { type: 'object' })
    const kept = objectMember(carried, to)
    if (kept === undefined ? isDefault : equal(schema.value, toolSchema(kept.value, version))) {
      ledger.implied(schema.pointer, `follows from the ${owner}`, kept === undefined ? at : `${at}/${to}`)
    } else {
      tool[to] = schema.value
      ledger.moved(schema.pointer, `${at}/${to}`)
    }
  }
  const names = { inputSchema: input, outputSchema: output }
  holdGuards(job, entry, names, tool, at, owner === 'card' && job.passing)
}

/** Reads the members of a definition or card that an object's `_meta` carries. */
export function carriedIn(object: PlacedObject | undefined, name: string = META): PlacedObject | undefined {
  return objectMember(objectMember(object, '_meta'), name)
}

/** Carries members in `_meta`. */
export function metaCarrier(owner: MutableObject, pointer: string, name: string = META): Carrier {
  return {
    target: `${pointer}/_meta/${escapeToken(name)}`,
    take(residue) {
      child(owner, '_meta')[name] = residue
    },
  }
}
