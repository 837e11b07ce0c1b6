// Definitions of agents (ADL): those in storage, and those of edge/site/agents/, which are part of the build.
import { formatMediaType, isAgentName } from 'blazon/adl'
import { convert } from 'blazon/convert'
import type { DiscoveryEntry } from 'blazon/discover'
import { parseJson } from 'blazon/document'
import site from '../../dist/agents.js'
import { holderOfDefinition } from '../access/admit.ts'
import type { Access, Call } from '../access/route.ts'
import type { A2aVersion } from '../contracts/directory.ts'
import type { Metadata, Part, PublishedDefinition } from '../contracts/documents.ts'
import { CARD_TYPE } from '../directory/catalog-entry.ts'
import { agentStub, documents, type Env, isOn } from '../env.ts'
import { etagOf, madeAnswer, publishedAnswer } from '../http/answer.ts'
import { PAGE_POLICY } from '../http/html.ts'
import { didOf } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { prefersPage, takes, wants } from '../http/query.ts'
import { cardAnswer, findCard } from './cards.ts'
import { keysOf } from './did.ts'
import { agentPage, type Definition } from './page.ts'

/** The definition of a name, as a reader finds it. */
interface ReadDefinition extends PublishedDefinition {
  /** True if only readers with a token get the definition. */
  readonly isPrivate: boolean
}

/** The definition of a name, or null. Readers who may not see a private one get null as well. */
export async function findDefinition(env: Env, name: string, mayReadPrivate: boolean): Promise<ReadDefinition | null> {
  if (!isAgentName(name)) return null
  const { published, isPrivate } = await documents(env).read(name)
  const found = published ?? (await ofSite()).get(name)
  return found === undefined || (isPrivate && !mayReadPrivate) ? null : { ...found, isPrivate }
}

/** The definition that a call names. Throws a problem if it is missing. */
export async function definitionOrRefuse({ env, bearer, parts: { name }, url }: Call<'name'>): Promise<ReadDefinition> {
  const found = await findDefinition(env, name, bearer !== undefined)
  if (found !== null) return found
  const all = `${url.origin}/.well-known/adl-agents`
  throw new Problem('not-found', `No agent is published here as ${nameShown(name)}; ${all} lists all.`)
}

let built: Promise<ReadonlyMap<string, PublishedDefinition>> | undefined

/** The definitions of the build, prepared once. */
function ofSite(): Promise<ReadonlyMap<string, PublishedDefinition>> {
  built ??= Promise.all([...site].map(prepare)).then((list) => new Map(list))
  return built
}

async function prepare([name, text]: readonly [string, string]): Promise<readonly [string, PublishedDefinition]> {
  const bytes = new Uint8Array(new TextEncoder().encode(text))
  return [name, { bytes: bytes.buffer, etag: await etagOf(bytes), ...describe(JSON.parse(text)) }]
}

/** The entries of this origin's discovery document, by name. */
export async function listAll(env: Env, origin: string): Promise<DiscoveryEntry[]> {
  const entries = new Map([...(await ofSite())].map(([name, { entry }]) => [name, entry]))
  const stored = await documents(env).list()
  for (const { name, entry } of stored.entries) entries.set(name, entry)
  for (const name of stored.hidden) entries.delete(name)
  return [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => {
      const id = `${origin}/agents/${name}`
      return { id, ...JSON.parse(entry), adl_document: `${id}/adl.json` }
    })
}

/** Longer descriptions are left out of the entry. */
const LONGEST_DESCRIPTION = 256

/** The stored facts about a valid definition: its entry in a discovery document (ADL 6.4), and its type (17.1). */
export function describe(document: unknown): Pick<PublishedDefinition, 'entry' | 'type'> {
  const { id, name, version, description, lifecycle, profiles = [] } = document as Definition
  const entry = {
    ...(id !== undefined && { id }),
    name,
    version,
    description: shorten(description),
    ...(lifecycle !== undefined && { status: lifecycle.status }),
  }
  return { entry: JSON.stringify(entry), type: formatMediaType(profiles) }
}

