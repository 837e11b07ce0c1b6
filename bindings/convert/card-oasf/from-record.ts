import { HANDSHAKE_VERSION } from '../../mcp/messages.ts'
import { isDateTime } from '../../schema/formats.ts'
import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { readAuth } from '../card-a2a/auth.ts'
import { endpointsOfInterfaces, protocolOfUri } from '../card-a2a/endpoints.ts'
import { readSkills } from '../card-a2a/from-a2a.ts'
import { readTools } from '../card-mcp/from-bundle.ts'
import { type Job, type Product, textOf } from '../job.ts'
import type { MutableObject } from '../json.ts'
import { Ledger } from '../ledger.ts'
import { closeCard, NO_VERSION, needName, readText } from '../sides/card.ts'
import { A2A_MODULE, MCP_MODULE } from './modules.ts'
import { noteOf, restoreNote } from './note.ts'
import { tagOf } from './skills.ts'
import { cardToRecord } from './to-record.ts'

/** Makes a card from a record. Members without a counterpart are kept in the extension blazon.oasf. */
export function cardFromRecord(job: Job): Product {
  const { root, ledger } = job
  const note = noteOf(root)
  const card: MutableObject = {}
  const name = textOf(root, 'name')
  needName(job, root)
  readText(ledger, root, 'name', card, '', { carried: note, fallback: '' })
  readText(ledger, root, 'description', card, '', { carried: note, fallback: name ?? '' })
  readText(ledger, root, 'version', card, '', { carried: note, fallback: NO_VERSION })
  readTime(job, card, note)
  if (note === undefined) {
    readSkillNames(job, card)
    readModules(job, card)
    readLocators(job, card)
  } else restoreNote(ledger, note, card, false)
  return closeCard(job, card, 'oasf', cardToRecord)
}

/** Reads the card's own time from a record made from a card; otherwise the record's. */
function readTime({ root, ledger }: Job, card: MutableObject, note: PlacedObject | undefined): void {
  const created = textOf(root, 'created_at')
  if (created === undefined || !isDateTime(created)) return
  if (note !== undefined) {
    ledger.implied('/created_at', 'also carried along, or the time of the record')
    return
  }
  card['metadata'] = { created_at: created }
  ledger.moved('/created_at', '/metadata/created_at')
}

/** Reads names only, unless the ids are those of this version of OASF. */
function readSkillNames({ root, ledger }: Job, card: MutableObject): void {
  const isKnown = /^v?1\.1\./.test(textOf(root, 'schema_version') ?? '')
  const tags = new Set<string>()
  for (const skill of elements(root, 'skills', isObject)) {
    const id = member(skill.value, 'id')
    const tag = tagOf({ name: textOf(skill, 'name'), id: isKnown && typeof id === 'number' ? id : undefined })
    if (tag === undefined) continue
    tags.add(tag)
    ledger.shown(skill.pointer, '/skills', 'as a tag')
  }
  if (tags.size > 0) card['skills'] = [...tags]
}

/** Reads tools and endpoints from the A2A card or MCP server in a record. The modules are kept whole. */
function readModules(job: Job, card: MutableObject): void {
  for (const module of elements(job.root, 'modules', isObject)) {
    const data = objectMember(module, 'data')
    const name = textOf(module, 'name')
    const aside: Job = { ...job, ledger: new Ledger(undefined) }
    if (name === A2A_MODULE && card['endpoints'] === undefined) {
      const inner = { ...aside, root: objectMember(data, 'card_data') ?? { pointer: '', value: {} } }
      readSkills(inner, card, [], undefined)
      const endpoints = endpointsOfInterfaces(inner, readAuth(inner))
      if (endpoints.length > 0) card['endpoints'] = endpoints
    } else if (name === MCP_MODULE && data !== undefined && card['tools'] === undefined) {
      readTools(data, aside, card, [], HANDSHAKE_VERSION, false)
    } else continue
    job.ledger.shown(module.pointer, '/tools', 'as tools and endpoints')
  }
}

function readLocators({ root, ledger }: Job, card: MutableObject): void {
  const endpoints: MutableObject[] = []
  for (const locator of elements(root, 'locators', isObject)) {
    if (textOf(locator, 'type') !== 'url') continue
    const urls = elements(locator, 'urls', isText).filter(({ value }) => protocolOfUri(value) !== undefined)
    for (const one of urls.map(({ value }) => ({ protocol: protocolOfUri(value), uri: value }))) endpoints.push(one)
    if (urls.length > 0) ledger.shown(locator.pointer, '/endpoints', 'as endpoints')
  }
  if (card['endpoints'] === undefined && endpoints.length > 0) card['endpoints'] = endpoints
}
