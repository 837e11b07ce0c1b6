// Converts the list of servers in a client's configuration: `mcpServers`.
import { escapeToken, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { foreignBaggage } from '../baggage.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { addressOf, type ExportJob, type Job, type Product, textOf } from '../job.ts'
import type { MutableObject } from '../json.ts'
import { begin, finish, keeper } from '../sides/definition.ts'
import { slug } from './server.ts'

/** The member of a definition that keeps the configuration's members without a counterpart. */
const OWN = 'x_mcp_client'

/** Members that may hold a token or a password (ADL 18.2). */
const SECRETS = ['env', 'headers', 'args'] as const

/** Makes the entry of a client's configuration for the server. */
export function toClient(job: ExportJob): Product {
  const { agent, ledger, options, problems } = job
  const name = textOf(agent.root, 'name')
  const own = objectMember(agent.root, OWN)
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
  return { document, baggage: foreignBaggage(options, [[server.pointer, keeper(document, '', OWN)]]) }
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