function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * LONGEST_DESCRIPTION)]
  if (characters.length <= LONGEST_DESCRIPTION && text.length <= 2 * LONGEST_DESCRIPTION) return text
  return `${characters.slice(0, LONGEST_DESCRIPTION - 1).join('')}…`
}

/** `GET /agents/{name}/adl.json`: the bytes as they were published. */
export async function readDefinition(call: Call<'name'>): Promise<Response> {
  const { request, url, parts } = call
  const { bytes, etag, type, isPrivate } = await definitionOrRefuse(call)
  const link = `<${url.origin}/agents/${parts.name}>; rel="canonical"`
  return publishedAnswer(request, bytes, etag, type, { own: { link }, isPrivate })
}

/**
 * `GET /agents/{name}`: the identifier itself (ADL 6.1). Answers with the definition, or for browsers with a page about
 * it. Answers with the agent's card (ADP) when the client asks for that or there is no definition.
 */
export async function readAgent(call: Call<'name'>): Promise<Response> {
  const { request, url, env, bearer, parts } = call
  if (wants(request, CARD_TYPE) || (await findDefinition(env, parts.name, bearer !== undefined)) === null) {
    const card = await findCard(env, parts.name)
    if (card !== undefined) return cardAnswer(call, card)
  }
  const { bytes, etag, type, isPrivate } = await definitionOrRefuse(call)
  const own = { vary: 'accept' }
  if (!prefersPage(request)) return publishedAnswer(request, bytes, etag, type, { own, isPrivate })
  const page = await agentPage(parseJson(new Uint8Array(bytes)).document!, `${url.origin}/agents/${parts.name}`)
  const headers = { ...own, 'content-security-policy': PAGE_POLICY }
  return madeAnswer(request, page, 'text/html; charset=utf-8', { own: headers, isPrivate })
}

// Finds the agent that a request concerns, for readers who may see it.

type Place = Pick<Call<string>, 'parts' | 'agent'>

/** The agent that the path names, or else that of the host. */
const nameIn = ({ parts, agent }: Place): string | undefined => parts['name'] ?? agent

const of = (call: Place): string => holderOfDefinition(nameIn(call) ?? '')
export const PUBLISH: Access = { scope: 'publish', of }
/** Open to everyone, but a private agent requires a token. */
export const READ: Access = { scope: 'read', optional: true, of }

/** The name in the path. Refuses an invalid one. */
export function nameOf({ parts: { name } }: Pick<Call<'name'>, 'parts'>): string {
  if (isAgentName(name)) return name
  throw new Problem(
    'bad-request',
    'A name has 1 to 128 of a-z, 0-9, ".", "_" and "-", and begins and ends with a letter or digit.',
  )
}

/** The name from a path as problems show it: encoded again, because it is untrusted, and shortened. */
export function nameShown(name: string): string {
  return encodeURIComponent(name).slice(0, 130)
}

/** An agent that this reader may see. */
export interface AgentHere {
  readonly name: string
  readonly metadata: Metadata
  readonly part: Part
  readonly capabilities: Part
  readonly isPrivate: boolean
}

type Reader = Pick<Call, 'env' | 'bearer'> & Partial<Pick<Call, 'agent' | 'identity'>>

/**
 * Finds an agent by its name. A private agent is looked up like any other, and is undefined for readers who may not see
 * it.
 */
export async function findAgent(reader: Reader, name: string | undefined): Promise<AgentHere | undefined> {
  if (name === undefined || !isAgentName(name)) return undefined
  const known = name === reader.agent ? reader.identity : undefined
  const { isPrivate, metadata: part, capabilities } = known ?? (await documents(reader.env).identity(name))
  if (part === null || capabilities === null || (isPrivate && reader.bearer === undefined)) return undefined
  let read: Metadata | undefined
  return {
    name,
    // Parsed on demand: most answers are the bytes as they are.
    get metadata() {
      read ??= parseJson(new Uint8Array(part.bytes)).document!.value as Metadata
      return read
    },
    part,
    capabilities,
    isPrivate,
  }
}

