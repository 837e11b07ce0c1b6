// Converts server.json of the MCP registry:
// https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
import { member, objectMember, type PlacedObject } from '../../text/members.ts'
import { definitionBaggage, foreignBaggage, META } from '../baggage.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { addressOf, type ExportJob, type Job, moveNeeded, type Product, textOf, uriOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import type { Ledger } from '../ledger.ts'
import { restore } from '../restore.ts'
import { begin, finish, keeper } from '../sides/definition.ts'
import { isEntry } from '../sides/server-schema.ts'

export const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
export const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided'
/** The member of a definition that keeps server.json's members without a counterpart. */
const OWN = 'x_mcp_server'
const LONGEST = 100
const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/

/** Lists that a client gets from the server itself. */
export const ASKED = (['tools', 'resources', 'prompts'] as const).map((name) => ({
  path: [name],
  why: 'a client gets it from the server',
}))

/** Makes a registry entry from a definition (ADL 15.2). */
export function toServer(job: ExportJob): Product {
  const { agent, ledger, options } = job
  const own = objectMember(agent.root, OWN)
  const server: MutableObject = { $schema: SCHEMA }
  ledger.added('/$schema', 'the schema of server.json')
  const called = textOf(agent.root, 'name') ?? ''
  writeName(
    job,
    server,
    called,
    [textOf(own, 'name'), NAME.test(called) ? called : undefined],
    [textOf(agent.root, 'id'), textOf(agent.identity, 'did')],
  )
  writeShort(job, 'name', 'title', server)
  writeShort(job, 'description', 'description', server)
  moveNeeded(job, agent.root, 'version', server, '/version')
  const website = textOf(agent.metadata, 'documentation')
  if (website !== undefined) {
    server['websiteUrl'] = website
    ledger.moved('/metadata/documentation', '/websiteUrl')
  }
  const repository = textOf(agent.metadata, 'repository')
  if (repository !== undefined) {
    server['repository'] = { url: repository, source: sourceOf(repository) }
    ledger.moved('/metadata/repository', '/repository/url')
    ledger.added('/repository/source', 'the host of the repository')
  }
  for (const list of writeAddresses(job, server, own)) {
    ledger.shown(`/${OWN}/${list}`, `/${list}`, 'put back in its place')
  }
  const take = (residue: unknown) => {
    server['_meta'] = { [PUBLISHER]: { [META]: residue } }
  }
  const target = `/_meta/${PUBLISHER.replace('/', '~1')}/${META.replace('/', '~1')}`
  const baggage = definitionBaggage(options, [['', { target, take }]], 'server.json has no member for it', {
    more: ASKED,
  })
  return { document: server, baggage }
}

/** Finds the members of a definition or card that the publisher carries in such an entry. */
export function publishedIn(root: PlacedObject, meta: string): PlacedObject | undefined {
  return objectMember(objectMember(objectMember(root, '_meta'), PUBLISHER), meta)
}

/** Makes a definition from a registry entry; packages, remotes and others are kept in x_mcp_server. */
export function fromServer(job: Job): Product {
  const { root, ledger, options } = job
  const carried = publishedIn(root, META)
  const definition = begin(job, root, carried, textOf(root, 'title') === undefined ? 'name' : 'title', shorten)
  for (const [from, to] of [
    ['websiteUrl', 'documentation'],
    ['repository', 'repository'],
  ] as const) {
    const text = from === 'repository' ? uriOf(objectMember(root, from), 'url') : uriOf(root, from)
    if (text === undefined) continue
    child(definition, 'metadata')[to] = text
    ledger.moved(from === 'repository' ? '/repository/url' : `/${from}`, `/metadata/${to}`)
    if (from === 'repository' && member(objectMember(root, from)?.value, 'source') === sourceOf(text)) {
      ledger.implied('/repository/source', 'follows from the URL', '/metadata/repository')
    }
  }
  if (member(root.value, '$schema') === SCHEMA) ledger.implied('/$schema', 'the schema of server.json')
  if (carried !== undefined) restore(ledger, carried, definition)
  const document = finish(job, definition)
  return { document, baggage: foreignBaggage(options, [['', keeper(document, '', OWN)]]) }
}

/** Writes the name in the registry: the caller's, a kept one, or one derived from the agent's host. */
export function writeName(
  { options, ledger, problems }: Job,
  server: MutableObject,
  title: string,
  known: readonly (string | undefined)[],
  addresses: readonly (string | undefined)[],
): void {
  const name = options.serverName ?? known.find((one) => one !== undefined) ?? registryName(addresses, title)
  if (name === undefined || !NAME.test(name) || name.length > 200) {
    problems.report(CONVERT_NEEDED, '', 'expected the option serverName, such as com.example/weather')
    return
  }
  server['name'] = name
  ledger.added('/name', 'the name in the registry')
}

/** Writes a text for the registry, which allows at most 100 characters. */
function writeShort(
  { agent, ledger, problems }: ExportJob,
  name: 'name' | 'description',
  as: string,
  server: MutableObject,
): void {
  const text = textOf(agent.root, name)
  if (text === undefined) problems.report(CONVERT_NEEDED, '', `expected a non-empty ${name}: the target requires it`)
  else putShort(ledger, `/${name}`, text, as, server)
}

/** Writes the URL of the server (the option), or the kept addresses. Returns the lists that were restored. */
export function writeAddresses(job: Job, server: MutableObject, kept: PlacedObject | undefined): readonly string[] {
  const url = addressOf(job)
  if (url !== undefined) {
    server['remotes'] = [{ type: 'streamable-http', url }]
    job.ledger.added('/remotes/0', 'the option url')
    return []
  }
  return (['remotes', 'packages'] as const).filter((list) => {
    const all = member(kept?.value, list)
    const kind = list === 'remotes' ? 'remote' : 'package'
    if (!Array.isArray(all) || all.length === 0 || !all.every((entry) => isEntry(kind, entry))) return false
    server[list] = all
    return true
  })
}

/** Writes a text, shortened if it is too long. */
export function putShort(ledger: Ledger, pointer: string, text: string, as: string, server: MutableObject): void {
  const short = shorten(text)
  server[as] = short
  if (short === text) ledger.moved(pointer, `/${as}`)
  else ledger.shown(pointer, `/${as}`, `shortened to ${LONGEST} characters`, 'changed')
}

export function shorten(text: string): string {
  const characters = [...text]
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`
}

/** The reversed host of an agent's URL or DID, and the agent's name: the owner of the host may claim that name. */
function registryName(addresses: readonly (string | undefined)[], name: string): string | undefined {
  for (const address of addresses) {
    const [, host] = /^(?:https:\/\/|did:web:)([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?:[/:?#]|$)/.exec(address ?? '') ?? []
    if (host !== undefined) return `${host.split('.').reverse().join('.')}/${slug(name)}`
  }
  return undefined
}

/** Makes a name one word: `Invoice Processor` becomes `invoice-processor`. */
export function slug(text: string): string {
  const words = text
    .slice(0, LONGEST)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.filter((word) => word !== '').join('-') || 'agent'
}

function sourceOf(repository: string): string {
  const host = URL.canParse(repository) ? new URL(repository).hostname : ''
  return host === 'github.com' ? 'github' : host === 'gitlab.com' ? 'gitlab' : host || 'git'
}
