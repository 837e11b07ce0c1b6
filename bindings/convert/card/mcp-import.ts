import { member, objectMember, type PlacedObject } from '../../document/members.ts'
import { CARD_META, openBaggage } from '../baggage.ts'
import { type Job, type Product, textOf } from '../job.ts'
import { equal, type Made } from '../json.ts'
import type { Carrier, Ledger } from '../ledger.ts'
import { carriedIn, introduction, LISTS, type Version } from '../mcp/bundle.ts'
import { NEEDED } from '../problems.ts'
import { restore } from '../restore.ts'
import { cardKeeper, finishCard, makeTools, NO_VERSION, readText, restoreCard } from './card.ts'
import { skipRemade } from './derived.ts'
import { cardToMcp } from './mcp-export.ts'

/** An Agent Card of what an MCP server answers. What that says beyond it is kept in the extension blazon.mcp. */
export function cardFromMcp(job: Job, version: Version): Product {
  const { root, ledger, options, problems } = job
  const { method, info } = introduction(version)
  const start = objectMember(root, method)
  const implementation = info.reduce(objectMember, start)
  const card: Made = {}
  if (implementation === undefined || textOf(implementation, 'name') === undefined) {
    problems.report(NEEDED, start?.pointer ?? '', `expected the result of ${method} with the name of the server`)
    return { document: card, baggage: openBaggage(options, [], '') }
  }
  const carried = carriedIn(start, CARD_META)
  readText(ledger, implementation, 'name', card, '', { carried, fallback: '' })
  readText(ledger, implementation, 'description', card, '', { carried, fallback: '' })
  readText(ledger, implementation, 'version', card, '', { carried, fallback: NO_VERSION })
  const carriers: [string, Carrier][] = []
  readTools(objectMember(root, LISTS.tools), job, card, carriers, carried !== undefined)
  if (carried !== undefined) restoreCard(ledger, carried, card)
  skipRemade(job, card, (remake) => cardToMcp(remake, version))
  finishCard(job, card)
  carriers.push(['', cardKeeper(card, 'mcp')])
  return { document: card, baggage: openBaggage(options, carriers, 'an Agent Card has no member for it') }
}

/** Tools of a card of those that an MCP server lists. */
export function readTools(
  of: PlacedObject | undefined,
  job: Job,
  card: Made,
  carriers: [string, Carrier][],
  whole: boolean,
): void {
  const list = { of, list: 'tools', key: 'name', format: 'mcp' } as const
  makeTools(job, card, carriers, list, (entry, tool, at) => readTool(entry, tool, at, job.ledger, whole))
}

/** `whole`: it was made of a card, so that what is not carried was not there. */
function readTool(entry: PlacedObject, tool: Made, at: string, ledger: Ledger, whole: boolean): void {
  const carried = carriedIn(entry, CARD_META)
  const move = (pointer: string, name: string, value: unknown) => {
    tool[name] = value
    ledger.moved(pointer, `${at}/${name}`)
  }
  const description = textOf(entry, 'description')
  if (description !== undefined) move(`${entry.pointer}/description`, 'description', description)
  for (const [from, to] of [
    ['inputSchema', 'input_schema'],
    ['outputSchema', 'output_schema'],
  ] as const) {
    const schema = objectMember(entry, from)
    if (schema === undefined) continue
    const derived =
      member(carried?.value, to) !== undefined ||
      (whole && from === 'inputSchema' && equal(schema.value, { type: 'object' }))
    if (derived) ledger.implied(schema.pointer, 'follows from the card')
    else move(schema.pointer, to, schema.value)
  }
  const annotations = objectMember(entry, 'annotations')
  const idempotent = member(annotations?.value, 'idempotentHint')
  if (typeof idempotent === 'boolean') move(`${annotations!.pointer}/idempotentHint`, 'idempotent', idempotent)
  if (carried === undefined) return
  // A stranger may say a second name; the entry's counts.
  restore(ledger, carried, tool, at)
}