/** The agent of a call; throws a problem that doesn't reveal the reason. */
export async function agentOrRefuse(call: Reader & Place): Promise<AgentHere> {
  const agent = await findAgent(call, nameIn(call))
  if (agent !== undefined) return agent
  throw noAgent(call.env)
}

/** Section 8.3 allows 404 or 403 for a private agent. An unknown agent gets the same answer. */
function noAgent({ NO_AGENT: setting = '' }: Env): Problem {
  if (setting !== '403' && setting !== '404' && setting !== '')
    console.error(`NO_AGENT: expected 404 or 403, got ${setting}`)
  return new Problem(setting === '403' ? 'forbidden' : 'not-found', 'No agent is published here.')
}

// The metadata of agents (ADP/1.1), their capabilities, and the A2A cards that are made from it.

const TYPE = 'application/vnd.adp+json'
/** Accepted until the type is registered (section 6.2). */
const TRANSITIONAL = 'application/json'

/**
 * `GET /.well-known/agent.json`: the metadata of the agent of this host (ADP/1.1 section 6.1). A2A clients read that
 * address as well, without asking for the type of metadata.
 */
export async function readMetadata(call: Call): Promise<Response> {
  const isA2a = isOn(call.env, 'A2A_LEGACY') && !takes(call.request, TYPE, { named: true })
  return isA2a ? a2aCard(call, '0.3', 'accept') : readMetadataOf(call)
}

/**
 * `GET /.well-known/agents/{name}/agent.json`: the same for an agent that is hosted here (section 4.1.2). The bytes are
 * as they were signed. A client that accepts neither type gets the first one, which helps more than a refusal.
 */
export async function readMetadataOf(call: Call): Promise<Response> {
  const { part, isPrivate } = await agentOrRefuse(call)
  const { request } = call
  const type = takes(request, TYPE) || !takes(request, TRANSITIONAL) ? TYPE : TRANSITIONAL
  return publishedAnswer(request, part.bytes, part.etag, type, { own: { vary: 'accept' }, isPrivate })
}

/**
 * `GET /capabilities/a2a.json`, `GET /agents/{name}/capabilities.json`: the descriptor that the SvcParamKey `cap` names;
 * `cap-sha256` is the hash of these bytes.
 */
export async function readCapabilities(call: Call): Promise<Response> {
  const { capabilities, isPrivate } = await agentOrRefuse(call)
  return publishedAnswer(call.request, capabilities.bytes, capabilities.etag, TRANSITIONAL, { isPrivate })
}

/** The agent's A2A card, made from its metadata, and signed with the key in the metadata if that key is kept here. */
export async function a2aCard(call: Call, version: A2aVersion, vary: string): Promise<Response> {
  const agent = await agentOrRefuse(call)
  const { part, metadata, isPrivate } = agent
  const { a2a: spoken } = metadata.endpoints
  const { document } = convert(new Uint8Array(part.bytes), {
    from: 'wellknown',
    to: `a2a-${version}`,
    carry: 'nothing',
    ...(typeof spoken === 'string' && { url: spoken }),
  })
  // Agents without an A2A endpoint have no A2A card: their other endpoints don't speak it.
  if (document === undefined) throw new Problem('not-found', 'No agent is published here.')
  const signed = await signedCard(call, agent, document.bytes)
  return madeAnswer(call.request, signed ?? document.bytes, 'application/json', { own: { vary }, isPrivate })
}

async function signedCard({ env, url }: Call, agent: AgentHere, card: Uint8Array): Promise<Uint8Array | null> {
  const { fingerprint: of, full } = agent.metadata.identity.publicKey
  if (full === undefined) return null
  const kid = `${didOf(url)}#${(await keysOf(env, agent)).all[0]!.thumbprint}`
  return agentStub(env, agent.name).signA2a(agent.name, new TextDecoder().decode(card), { of, kid })
}
