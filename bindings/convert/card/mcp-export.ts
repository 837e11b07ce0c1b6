import { member, objectMember, type PlacedObject } from '../../document/members.ts'
import { escapeToken } from '../../document/pointer.ts'
import { CARD_META, openBaggage } from '../baggage.ts'
import { type Job, moveNeeded, type Product, textOf } from '../job.ts'
import { child, equal, type Made } from '../json.ts'
import type { Carrier, Ledger } from '../ledger.ts'
import { LISTS, metaCarrier, openBundle, resultOf, toolSchema, type Version } from '../mcp/bundle.ts'
import { keptOf, NO_VERSION, toolsOf, writeText } from './card.ts'

/** What MCP says of a tool that a card has no member for. */
const OTHER_HINTS = ['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const

/** What an MCP server for the agent answers (Agent Card A.2, and what MCP has got since). */
export function cardToMcp(job: Job, version: Version): Product {
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
    const made = tools.map(({ name, tool }, i): Made => {
      const entry: Made = { name }
      // Tools that are not told apart by their names are carried as one, and nothing is taken from them.
      const own = exact ? ledger : undefined
      const place = `${listAt}/${i}`
      own?.moved(`${tool.pointer}/name`, `${place}/name`)
      writeTool(tool, entry, place, version, own, objectMember(objectMember(kept, 'tools'), name))
      if (exact) carriers.push([tool.pointer, metaCarrier(entry, place, CARD_META)])
      else ledger.told(tool.pointer, place)
      return entry
    })
    bundle[LISTS.tools] = { ...resultOf(version), tools: made }
    child(start, 'capabilities')['tools'] = {}
  }
  return { document: bundle, baggage: openBaggage(options, carriers, 'MCP has no member for it') }
}

function moveText(ledger: Ledger | undefined, from: PlacedObject, name: string, into: Made, at: string): void {
  const text = textOf(from, name)
  if (text === undefined) return
  into[name] = text
  ledger?.moved(`${from.pointer}/${name}`, `${at}/${name}`)
}

function writeTool(
  tool: PlacedObject,
  entry: Made,
  at: string,
  version: Version,
  ledger: Ledger | undefined,
  kept: PlacedObject | undefined,
): void {
  const title = textOf(kept, 'title')
  if (title !== undefined) entry['title'] = title
  moveText(ledger, tool, 'description', entry, at)
  const input = objectMember(tool, 'input_schema')
  const schema = toolSchema(input?.value ?? {}, version)
  entry['inputSchema'] = schema
  if (input === undefined) ledger?.added(`${at}/inputSchema`, 'any object, for the tool says nothing')
  // A schema without a word is also what a tool without one gets.
  else if (equal(schema, input.value) && Object.keys(schema).length > 1)
    ledger?.moved(input.pointer, `${at}/inputSchema`)
  else ledger?.told(input.pointer, `${at}/inputSchema`, 'as a schema of an object', 'changed')
  const output = objectMember(tool, 'output_schema')
  // Up to 2025-11-25 what a tool gives is an object.
  if (output !== undefined && (version !== '2025-11-25' || equal(toolSchema(output.value, version), output.value))) {
    entry['outputSchema'] = output.value
    ledger?.moved(output.pointer, `${at}/outputSchema`)
  }
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
