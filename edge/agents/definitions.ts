// Definitions of agents (ADL): those in storage, and those of edge/site/agents/, which are part of the build.

import { formatMediaType, isAgentName } from 'blazon/adl'
import type { buildDiscovery } from 'blazon/discover'
import { parseJson } from 'blazon/document'
import site from '../../dist/agents.js'
import type { Call } from '../access/route.ts'
import type { PublishedDefinition } from '../contracts/documents.ts'
import { CARD_TYPE } from '../directory/listing.ts'
import { documents, type Env } from '../env.ts'
import { etagOf, madeAnswer, publishedAnswer } from '../http/answer.ts'
import { PAGE_POLICY } from '../http/html.ts'
import { Problem } from '../http/problem.ts'
import { prefersPage, wants } from '../http/query.ts'
import { cardAnswer, findCard } from './cards.ts'
import { nameShown } from './find.ts'
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
export async function listAll(env: Env, origin: string): Promise<buildDiscovery.Entry[]> {
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
