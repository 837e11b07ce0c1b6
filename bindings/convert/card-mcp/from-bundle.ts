import { LISTS, type McpVersion } from '../../mcp/messages.ts'
import { member, objectMember, type PlacedObject } from '../../text/members.ts'
import { CARD_META, openBaggage } from '../baggage.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type Job, moveText, type Product, textOf } from '../job.ts'
import type { MutableObject } from '../json.ts'
import type { Carrier } from '../ledger.ts'
import { restore } from '../restore.ts'
import { carriedIn, type ListedTool, readBundle, readSchemas } from '../sides/bundle.ts'
import { closeCard, makeTools, NO_VERSION, readText, restoreCard } from '../sides/card.ts'
import { cardToMcp, SCHEMAS } from './to-bundle.ts'

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
  const annotations = objectMember(entry, 'annotations')
  const idempotent = member(annotations?.value, 'idempotentHint')
  if (typeof idempotent === 'boolean') {
    tool['idempotent'] = idempotent
    ledger.moved(`${annotations!.pointer}/idempotentHint`, `${at}/idempotent`)
  }
  if (carried === undefined) return
  // The carried members may have another name; that of the entry counts.
  restore(ledger, carried, tool, at)
}
