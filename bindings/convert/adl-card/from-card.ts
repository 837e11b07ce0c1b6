// Converts an Agent Card into an agent definition. Members that ADL does not have are kept in x_card members (ADL 4.3).

import { isDid } from '../../keys/did.ts'
import { isObject, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { foreignBaggage } from '../baggage.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type Job, moveNeeded, type Product, textOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import type { Carrier, Ledger } from '../ledger.ts'
import { restore } from '../restore.ts'
import { isTexts } from '../sides/a2a.ts'
import { keptOf, type NamedTool, toolsOf, writeText } from '../sides/card.ts'
import { finish, holdGuards, keeper, plainVersion, ToolNames, writeDescription } from '../sides/definition.ts'

/** The member of a definition that keeps a card's members without a counterpart. */
export const OWN = 'x_card'

/** Makes a definition from a card. */
export function cardToAdl(job: Job): Product {
  const { root, ledger, options } = job
  const definition: MutableObject = {}
  moveNeeded(job, root, 'name', definition, '/name')
  writeDescription(job, root, definition)
  writeVersion(job, definition)
  const did = textOf(root, 'did')
  if (did !== undefined && isDid(did)) {
    definition['cryptographic_identity'] = { did }
    ledger.moved('/did', '/cryptographic_identity/did')
  }
  const tags = member(root.value, 'skills')
  if (isTexts(tags)) {
    definition['metadata'] = { tags }
    ledger.moved('/skills', '/metadata/tags')
  }
  const carried = keptOf(root, 'adl')
  const carriers: [string, Carrier][] = []
  const { tools, exact } = toolsOf(root)
  const names = new ToolNames()
  const written = tools.map((named, i) => {
    const made = writeTool(named, names, `/tools/${i}`, exact ? ledger : undefined)
    holdGuards(job, named.tool, GUARDS, made, `/tools/${i}`)
    restoreTool(ledger, carried, named.name, made, `/tools/${i}`)
    if (exact) carriers.push([named.tool.pointer, keeper(made, `/tools/${i}`, OWN)])
    else ledger.shown(named.tool.pointer, `/tools/${i}`)
    return made
  })
  if (written.length > 0) definition['tools'] = written
  if (tools.some(({ tool }) => member(tool.value, 'streaming') === true)) {
    child(child(definition, 'runtime'), 'output_handling')['streaming'] = true
    ledger.added('/runtime/output_handling/streaming', 'a tool streams')
  }
  if (carried !== undefined) restoreRest(ledger, carried, definition)
  const document = finish(job, definition)
  carriers.push(['', keeper(document, '', OWN)])
  return { document, baggage: foreignBaggage(options, carriers) }
}

function writeVersion({ root, options, ledger, problems }: Job, definition: MutableObject): void {
  const version = textOf(root, 'version')
  const plain = version === undefined ? options.version : (plainVersion(version) ?? options.version)
  if (plain === undefined) {
    problems.report(CONVERT_NEEDED, '', 'expected a version such as 1.0.0, or the option version')
    return
  }
  definition['version'] = plain
  if (version === undefined) ledger.added('/version', 'the option version')
  else if (version === plain) ledger.moved('/version', '/version')
  else ledger.shown('/version', '/version', 'as MAJOR.MINOR.PATCH (ADL 5.5)', 'changed')
}

/** The schemas of a tool, and their members in a definition. */
export const GUARDS = { input_schema: 'parameters', output_schema: 'returns' } as const

/** Converts a tool. Without a ledger nothing is reported: the tool is carried whole. */
export function writeTool(
  { name, tool }: NamedTool,
  names: ToolNames,
  at: string,
  ledger: Ledger | undefined,
): MutableObject {
  const made: MutableObject = { name: names.nameFor(name) }
  if (made['name'] === name) ledger?.moved(`${tool.pointer}/name`, `${at}/name`)
  else ledger?.shown(`${tool.pointer}/name`, `${at}/name`, 'as the name of a tool (ADL 8.1)', 'changed')
  if (ledger === undefined) made['description'] = textOf(tool, 'description') ?? name
  else writeText(ledger, tool, 'description', made, at, name, 'its name, because the tool has no description')
  for (const [from, to] of Object.entries(GUARDS)) {
    const schema = objectMember(tool, from)
    if (schema === undefined) continue
    made[to] = schema.value
    ledger?.moved(schema.pointer, `${at}/${to}`)
  }
  const idempotent = member(tool.value, 'idempotent')
  if (typeof idempotent !== 'boolean') return made
  made['idempotent'] = idempotent
  ledger?.moved(`${tool.pointer}/idempotent`, `${at}/idempotent`)
  return made
}

function restoreTool(
  ledger: Ledger,
  carried: PlacedObject | undefined,
  name: string,
  tool: MutableObject,
  at: string,
): void {
  const own = objectMember(objectMember(carried, 'tools'), name)
  if (own !== undefined) restore(ledger, own, tool, at)
}

/** Restores the carried members of the definition; its tools only if they were carried whole. */
function restoreRest(ledger: Ledger, carried: PlacedObject, definition: MutableObject): void {
  const { tools, ...rest } = carried.value
  const all = isObject(tools) || tools === undefined ? rest : carried.value
  if (all === carried.value) delete definition['tools']
  if (Object.keys(all).length > 0) restore(ledger, { pointer: carried.pointer, value: all }, definition)
}
