import { LISTS, type McpVersion, resultOf } from '../../mcp/messages.ts'
import { escapeToken, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { CARD_META, openBaggage } from '../baggage.ts'
import { type Job, moveNeeded, moveText, type Product, textOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import type { Carrier, Ledger } from '../ledger.ts'
import { metaCarrier, openBundle, type SchemaNames, writeSchemas } from '../sides/bundle.ts'
import { keptOf, NO_VERSION, toolsOf, writeText } from '../sides/card.ts'

/** The schemas of tools, by their names in cards. */
export const SCHEMAS: SchemaNames = { input: 'input_schema', output: 'output_schema', owner: 'card' }

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
  const idempotent = member(tool.value, 'idempotent')
  if (typeof idempotent !== 'boolean') return
  child(entry, 'annotations')['idempotentHint'] = idempotent
  ledger?.moved(`${tool.pointer}/idempotent`, `${at}/annotations/idempotentHint`)
}
