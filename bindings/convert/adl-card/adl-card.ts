// Converts an agent definition into an Agent Card. Members unknown to a card are kept in the extension blazon.adl.
import { isObject, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { protocolOfUri } from '../card-a2a/endpoints.ts'
import { moveCounterparts } from '../counterparts.ts'
import { CONVERT_AUTHENTICATION, CONVERT_NEEDED } from '../findings.ts'
import { type Job, moveNeeded, type Product, textOf } from '../job.ts'
import { child, equal, type MutableObject } from '../json.ts'
import { type Carrier, definitionBaggage, foreignBaggage, type Ledger, restore } from '../ledger.ts'
import {
  closeCard,
  keptOf,
  type NamedTool,
  needName,
  readText,
  restoreCard,
  toolKeeper,
  toolsOf,
  writeText,
} from '../sides/card.ts'
import {
  CLOSED,
  finish,
  holdGuards,
  keeper,
  plainVersion,
  standsFor,
  ToolNames,
  writeDescription,
} from '../sides/definition.ts'

/** Makes a card from a definition. */
export function cardFromAdl(job: Job): Product {
  const { root, ledger } = job
  const own = objectMember(root, OWN)
  const card: MutableObject = {}
  needName(job, root)
  for (const name of ['name', 'description']) readText(ledger, root, name, card, '', { carried: own, fallback: '' })
  // A version without numbers was replaced by one from the caller.
  const short = (version: string) => plainVersion(version) ?? textOf(root, 'version') ?? ''
  readText(ledger, root, 'version', card, '', { carried: own, fallback: '', short })
  moveCounterparts(ledger, 'adl-card', root, card)
  const carriers: [string, Carrier][] = []
  const { tools, exact } = toolsOf(root)
  const made = tools.map((named, i) => readTool(named, `/tools/${i}`, exact ? ledger : undefined, own !== undefined))
  if (made.length > 0) card['tools'] = made
  for (const [i, { tool }] of tools.entries()) {
    if (exact) carriers.push([tool.pointer, toolKeeper(card, 'adl', String(made[i]!['name']))])
    else ledger.shown(tool.pointer, `/tools/${i}`)
  }
  writeEndpoint(job, card)
  if (own !== undefined) restoreCard(ledger, own, card)
  return closeCard(job, card, 'adl', cardToAdl, carriers, definitionBaggage)
}

/** Converts a tool. `whole`: the definition was made from a card, so that members not kept were absent. */
function readTool({ name, tool }: NamedTool, at: string, ledger: Ledger | undefined, whole: boolean): MutableObject {
  const own = objectMember(tool, OWN) ?? (whole ? { pointer: '', value: {} } : undefined)
  const kept = textOf(own, 'name')
  const title = kept !== undefined && standsFor(name, kept) ? kept : undefined
  const made: MutableObject = { name: title ?? name }
  if (title === undefined) ledger?.moved(`${tool.pointer}/name`, `${at}/name`)
  else ledger?.implied(`${tool.pointer}/name`, 'also carried along', `${at}/name`)
  if (ledger !== undefined) readText(ledger, tool, 'description', made, at, { carried: own, fallback: title ?? name })
  else if (textOf(tool, 'description') !== undefined) made['description'] = textOf(tool, 'description')
  const except: string[] = []
  for (const [to, from] of Object.entries(GUARDS)) {
    if (!equal(member(tool.value, from), CLOSED) || member(own?.value, to) === undefined) continue
    ledger?.implied(`${tool.pointer}/${from}`, 'replaces the carried schema', `${at}/${to}`)
    except.push(from)
  }
  moveCounterparts(ledger, 'adl-card tool', tool, made, { at, except })
  if (own !== undefined && ledger !== undefined && own.pointer !== '') restore(ledger, own, made, at)
  return made
}

const AUTH: Readonly<Record<string, string>> = { none: 'none', mtls: 'mutual_tls', oauth2: 'bearer', oidc: 'bearer' }

/** Writes the endpoint at the caller's URL: a definition does not say where its agent is. */
function writeEndpoint(job: Job, card: MutableObject): void {
  const {
    root,
    options: { url },
    ledger,
    problems,
  } = job
  if (url === undefined) return
  const protocol = protocolOfUri(url)
  if (protocol === undefined) {
    problems.report(CONVERT_NEEDED, '', 'the option url must be a URL: http, https, grpc, ws, wss or agent')
    return
  }
  const endpoint: MutableObject = { protocol, uri: url }
  card['endpoints'] = [endpoint]
  ledger.added('/endpoints/0', 'the option url')
  const authentication = objectMember(objectMember(root, 'security'), 'authentication')
  const type = textOf(authentication, 'type')
  if (authentication === undefined || type === undefined) return
  if (Object.hasOwn(AUTH, type)) {
    endpoint['auth'] = AUTH[type]
    ledger.shown(`${authentication.pointer}/type`, '/endpoints/0/auth')
  } else
    problems.report(CONVERT_AUTHENTICATION, `${authentication.pointer}/type`, 'an Agent Card cannot express an API key')
}

// Converts an Agent Card into an agent definition. Members that ADL does not have are kept in x_card members (ADL 4.3).

/** The member of a definition that keeps a card's members without a counterpart. */
const OWN = 'x_card'

/** Makes a definition from a card. */
export function cardToAdl(job: Job): Product {
  const { root, ledger, options } = job
  const definition: MutableObject = {}
  moveNeeded(job, root, 'name', definition, '/name')
  writeDescription(job, root, definition)
  writeVersion(job, definition)
  moveCounterparts(ledger, 'adl-card', root, definition, { back: true })
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
  moveCounterparts(ledger, 'adl-card tool', tool, made, { at, back: true })
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
