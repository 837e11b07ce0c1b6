// Writes records of OASF 1.1.1, as the directories of AGNTCY store them.

import { parse } from '../../document/parse.ts'
import { HANDSHAKE_VERSION, LISTS } from '../../mcp/messages.ts'
import { isDateTime } from '../../schema/formats.ts'
import { OASF_SKILLS, OASF_VERSION } from '../../tables/oasf.ts'
import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { checkedNow } from '../../text/moment.ts'
import { cardToA2a, readSkills } from '../card-a2a/card-a2a.ts'
import { endpointsOfInterfaces, protocolOfUri, readAuth } from '../card-a2a/endpoints.ts'
import { cardToMcp, readTools } from '../card-mcp/card-mcp.ts'
import { CONVERT_NEEDED, CONVERT_SUPPLIED } from '../findings.ts'
import { type Job, moveNeeded, Problems, type Product, textOf } from '../job.ts'
import { child, isTexts, type MutableObject } from '../json.ts'
import { type Carrier, Ledger, openBaggage } from '../ledger.ts'
import { closeCard, keptOf, NO_VERSION, needName, readText, restoreCard, toolsOf, writeText } from '../sides/card.ts'
import { isEntry } from '../sides/definition.ts'
import oasfTags from './tags.json' with { type: 'json' }

/** Makes a record from a card. */
export function cardToRecord(job: Job): Product {
  const { root, ledger, options } = job
  const kept = keptOf(root, 'oasf')
  const record: MutableObject = {}
  moveNeeded(job, root, 'name', record, '/name')
  const name = textOf(root, 'name') ?? ''
  writeText(ledger, root, 'version', record, '', options.version ?? NO_VERSION, 'the card has no version')
  record['schema_version'] = OASF_VERSION
  ledger.added('/schema_version', 'the version of OASF')
  writeText(ledger, root, 'description', record, '', name, 'its name, because the card has no description')
  writeAuthors(job, record, kept, name)
  writeTime(job, record)
  writeSkills(job, record)
  const domains = domainsOf(kept)
  if (domains.length > 0) record['domains'] = domains
  writeLocators(job, record, kept)
  writeModules(job, record, kept)
  const carriers = [['', noteCarrier(record, '')]] as const
  return { document: record, baggage: openBaggage(options, carriers, 'a record has no member for it') }
}

function writeAuthors(
  { problems, ledger }: Job,
  record: MutableObject,
  kept: PlacedObject | undefined,
  name: string,
): void {
  const authors = member(kept?.value, 'authors')
  if (isTexts(authors)) {
    record['authors'] = authors
    ledger.shown(`${kept!.pointer}/authors`, '/authors', 'put back in its place')
    return
  }
  record['authors'] = [name]
  ledger.added('/authors', 'the agent itself, because the card names no author')
  const detail = 'the record names the agent as its author: set extensions["blazon.oasf"].authors in the card'
  problems.report(CONVERT_SUPPLIED, '', detail)
}

function writeTime({ root, options, ledger, problems }: Job, record: MutableObject): void {
  const metadata = objectMember(root, 'metadata')
  const created = textOf(metadata, 'created_at')
  if (created !== undefined && isDateTime(created)) {
    record['created_at'] = created
    // The record alone does not show whether the card had a time.
    ledger.shown(`${metadata!.pointer}/created_at`, '/created_at', 'as it is')
    return
  }
  record['created_at'] = checkedNow(options.now).toISOString()
  ledger.added('/created_at', 'now, because the card does not say when it was made')
  problems.report(
    CONVERT_SUPPLIED,
    metadata?.pointer ?? '',
    'the record is dated now: set metadata.created_at in the card',
  )
}

