import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../document/members.ts'
import { isDateTime } from '../../schema/formats.ts'
import { openBaggage } from '../baggage.ts'
import { readSkills } from '../card/a2a-import.ts'
import { readAuth } from '../card/auth.ts'
import { cardKeeper, finishCard, NO_VERSION, readText } from '../card/card.ts'
import { skipRemade } from '../card/derived.ts'
import { endpointsOfInterfaces, protocolOfUri } from '../card/endpoints.ts'
import { readTools } from '../card/mcp-import.ts'
import { type Job, type Product, textOf } from '../job.ts'
import type { Made } from '../json.ts'
import { Ledger } from '../ledger.ts'
import { NEEDED } from '../problems.ts'
import { A2A_MODULE, MCP_MODULE } from './modules.ts'
import { noteOf, restoreNote } from './note.ts'
import { cardToRecord } from './record-export.ts'
import { tagOf } from './skills.ts'

/** A card of a record. What the record says beyond it is kept in the extension blazon.oasf. */
export function cardFromRecord(job: Job): Product {
  const { root, ledger, options, problems } = job
  const note = noteOf(root)
  const card: Made = {}
  const name = textOf(root, 'name')
  if (name === undefined) problems.report(NEEDED, '', 'expected a non-empty name: an Agent Card has to have it')
  readText(ledger, root, 'name', card, '', { carried: note, fallback: '' })
  readText(ledger, root, 'description', card, '', { carried: note, fallback: name ?? '' })
  readText(ledger, root, 'version', card, '', { carried: note, fallback: NO_VERSION })
  readTime(job, card, note)
  if (note === undefined) {
    readSkillNames(job, card)
    readModules(job, card)
    readLocators(job, card)
  } else restoreNote(ledger, note, card)
  skipRemade(job, card, cardToRecord)
  finishCard(job, card)
  return {
    document: card,
    baggage: openBaggage(options, [['', cardKeeper(card, 'oasf')]], 'an Agent Card has no member for it'),
  }
}

/** A record that was made of a card is dated by it, or by when the record was made. */
function readTime({ root, ledger }: Job, card: Made, note: PlacedObject | undefined): void {
  const created = textOf(root, 'created_at')
  if (created === undefined || !isDateTime(created)) return
  if (note !== undefined) {
    ledger.implied('/created_at', 'carried along as well, or when the record was made')
    return
  }
  card['metadata'] = { created_at: created }
  ledger.moved('/created_at', '/metadata/created_at')
}

/** Ids have other meanings in other versions of OASF: there only names count. */
function readSkillNames({ root, ledger }: Job, card: Made): void {
  const isKnown = /^v?1\.1\./.test(textOf(root, 'schema_version') ?? '')
  const tags = new Set<string>()
  for (const skill of elements(root, 'skills', isObject)) {
    const id = member(skill.value, 'id')
    const tag = tagOf({ name: textOf(skill, 'name'), id: isKnown && typeof id === 'number' ? id : undefined })
    if (tag === undefined) continue
    tags.add(tag)
    ledger.told(skill.pointer, '/skills', 'as a tag')
  }
  if (tags.size > 0) card['skills'] = [...tags]
}

/** Tools and endpoints of the A2A card or the MCP server that a record has; the modules are kept whole. */
function readModules(job: Job, card: Made): void {
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
      readTools(data, aside, card, [], false)
    } else continue
    job.ledger.told(module.pointer, '/tools', 'as tools and endpoints')
  }
}

function readLocators({ root, ledger }: Job, card: Made): void {
  const endpoints: Made[] = []
  for (const locator of elements(root, 'locators', isObject)) {
    if (textOf(locator, 'type') !== 'url') continue
    const urls = elements(locator, 'urls', isText).filter(({ value }) => protocolOfUri(value) !== undefined)
    endpoints.push(...urls.map(({ value }) => ({ protocol: protocolOfUri(value), uri: value })))
    if (urls.length > 0) ledger.told(locator.pointer, '/endpoints', 'as endpoints')
  }
  if (card['endpoints'] === undefined && endpoints.length > 0) card['endpoints'] = endpoints
}
