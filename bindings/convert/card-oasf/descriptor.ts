// Converts the AgentDescriptor of appendix A.3 of the Agent Card draft. No version of OASF defines it.
import { elements, isObject, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { protocolOfUri } from '../card-a2a/endpoints.ts'
import { type Job, moveNeeded, type Product, textOf } from '../job.ts'
import { child, isTexts, type MutableObject } from '../json.ts'
import { type Carrier, openBaggage } from '../ledger.ts'
import { closeCard, makeTools, needName, readText, toolsOf } from '../sides/card.ts'
import { holdGuards } from '../sides/definition.ts'
import { noteCarrier, noteOf, restoreNote } from './card-oasf.ts'

/** The first members of such a manifest; the appendix gives no version. */
const MANIFEST = { apiVersion: 'oasf/v1', kind: 'AgentDescriptor' }

/** Makes a descriptor from a card (Agent Card A.3). */
export function cardToDescriptor(job: Job): Product {
  const { root, ledger, options } = job
  const metadata: MutableObject = {}
  const spec: MutableObject = {}
  moveNeeded(job, root, 'name', metadata, '/metadata/name')
  const description = textOf(root, 'description')
  if (description !== undefined) {
    spec['description'] = description
    ledger.moved('/description', '/spec/description')
  }
  writeLabels(job, metadata)
  const { tools, exact } = toolsOf(root)
  const capabilities = tools.map(({ name, tool }, i): MutableObject => {
    const at = `/spec/capabilities/${i}`
    if (exact) ledger.moved(`${tool.pointer}/name`, `${at}/name`)
    else ledger.shown(tool.pointer, at)
    const schema = objectMember(tool, 'input_schema')
    if (schema !== undefined && exact) ledger.moved(schema.pointer, `${at}/inputSchema`)
    return { name, ...(schema !== undefined && { inputSchema: schema.value }) }
  })
  if (capabilities.length > 0) spec['capabilities'] = capabilities
  const endpoints = elements(root, 'endpoints', isObject).flatMap((endpoint) => {
    const url = textOf(endpoint, 'uri')
    if (url !== undefined) ledger.shown(`${endpoint.pointer}/uri`, '/spec/endpoints')
    return url === undefined ? [] : [{ url }]
  })
  if (endpoints.length > 0) spec['endpoints'] = endpoints
  for (const name of ['/apiVersion', '/kind']) ledger.added(name, 'the type of the document')
  const document = { ...MANIFEST, metadata, spec }
  const carriers = [['', noteCarrier(metadata, '/metadata')]] as const
  return { document, baggage: openBaggage(options, carriers, 'a descriptor has no member for it') }
}

function writeLabels({ root, ledger }: Job, metadata: MutableObject): void {
  const all = member(root.value, 'skills')
  const tags = elements(root, 'skills', isText).map(({ value }) => value)
  const isExact = isTexts(all) && tags.every((tag) => !tag.includes(',') && tag.trim() === tag)
  const joined = tags.filter((tag) => tag !== '').join(',')
  if (joined !== '') child(metadata, 'labels')['skills'] = joined
  if (isExact) ledger.rewritten('/skills', '/metadata/labels/skills', 'joined with commas')
  else if (joined !== '') ledger.shown('/skills', '/metadata/labels/skills', 'joined with commas', 'changed')
  const version = textOf(root, 'version')
  if (version === undefined) return
  child(metadata, 'labels')['version'] = version
  ledger.moved('/version', '/metadata/labels/version')
}

/** Makes a card from a descriptor. Members beyond the appendix are kept in the extension blazon.oasf. */
export function cardFromDescriptor(job: Job): Product {
  const { root, ledger } = job
  const metadata = objectMember(root, 'metadata')
  const spec = objectMember(root, 'spec')
  const note = noteOf(metadata)
  const labels = objectMember(metadata, 'labels')
  const card: MutableObject = {}
  needName(job, metadata, '/metadata')
  const texts: readonly [PlacedObject | undefined, string][] = [
    [metadata, 'name'],
    [spec, 'description'],
    [labels, 'version'],
  ]
  for (const [of, name] of texts)
    if (of !== undefined) readText(ledger, of, name, card, '', { carried: note, fallback: '' })
  const carriers: [string, Carrier][] = []
  const capabilities = { of: spec, list: 'capabilities', key: 'name', format: 'oasf' } as const
  makeTools(job, card, carriers, capabilities, (capability, tool, at) => {
    holdGuards(job, capability, { inputSchema: 'input_schema' }, tool, at, job.passing)
    const schema = objectMember(capability, 'inputSchema')
    if (schema === undefined) return
    tool['input_schema'] = schema.value
    ledger.moved(schema.pointer, `${at}/input_schema`)
  })
  const joined = textOf(labels, 'skills')
  const tags = (joined ?? '').split(',').flatMap((tag) => tag.trim() || [])
  if (joined !== undefined && member(note?.value, 'skills') === undefined && tags.length > 0) {
    card['skills'] = tags
    ledger.rewritten(`${labels!.pointer}/skills`, '/skills', 'as a list')
  }
  if (note !== undefined) restoreNote(ledger, note, card, true)
  else readEndpoints(job, spec, card)
  return closeCard(job, card, 'oasf', cardToDescriptor, carriers)
}

function readEndpoints({ ledger }: Job, spec: PlacedObject | undefined, card: MutableObject): void {
  const endpoints = elements(spec, 'endpoints', isObject).flatMap((endpoint) => {
    const uri = textOf(endpoint, 'url')
    const protocol = uri === undefined ? undefined : protocolOfUri(uri)
    if (uri === undefined || protocol === undefined) return []
    ledger.shown(`${endpoint.pointer}/url`, '/endpoints')
    return [{ protocol, uri }]
  })
  if (endpoints.length > 0) card['endpoints'] = endpoints
}