function writeSkills({ root, ledger, problems }: Job, record: MutableObject): void {
  const skills = new Map<string, MutableObject>()
  for (const tag of elements(root, 'skills', isText)) {
    const skill = skillOf(tag.value)
    if (skill === undefined) continue
    const { name, id, exact } = skill
    skills.set(name, { name, id })
    const [detail, outcome] = exact
      ? (['as OASF calls it', 'renamed'] as const)
      : (['the nearest of OASF', 'changed'] as const)
    ledger.shown(tag.pointer, '/skills', detail, outcome)
  }
  record['skills'] = [...skills.values()]
  if (skills.size > 0) return
  const pointer = member(root.value, 'skills') === undefined ? '' : '/skills'
  problems.report(
    CONVERT_NEEDED,
    pointer,
    'expected a tag that OASF has a skill for, such as nlp/translation or testing',
  )
}

function writeLocators({ root, ledger }: Job, record: MutableObject, kept: PlacedObject | undefined): void {
  const urls = new Set<string>()
  for (const endpoint of elements(root, 'endpoints', isObject)) {
    const uri = textOf(endpoint, 'uri')
    if (uri === undefined || !/^https?:\/\/\S+$/.test(uri)) continue
    urls.add(uri)
    ledger.shown(`${endpoint.pointer}/uri`, '/locators')
  }
  const others = elements(kept, 'locators', isObject).filter(
    ({ value }) => typeof member(value, 'type') === 'string' && isTexts(member(value, 'urls')),
  )
  const locators = [...(urls.size > 0 ? [{ type: 'url', urls: [...urls] }] : []), ...others.map(({ value }) => value)]
  if (locators.length > 0) record['locators'] = locators
}

/** The domains of the record that this card was made from. */
function domainsOf(kept: PlacedObject | undefined): readonly unknown[] {
  const domains = elements(kept, 'domains', isObject).map(({ value }) => value)
  return domains.filter(
    (entry) => typeof member(entry, 'name') === 'string' || Number.isSafeInteger(member(entry, 'id')),
  )
}

// Writes the modules of a record, which say how to reach the agent by A2A or MCP.

const A2A_MODULE = 'integration/a2a'
const MCP_MODULE = 'integration/mcp'

/**
 * Writes the A2A card of an agent that speaks A2A, or else its tools if the URL of an MCP server is known; and the
 * modules of the original record.
 */
function writeModules(job: Job, record: MutableObject, kept: PlacedObject | undefined): void {
  const { root, ledger } = job
  const modules: MutableObject[] = []
  const own = ownModule(job)
  if (own !== undefined) {
    modules.push(own)
    ledger.added('/modules/0', own['name'] === A2A_MODULE ? 'the A2A card of the agent' : 'the MCP server of the agent')
    const at = own['name'] === A2A_MODULE ? '/modules/0/data/card_data/skills' : '/modules/0/data/tools'
    for (const { tool } of toolsOf(root).tools)
      for (const name of ['name', 'description'])
        if (member(tool.value, name) !== undefined) ledger.shown(`${tool.pointer}/${name}`, at)
  }
  for (const { value } of elements(kept, 'modules', isObject))
    if (typeof member(value, 'name') === 'string' && value['name'] !== own?.['name'])
      modules.push(value as MutableObject)
  if (modules.length > 0) record['modules'] = modules
}

function ownModule(job: Job): MutableObject | undefined {
  const { root, options } = job
  const bare: Job = {
    ...job,
    // Not a copy, so that the outer conversion notices which options are read.
    options: Object.create(options, { carry: { value: 'nothing' } }),
    ledger: new Ledger(undefined),
    problems: new Problems(),
  }
  const { document: card } = cardToA2a(bare, '1.0')
  if (!bare.problems.fatal) return { name: A2A_MODULE, data: { card_schema_version: 'v1.0.0', card_data: card } }
  const { document } = cardToMcp(bare, '2025-11-25')
  const tools = objectMember({ pointer: '', value: document }, LISTS.tools)
  const remotes = elements(keptOf(root, 'mcp-server'), 'remotes', isObject).filter(({ value }) =>
    isEntry('remote', value),
  )
  if (tools === undefined || remotes.length === 0) return undefined
  const connections = remotes.map(({ value: { type, url } }) => ({ type, url }))
  return { name: MCP_MODULE, data: { name: root.value['name'], connections, tools: tools.value['tools'] } }
}

