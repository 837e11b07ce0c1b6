// Builds metadata (section 6.3) from the agent's identity, key, endpoints and capabilities.
import { read } from '../document/read.ts'
import type { Diagnostic } from '../document/types.ts'
import { open } from '../frame/open.ts'
import type { Source } from '../frame/source.ts'
import { importKey } from '../keys/import.ts'
import type { KeySource } from '../keys/read.ts'
import { elements, isObject, type JsonObject, type PlacedObject, textIn, valueIn } from '../text/members.ts'
import { type AgentIdentity, agentUri, domainOf, PROTOCOL, publicKeyBlock } from './identity.ts'
import type { EndpointName } from './subject.ts'

export declare namespace build {
  interface Options {
    /** A definition or card of the agent. Its name is used, and each of its tools becomes a capability. */
    readonly of?: Source
    /** Overrides the name in `of`. */
    readonly name?: string
    /** Overrides the capabilities from `of`. */
    readonly capabilities?: readonly JsonObject[]
    /** For every capability without pricing of its own: `{ model: 'free' }`. */
    readonly pricing?: JsonObject
    /**
     * Endpoints in addition to the default ones, which follow from the domain. `a2a` is the address of its A2A interface.
     */
    readonly endpoints?: Readonly<Partial<Record<EndpointName | 'a2a', string>>>
    /** Authentication methods for callers, in addition to `pubkey`. */
    readonly authMethods?: readonly string[]
    readonly rateLimit?: { readonly requestsPerMinute?: number; readonly burstSize?: number }
    readonly policies?: JsonObject
    readonly availability?: JsonObject
    readonly meta?: JsonObject
  }

  /** Unsigned metadata. Undefined when `of` cannot be parsed. */
  interface Result {
    readonly metadata: JsonObject | undefined
    readonly diagnostics: readonly Diagnostic[]
  }
}

/**
 * Builds the metadata of an agent from its domain, its key, and other information.
 *
 * @example
 * const { metadata } = await build({ domain: 'alice.example.com', key }, { name: 'Alice' })
 *
 * @throws {KeyError} for a key that is not for Ed25519, {TypeError} for an invalid domain or a missing name.
 */
export async function build(agent: AgentIdentity, options: build.Options = {}): Promise<build.Result> {
  const domain = domainOf(agent)
  const key = await importKey(agent.key, { algorithm: 'Ed25519' })
  const { source, diagnostics } = sourceOf(options.of)
  if (options.of !== undefined && source === undefined) return { metadata: undefined, diagnostics }
  const name = options.name ?? textIn(source, 'name')
  if (typeof name !== 'string' || name === '') throw new TypeError('name: expected the name of the agent, found none')
  const { policies, availability, meta } = options
  const metadata = {
    protocol: PROTOCOL,
    identity: { id: agentUri(domain), domain, name, publicKey: publicKeyBlock(key) },
    endpoints: {
      wellKnown: `https://${domain}/.well-known/agent.json`,
      discovery: `https://${domain}/`,
      ...options.endpoints,
    },
    capabilities: capabilitiesOf(source, name, options),
    security: securityOf(options),
    ...(policies !== undefined && { policies }),
    ...(availability !== undefined && { availability }),
    ...(meta !== undefined && { meta }),
  }
  return { metadata, diagnostics }
}

function sourceOf(of: Source | undefined): { source?: PlacedObject; diagnostics: readonly Diagnostic[] } {
  if (of === undefined) return { diagnostics: [] }
  const { document, diagnostics } = open(read, of)
  if (document === undefined || !isObject(document.value)) return { diagnostics }
  return { source: { pointer: '', value: document.value }, diagnostics }
}

/**
 * A definition calls the schemas of a tool `parameters` and `returns`, a card calls them `input_schema` and
 * `output_schema`.
 */
const INPUT = ['parameters', 'input_schema']
const OUTPUT = ['returns', 'output_schema']

function capabilitiesOf(source: PlacedObject | undefined, name: string, options: build.Options): readonly JsonObject[] {
  const { capabilities = capabilitiesFrom(source, name), pricing } = options
  if (pricing === undefined) return capabilities
  return capabilities.map((capability) => ({ pricing, ...capability }))
}

function capabilitiesFrom(source: PlacedObject | undefined, name: string): readonly JsonObject[] {
  const tools = elements(source, 'tools', isObject).flatMap((tool) => {
    const id = textIn(tool, 'name') ?? ''
    if (id === '') return []
    const description = textIn(tool, 'description') ?? id
    return [{ id, name: id, description, input: formOf(tool, INPUT), output: formOf(tool, OUTPUT) }]
  })
  if (tools.length > 0) return tools
  const description = textIn(source, 'description') ?? name
  return [{ id: 'chat', name: 'Chat', description, input: ['text'], output: ['text'] }]
}

/** JSON if the tool has a schema, otherwise text. */
const formOf = (tool: PlacedObject, names: readonly string[]) => [
  names.some((name) => isObject(valueIn(tool, name))) ? 'application/json' : 'text',
]

function securityOf({ authMethods = [], rateLimit }: build.Options): JsonObject {
  return {
    tlsRequired: true,
    minProtocolVersion: PROTOCOL,
    authMethods: [...new Set(['pubkey', ...authMethods])],
    ...(rateLimit !== undefined && { rateLimit }),
  }
}

/**
 * Prepares published metadata for a new version: removes the proof, which covers the old one, and sets a new key if
 * given.
 *
 * @throws {KeyError} for a key that is not for Ed25519.
 */
export async function nextMetadata(published: JsonObject, key: KeySource | undefined): Promise<JsonObject> {
  const { proof: _, ...identity } = published['identity'] as JsonObject
  const { proof: __, ...own } = identity['publicKey'] as JsonObject
  const publicKey = key === undefined ? own : publicKeyBlock(await importKey(key, { algorithm: 'Ed25519' }))
  return { ...published, identity: { ...identity, publicKey } }
}
