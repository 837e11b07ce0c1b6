// Converts server.json of the MCP registry:
// https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
import { escapeToken, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { moveCounterparts } from '../counterparts.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { addressOf, type ExportJob, type Job, moveNeeded, type Product, textOf, uriOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import { definitionBaggage, foreignBaggage, type Ledger, META, restore } from '../ledger.ts'
import { begin, finish, isEntry, keeper } from '../sides/definition.ts'

export const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
export const PUBLISHER = 'io.modelcontextprotocol.registry/publisher-provided'
/** The member of a definition that keeps server.json's members without a counterpart. */
const OWN_SERVER = 'x_mcp_server'
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
  const own = objectMember(agent.root, OWN_SERVER)
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
  moveCounterparts(ledger, 'adl-server', agent.root, server)
  const repository = textOf(agent.metadata, 'repository')
  if (repository !== undefined) {
    child(server, 'repository')['source'] = sourceOf(repository)
    ledger.added('/repository/source', 'the host of the repository')
  }
  for (const list of writeAddresses(job, server, own)) {
    ledger.shown(`/${OWN_SERVER}/${list}`, `/${list}`, 'put back in its place')
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
  moveCounterparts(ledger, 'adl-server', root, definition, { back: true })
  const repository = objectMember(root, 'repository')
  const url = uriOf(repository, 'url')
  if (url !== undefined && member(repository?.value, 'source') === sourceOf(url))
    ledger.implied('/repository/source', 'follows from the URL', '/metadata/repository')
  if (member(root.value, '$schema') === SCHEMA) ledger.implied('/$schema', 'the schema of server.json')
  if (carried !== undefined) restore(ledger, carried, definition)
  const document = finish(job, definition)
  return { document, baggage: foreignBaggage(options, [['', keeper(document, '', OWN_SERVER)]]) }
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
function slug(text: string): string {
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

// Converts the list of servers in a client's configuration: `mcpServers`.

/** The member of a definition that keeps the configuration's members without a counterpart. */
const OWN_CLIENT = 'x_mcp_client'

/** Members that may hold a token or a password (ADL 18.2). */
const SECRETS = ['env', 'headers', 'args'] as const

/** Makes the entry of a client's configuration for the server. */
export function toClient(job: ExportJob): Product {
  const { agent, ledger, options, problems } = job
  const name = textOf(agent.root, 'name')
  const own = objectMember(agent.root, OWN_CLIENT)
  const url = addressOf(job) ?? (options.command === undefined ? textOf(own, 'url') : undefined)
  const command = options.command ?? textOf(own, 'command')
  if (name === undefined) problems.report(CONVERT_NEEDED, '', 'expected a non-empty name: the target has to have it')
  if (url === undefined && command === undefined) {
    problems.report(
      CONVERT_NEEDED,
      '',
      'expected the option url or the option command: a definition does not say how its server is reached',
    )
  }
  const key = slug(name ?? '')
  const args = options.args ?? []
  const entry = url === undefined ? { command, ...(args.length > 0 && { args }) } : { type: 'http', url }
  ledger.shown('/name', `/mcpServers/${key}`, 'as one word', key === name ? 'renamed' : 'changed')
  ledger.added(`/mcpServers/${key}`, url === undefined ? 'the command of the server' : 'the URL of the server')
  const homeless = 'a client configuration only says how to reach a server'
  return { document: { mcpServers: { [key]: entry } }, baggage: { carriers: new Map(), withheld: [], homeless } }
}

/**
 * Makes a definition from one server of a configuration. Its address or command is kept in x_mcp_client, without
 * secrets.
 */
export function fromClient(job: Job): Product {
  const { root, ledger, options, problems } = job
  const servers = objectMember(root, 'mcpServers')
  const names = Object.keys(servers?.value ?? {})
  const name = options.server ?? (names.length === 1 ? names[0] : undefined)
  const server = name === undefined ? undefined : objectMember(servers, name)
  if (name === undefined || server === undefined) {
    const detail = names.length === 0 ? 'the configuration has no server' : `one of ${names.slice(0, 10).join(', ')}`
    problems.report(CONVERT_NEEDED, '/mcpServers', `expected the option server: ${detail}`)
    return { document: {}, baggage: foreignBaggage(options, []) }
  }
  // The key names the entry, but `begin` reads the name from a value.
  const definition = begin(job, { pointer: server.pointer, value: { ...introduce(server), name } }, undefined)
  skipSecrets(server, job)
  for (const other of names) {
    if (other !== name)
      ledger.dropped(`/mcpServers/${escapeToken(other)}`, 'another server, which needs its own definition')
  }
  const document = finish(job, definition)
  return { document, baggage: foreignBaggage(options, [[server.pointer, keeper(document, '', OWN_CLIENT)]]) }
}

/** Reads the description of the server, which the configurations of some clients contain. */
function introduce({ value }: PlacedObject): MutableObject {
  const entries = ['description', 'version'].flatMap((name) => {
    const text = member(value, name)
    return typeof text === 'string' ? [[name, text] as const] : []
  })
  return Object.fromEntries(entries)
}

export function skipSecrets(server: PlacedObject, { ledger }: Job): void {
  for (const name of SECRETS) {
    if (member(server.value, name) !== undefined)
      ledger.dropped(`${server.pointer}/${name}`, 'may hold secrets (ADL 18.2)')
  }
  const url = textOf(server, 'url')
  if (url === undefined || (!url.includes('?') && !url.includes('@') && !url.includes('#'))) return
  ledger.dropped(
    `${server.pointer}/url`,
    'its query or user may be a secret (ADL 18.2); the option url can give it again',
  )
}
