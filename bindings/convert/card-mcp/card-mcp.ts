// Converts server.json of the MCP registry.

import { LISTS, type McpVersion, resultOf } from '../../mcp/messages.ts'
import { elements, escapeToken, isObject, member, objectMember, type PlacedObject } from '../../text/members.ts'
import {
  ASKED,
  PUBLISHER,
  publishedIn,
  putShort,
  SCHEMA,
  shorten,
  writeAddresses,
  writeName,
} from '../adl-mcp/server.ts'
import { moveCounterparts } from '../counterparts.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type Job, moveNeeded, moveText, type Product, textOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import { CARD_META, type Carrier, type Ledger, openBaggage, restore } from '../ledger.ts'
import {
  closeCard,
  keptOf,
  makeTools,
  NO_VERSION,
  needName,
  readText,
  restoreCard,
  toolsOf,
  writeText,
} from '../sides/card.ts'
import {
  carriedIn,
  type ListedTool,
  metaCarrier,
  openBundle,
  readBundle,
  readSchemas,
  type SchemaNames,
  writeSchemas,
} from '../sides/definition.ts'

const LONGEST_VERSION = 255

/** Makes a registry entry from a card. */
export function cardToServer(job: Job): Product {
  const { root, ledger, options, problems } = job
  const kept = keptOf(root, 'mcp-server')
  const server: MutableObject = { $schema: SCHEMA }
  ledger.added('/$schema', 'the schema of server.json')
  const title = textOf(root, 'name')
  if (title === undefined) {
    problems.report(CONVERT_NEEDED, '', 'expected a non-empty name: the target requires it')
    return { document: server, baggage: openBaggage(options, [], '') }
  }
  const uris = elements(root, 'endpoints', isObject).map((endpoint) => textOf(endpoint, 'uri'))
  writeName(job, server, title, [textOf(kept, 'name')], [textOf(root, 'did'), ...uris])
  putShort(ledger, '/name', title, 'title', server)
  const description = textOf(root, 'description')
  const fallback = shorten(title)
  if (description === undefined || description === fallback) {
    writeText(ledger, root, 'description', server, '', fallback, 'its name, because the card has no description')
  } else putShort(ledger, '/description', description, 'description', server)
  writeVersion(job, server)
  const website = textOf(kept, 'websiteUrl')
  if (website !== undefined) server['websiteUrl'] = website
  writeAddresses(job, server, kept)
  const take = (residue: unknown) => {
    server['_meta'] = { [PUBLISHER]: { [CARD_META]: residue } }
  }
  const target = `/_meta/${escapeToken(PUBLISHER)}/${escapeToken(CARD_META)}`
  return {
    document: server,
    baggage: openBaggage(options, [['', { target, take }]], 'server.json has no member for it', ASKED),
  }
}

/** Versions in the registry have at most 255 characters. */
function writeVersion({ root, ledger, options }: Job, server: MutableObject): void {
  const fallback = options.version ?? NO_VERSION
  if ((textOf(root, 'version')?.length ?? 0) <= LONGEST_VERSION) {
    writeText(ledger, root, 'version', server, '', fallback, 'the card has no version')
    return
  }
  server['version'] = fallback
  ledger.shown('/version', '/version', `longer than ${LONGEST_VERSION} characters`, 'changed')
}

/** Makes a card from a registry entry; packages, remotes and others are kept in the extension blazon.mcp-server. */
export function cardFromServer(job: Job): Product {
  const { root, ledger } = job
  const carried = publishedIn(root, CARD_META)
  const card: MutableObject = {}
  const named = textOf(root, 'title') === undefined ? 'name' : 'title'
  needName(job, root, '', named)
  readText(ledger, root, named, card, '', { carried, fallback: '', short: shorten }, 'name')
  const title = textOf({ pointer: '', value: { ...card, ...carried?.value } }, 'name') ?? ''
  readText(ledger, root, 'description', card, '', { carried, fallback: shorten(title), short: shorten })
  readText(ledger, root, 'version', card, '', { carried, fallback: NO_VERSION })
  if (carried !== undefined) restoreCard(ledger, carried, card, false)
  return closeCard(job, card, 'mcp-server', cardToServer)
}

/** The schemas of tools, by their names in cards. */
const SCHEMAS: SchemaNames = { input: 'input_schema', output: 'output_schema', owner: 'card' }

