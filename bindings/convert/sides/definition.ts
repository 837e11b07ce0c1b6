// Common parts of all conversions into agent definitions.

import {
  HANDSHAKE_VERSION,
  introduction,
  type McpVersion,
  resultOf,
  toolSchema,
  versionMembers,
} from '../../mcp/messages.ts'
import { type CompiledSchema, compileSchema } from '../../schema/index.ts'
import { ReadSchema } from '../../schema/schema.ts'
import { escapeToken, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { CONVERT_NEEDED, CONVERT_SCHEMA } from '../findings.ts'
import { type Job, moveNeeded, textOf } from '../job.ts'
import { child, equal, type MutableObject, put } from '../json.ts'
import { type Carrier, type Ledger, META } from '../ledger.ts'
import entries from './server-entries.json' with { type: 'json' }

/** The usual order of members. */
const ORDER = [
  ['$schema', 'adl_spec', 'name', 'description', 'version', 'id', 'lifecycle', 'provider', 'cryptographic_identity'],
  ['data_classification', 'model', 'system_prompt', 'tools', 'resources', 'prompts', 'permissions', 'security'],
  ['runtime', 'metadata', 'profiles'],
].flat()

/** Longer names are cut before they become names of tools. */
const LONGEST_NAME = 128

/**
 * Reads name, description and version, unless they are carried. If the format shortens them, the carried text counts as
 * long as the shown one matches it.
 */
export function begin(
  job: Job,
  of: PlacedObject,
  carried: PlacedObject | undefined,
  nameIn = 'name',
  short?: (text: string) => string,
): MutableObject {
  const { options, ledger, problems } = job
  const definition: MutableObject = {}
  const has = (name: string, from = name) => {
    const full = member(carried?.value, name)
    if (full === undefined) return false
    const text = member(of.value, from)
    const follows = text === (short !== undefined && isText(full) ? short(full) : full)
    if (follows) ledger.implied(`${of.pointer}/${from}`, 'carried along in full', `/${name}`)
    return follows || text === undefined || short === undefined
  }
  if (!has('name', nameIn)) moveNeeded(job, of, nameIn, definition, '/name', 'name')
  if (!has('description')) writeDescription(job, of, definition)
  if (has('version')) return definition
  const version = textOf(of, 'version')
  const plain = version === undefined || carried !== undefined ? version : plainVersion(version)
  if (plain !== undefined) {
    definition['version'] = plain
    if (plain === version) ledger.moved(`${of.pointer}/version`, '/version')
    else ledger.changed(`${of.pointer}/version`, '/version', `${version} is not MAJOR.MINOR.PATCH (ADL 5.5)`)
  } else if (options.version !== undefined) {
    definition['version'] = options.version
    ledger.added('/version', 'the option version')
  } else problems.report(CONVERT_NEEDED, of.pointer, 'expected a version such as 1.0.0, or the option version')
  return definition
}

/** Writes the description of the source, or else that of the caller. */
export function writeDescription(
  { options, ledger, problems }: Job,
  of: PlacedObject,
  definition: MutableObject,
): void {
  const text = textOf(of, 'description')
  const description = text ?? options.description
  if (description === undefined) {
    problems.report(CONVERT_NEEDED, of.pointer, 'expected a non-empty description, or the option description')
    return
  }
  definition['description'] = description
  if (text === undefined) ledger.added('/description', 'the option description')
  else ledger.moved(`${of.pointer}/description`, '/description')
}

/** Keeps members that an object of the definition cannot express, in an extension member (ADL 4.3). */
export function keeper(owner: MutableObject, pointer: string, extension: string): Carrier {
  return {
    target: `${pointer}/${extension}`,
    take(residue) {
      const own = child(owner, extension)
      for (const [name, value] of Object.entries(residue as MutableObject))
        if (!Object.hasOwn(own, name)) put(own, name, value)
    },
  }
}

/** Adds the required members of a definition and sorts its members. */
export function finish({ options, ledger, problems, passing }: Job, definition: MutableObject): MutableObject {
  if (definition['adl_spec'] === undefined) {
    definition['adl_spec'] = '0.1.0'
    ledger.added('/adl_spec', 'the version of ADL')
  }
  if (definition['data_classification'] === undefined) {
    if (options.classification === undefined && passing !== true) {
      const detail = 'expected the option classification: public, internal, confidential or restricted (ADL 10.4)'
      problems.report(CONVERT_NEEDED, '', detail)
    } else if (options.classification !== undefined) {
      definition['data_classification'] = options.classification
      ledger.added('/data_classification', 'the option classification')
    }
  }
  const names = new Set([...ORDER, ...Object.keys(definition)])
  const ordered: MutableObject = {}
  for (const name of names) {
    const value = Object.hasOwn(definition, name) ? definition[name] : undefined
    if (value !== undefined) put(ordered, name, value)
  }
  return ordered
}

/** The schema for a tool with an invalid one. */
export const CLOSED = { not: {} }

/**
 * Keeps the schemas of tools closed. An unusable schema stays and is reported, and an invalid one is replaced by a
 * schema that accepts nothing: a tool without a schema would accept everything.
 */
export function holdGuards(
  { ledger, problems }: Job,
  from: PlacedObject,
  names: Readonly<Record<string, string>>,
  tool: MutableObject,
  at: string,
  passing = false,
): void {
  for (const [name, to] of Object.entries(names)) {
    const schema = member(from.value, name)
    // These mean the same as no schema.
    if (schema === undefined || schema === null || schema === true) continue
    const pointer = `${from.pointer}/${name}`
    if (isObject(schema)) {
      if (passing) continue
      const read = new ReadSchema(schema)
      const problem = read.check()[0] ?? read.leadingOut()[0]
      if (problem === undefined) continue
      const place = problem.pointer.startsWith('/') ? pointer + problem.pointer : pointer
      problems.report(CONVERT_SCHEMA, place, `${problem.message}: no value passes ${at}/${to}`)
    } else {
      tool[to] = { ...CLOSED }
      ledger.added(`${at}/${to}`, `${name} is not an object: no value passes`)
      if (schema !== false)
        problems.report(CONVERT_SCHEMA, pointer, `${name} is not a schema: no value passes ${at}/${to}`)
    }
  }
}

/** Reads MAJOR.MINOR.PATCH from another spelling of a version: `v2.1`, `1.0.0-beta`. */
export function plainVersion(version: string): string | undefined {
  if (/^\d+\.\d+\.\d+$/.test(version)) return version
  const found = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?(?:[-+].*)?$/s.exec(version)
  return found === null ? undefined : [found[1], found[2], found[3]].map((part) => Number(part ?? 0)).join('.')
}

/** Gives each tool a unique name (ADL 8.1). */
export class ToolNames {
  readonly #taken = new Map<string, number>()

  /** Returns the text if it is a valid name, else the nearest one. */
  nameFor(text: string): string {
    const base = nearestName(text)
    let name = base
    let next = this.#taken.get(base) ?? 1
    while (this.#taken.has(name)) name = `${base}_${++next}`
    this.#taken.set(base, next)
    this.#taken.set(name, Math.max(1, this.#taken.get(name) ?? 1))
    return name
  }
}

/** True if the name may have been made from that text. */
export function standsFor(name: string, text: string): boolean {
  const base = nearestName(text)
  return name === base || (name.startsWith(base) && /^_\d+$/.test(name.slice(base.length)))
}

function nearestName(text: string): string {
  if (/^[a-z][a-z0-9_]*$/.test(text)) return text
  const words = text
    .slice(0, LONGEST_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const name = words.join('_')
  return /^[a-z]/.test(name) ? name : name === '' ? 'tool' : `tool_${name}`
}

// An MCP server as a bundle of its answers: one result for each method.

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
  return {
    method,
    info,
    start,
    implementation: info.reduce((of: PlacedObject | undefined, name) => objectMember(of, name), start),
  }
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

// The requirements of server.json for `remotes` and `packages` (the registry's schema 2025-12-11). Only valid entries
// are restored.

const compiled = new Map<string, CompiledSchema>()

/** True when a value is a valid entry of `remotes` or `packages`. */
export function isEntry(kind: 'remote' | 'package', value: unknown): boolean {
  let schema = compiled.get(kind)
  if (schema === undefined) {
    schema = compileSchema({ ...entries, $ref: `#/$defs/${kind}` }) as CompiledSchema
    compiled.set(kind, schema)
  }
  return schema.validate(value, { maxErrors: 1 }).length === 0
}