// Our annotation in OASF documents: members of a card as JSON, because annotations there are strings.

const NOTE = 'blazon.card'

/** The deepest nesting of a card in another document. */
const DEPTH = 64

/** Carries members of a card in the annotations of an object. */
export function noteCarrier(owner: MutableObject, pointer: string): Carrier {
  return {
    target: `${pointer}/annotations/${NOTE}`,
    opaque: true,
    take(residue) {
      child(owner, 'annotations')[NOTE] = JSON.stringify(residue)
    },
  }
}

/** The carried members; undefined when the annotation is not JSON. */
export function noteOf(owner: PlacedObject | undefined): PlacedObject | undefined {
  const annotations = objectMember(owner, 'annotations')
  const text = member(annotations?.value, NOTE)
  const value = typeof text === 'string' ? parse(text, { maxDepth: DEPTH }).document?.value : undefined
  return isObject(value) ? { pointer: `${annotations!.pointer}/${NOTE}`, value } : undefined
}

/** Restores the note. Reports it as a whole, because its parts have no place in the source. */
export function restoreNote(ledger: Ledger, note: PlacedObject, card: MutableObject, shows: boolean): void {
  restoreCard(new Ledger(undefined), note, card, shows)
  ledger.rewritten(note.pointer, '', 'put back in its place')
}

// Maps tags of Agent Cards to skills of OASF 1.1.1, and back.

/** A skill of OASF. */
interface Skill {
  readonly id: number
  /** Its full path. */
  readonly name: string
}

/**
 * Tags of the draft (table 6) and of ClawNet with another name in the taxonomy. Others equal the end of a skill's path.
 */
const TAGS: Readonly<Record<string, string>> = oasfTags

/** The longest tag to look up, more than twice as long as any path of the taxonomy. */
const LONGEST_TAG = 255

interface Taxonomy {
  readonly ids: ReadonlyMap<string, number>
  readonly names: ReadonlyMap<number, string>
  /** Skills by the last part of their path. */
  readonly last: ReadonlyMap<string, string>
}

let taxonomy: Taxonomy | undefined

function read(): Taxonomy {
  const ids = new Map<string, number>()
  for (const line of OASF_SKILLS.trim().split('\n')) {
    const [id, path, ...below] = line.split(' ')
    for (const entry of below) {
      const [name, number] = entry.split('.')
      ids.set(path === '-' ? name! : `${path}/${name}`, Number(id) * 100 + Number(number))
    }
  }
  const last = new Map(Array.from(ids.keys(), (name) => [name.slice(name.lastIndexOf('/') + 1), name]))
  return { ids, names: new Map(Array.from(ids, ([name, id]) => [id, name])), last }
}

/** The skill for a tag: itself, or the nearest above it; undefined if the taxonomy has no such skill. */
export function skillOf(tag: string): (Skill & { readonly exact: boolean }) | undefined {
  if (tag.length > LONGEST_TAG) return undefined
  taxonomy ??= read()
  const { ids, last } = taxonomy
  for (
    let part = tag, exact = true;
    part !== '';
    part = part.slice(0, Math.max(0, part.lastIndexOf('/'))), exact = false
  ) {
    const path = part.replaceAll('-', '_')
    const own = Object.hasOwn(TAGS, part) ? TAGS[part]! : undefined
    const name = own ?? (ids.has(path) ? path : last.get(path.slice(path.lastIndexOf('/') + 1)))
    if (name !== undefined) return { name, id: ids.get(name)!, exact }
  }
  return undefined
}

/** The tag for a skill: that of the draft, or the path with hyphens. Ids are those of OASF 1.1. */
export function tagOf({
  name,
  id,
}: {
  readonly name: string | undefined
  readonly id: number | undefined
}): string | undefined {
  taxonomy ??= read()
  const path = name ?? (id === undefined ? undefined : taxonomy.names.get(id))
  if (path === undefined) return undefined
  const [known] = Object.entries(TAGS).find(([, skill]) => skill === path) ?? []
  return known ?? path.replaceAll('_', '-')
}

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
