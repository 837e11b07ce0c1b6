// Common parts of all conversions into agent definitions.
import { ReadSchema } from '../../schema/schema.ts'
import { isObject, isText, member, type PlacedObject } from '../../text/members.ts'
import { CONVERT_NEEDED, CONVERT_SCHEMA } from '../findings.ts'
import { type Job, moveNeeded, textOf } from '../job.ts'
import { child, type MutableObject, put } from '../json.ts'
import type { Carrier } from '../ledger.ts'

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
      const detail = 'expected the option classification: the sensitivity of the data that the agent handles (ADL 10.4)'
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