/** MCP's hints about a tool that a card has no members for. */
const OTHER_HINTS = ['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const

/** Makes the answers of an MCP server for the agent (Agent Card A.2, and later additions to MCP). */
export function cardToMcp(job: Job, version: McpVersion): Product {
  const { root, ledger, options } = job
  const kept = keptOf(root, 'mcp')
  const { bundle, start, at, implementation, infoAt } = openBundle(version, ledger)
  moveNeeded(job, root, 'name', implementation, `${infoAt}/name`)
  moveText(ledger, root, 'description', implementation, infoAt)
  writeText(ledger, root, 'version', implementation, infoAt, options.version ?? NO_VERSION, 'the card has no version')
  const carriers: [string, Carrier][] = [['', metaCarrier(start, at, CARD_META)]]
  const { tools, exact } = toolsOf(root)
  if (tools.length > 0) {
    const listAt = `/${escapeToken(LISTS.tools)}/tools`
    const made = tools.map(({ name, tool }, i): MutableObject => {
      const entry: MutableObject = { name }
      // Tools whose names are not unique are carried together, and none of their members is reported.
      const own = exact ? ledger : undefined
      const place = `${listAt}/${i}`
      own?.moved(`${tool.pointer}/name`, `${place}/name`)
      writeTool(tool, entry, place, version, own, objectMember(objectMember(kept, 'tools'), name))
      if (exact) carriers.push([tool.pointer, metaCarrier(entry, place, CARD_META)])
      else ledger.shown(tool.pointer, place)
      return entry
    })
    bundle[LISTS.tools] = { ...resultOf(version), tools: made }
    child(start, 'capabilities')['tools'] = {}
  }
  return { document: bundle, baggage: openBaggage(options, carriers, 'MCP has no member for it') }
}

function writeTool(
  tool: PlacedObject,
  entry: MutableObject,
  at: string,
  version: McpVersion,
  ledger: Ledger | undefined,
  kept: PlacedObject | undefined,
): void {
  const title = textOf(kept, 'title')
  if (title !== undefined) entry['title'] = title
  moveText(ledger, tool, 'description', entry, at)
  writeSchemas(tool, SCHEMAS, entry, at, version, ledger)
  const annotations = objectMember(kept, 'annotations')
  for (const hint of OTHER_HINTS) {
    const value = member(annotations?.value, hint)
    if (typeof value === 'boolean') child(entry, 'annotations')[hint] = value
  }
  moveCounterparts(ledger, 'card-mcp tool', tool, entry, { at })
}

/** Makes an Agent Card from the answers of an MCP server. Other members are kept in the extension blazon.mcp. */
export function cardFromMcp(job: Job, version: McpVersion): Product {
  const { root, ledger, options, problems } = job
  const { method, start, implementation } = readBundle(root, version)
  const card: MutableObject = {}
  if (implementation === undefined || textOf(implementation, 'name') === undefined) {
    problems.report(
      CONVERT_NEEDED,
      start?.pointer ?? '',
      `expected the result of ${method} with the name of the server`,
    )
    return { document: card, baggage: openBaggage(options, [], '') }
  }
  const carried = carriedIn(start, CARD_META)
  readText(ledger, implementation, 'name', card, '', { carried, fallback: '' })
  readText(ledger, implementation, 'description', card, '', { carried, fallback: '' })
  readText(ledger, implementation, 'version', card, '', { carried, fallback: NO_VERSION })
  const carriers: [string, Carrier][] = []
  readTools(objectMember(root, LISTS.tools), job, card, carriers, version, carried !== undefined)
  if (carried !== undefined) restoreCard(ledger, carried, card)
  return closeCard(job, card, 'mcp', (remake) => cardToMcp(remake, version), carriers)
}

/** Reads the tools that an MCP server lists as tools of a card. */
export function readTools(
  of: PlacedObject | undefined,
  job: Job,
  card: MutableObject,
  carriers: [string, Carrier][],
  version: McpVersion,
  whole: boolean,
): void {
  const list = { of, list: 'tools', key: 'name', format: 'mcp' } as const
  makeTools(job, card, carriers, list, (entry, tool, at) =>
    readTool(job, { entry, carried: carriedIn(entry, CARD_META), whole, version }, tool, at),
  )
}

function readTool(job: Job, listed: ListedTool, tool: MutableObject, at: string): void {
  const { ledger } = job
  const { entry, carried } = listed
  moveText(ledger, entry, 'description', tool, at)
  readSchemas(job, listed, SCHEMAS, tool, at)
  moveCounterparts(ledger, 'card-mcp tool', entry, tool, { at, back: true })
  if (carried === undefined) return
  // The carried members may have another name; that of the entry counts.
  restore(ledger, carried, tool, at)
}
