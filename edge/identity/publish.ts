// Publishes metadata: signed by its agent, or built from parts and signed with the key that is kept here.
import { isAgentName } from 'blazon/adl'
import { canonicalizeValue } from 'blazon/core'
import { type Document, parseJson } from 'blazon/document'
import { encodeBase64url } from 'blazon/keys'
import { type BuildOptions, build, validate, verify } from 'blazon/wellknown'
import { holderOfDefinition } from '../access/holders.ts'
import type { Access, Call } from '../access/route.ts'
import { find } from '../agents/store.ts'
import { agentStub, documents, gatewayStub } from '../env.ts'
import { apiHeaders, json, noContent } from '../http/answer.ts'
import { type BodyRule, JSON_BODY, objectIn, refuseOtherMembers } from '../http/body.ts'
import { Problem } from '../http/problem.ts'
import { etagOf, writeCondition } from '../http/published.ts'
import { refuseOtherParameters } from '../http/query.ts'
import { hostInSetting } from './hosts.ts'

/** The limit of an Agent Card. */
const MOST_BYTES = 65_535
export const METADATA_BODY: BodyRule = { ...JSON_BODY, bytes: MOST_BYTES }

export const PUBLISH: Access<'name'> = { scope: 'publish', of: ({ parts: { name } }) => holderOfDefinition(name) }

/** `PUT /agents/{name}/agent.json`: stores metadata byte for byte. */
export async function publishMetadata(call: Call<'name'>): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  return store(call, nameOf(call), call.body)
}

/** The parts of a body and their types. The rules check their contents. */
const PARTS: Readonly<Record<string, 'text' | 'list' | 'object'>> = {
  domain: 'text',
  name: 'text',
  capabilities: 'list',
  pricing: 'object',
  endpoints: 'object',
  authMethods: 'list',
  rateLimit: 'object',
  policies: 'object',
  availability: 'object',
  meta: 'object',
}

function partsIn(body: Uint8Array): BuildOptions & { readonly domain?: string } {
  const members = objectIn(body)
  refuseOtherMembers(members, Object.keys(PARTS))
  for (const [name, value] of Object.entries(members)) {
    const type =
      typeof value === 'string' ? 'text' : Array.isArray(value) ? 'list' : value === null ? null : typeof value
    if (type !== PARTS[name])
      throw new Problem('bad-request', `Expected the type ${PARTS[name]} for the member ${name}.`)
  }
  return members
}

/**
 * `POST /agents/{name}/agent.json`: builds metadata from the given parts, and from the agent's definition for the
 * others.
 */
export async function makeMetadata(call: Call<'name'>): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  const [name, { env }] = [nameOf(call), call]
  const { domain: said, ...parts } = partsIn(call.body)
  const host = hostInSetting(env, name) ?? (await documents(env).identity(name)).host
  const domain = said ?? host?.replace(/:\d+$/, '')
  if (domain === undefined)
    throw new Problem('bad-request', 'The member domain is required, because the agent has no host here.')
  const definition = await find(env, name, true)
  const of = definition === null ? {} : { of: new Uint8Array(definition.bytes) }
  const key = await agentStub(env, name).publicKey(name)
  const isHosted = (host === null || host === undefined) && call.url.protocol === 'https:'
  const hosted = isHosted ? { wellKnown: `${call.url.origin}/.well-known/agents/${name}/agent.json` } : {}
  const text = JSON.stringify(await built(domain, key, { ...of, ...parts }, hosted))
  // A definition may be larger than the metadata built from it.
  if (text.length > MOST_BYTES)
    throw new Problem('body-too-large', `The metadata would have more than ${MOST_BYTES} bytes.`, {
      members: { limit: MOST_BYTES },
    })
  refuseInvalid(text)
  return store(call, name, await agentStub(env, name).signMetadata(name, text))
}

/** Builds the metadata. Rules check it later, so only a body that allows no metadata at all is refused here. */
async function built(domain: string, key: string, options: BuildOptions, hosted: object) {
  try {
    const { metadata } = await build({ domain, key }, options)
    return { ...metadata, endpoints: { ...(metadata!['endpoints'] as object), ...hosted } }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Problem('bad-request', error.message)
  }
}

async function store(call: Call<'name'>, name: string, bytes: Uint8Array): Promise<Response> {
  const document = refuseInvalid(bytes)
  const proof = await verify(document)
  if (proof.verdict === 'failed') {
    const step = proof.steps.find(({ outcome }) => outcome === 'failed')
    throw new Problem('invalid-document', step?.detail ?? 'The proof does not match.', { members: { proof } })
  }
  const capabilities = descriptorOf(document)
  const [etag, descriptor] = [await etagOf(bytes), await etagOf(capabilities)]
  const outcome = await documents(call.env).writeIdentity(
    name,
    { bytes: new Uint8Array(bytes).buffer, etag },
    { bytes: capabilities.buffer, etag: descriptor },
    writeCondition(call.request.headers),
  )
  if (outcome === 'condition-failed')
    throw new Problem('condition-failed', `${name} is not in the state that the request names.`)
  if (outcome === 'full') throw new Problem('full', 'The limit of published agents is reached.')
  const url = `${call.url.origin}/.well-known/agents/${name}/agent.json`
  const { fingerprint } = (document.value as { identity: { publicKey: { fingerprint: string } } }).identity.publicKey
  const capSha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', capabilities))
  const body = { name, url, etag, outcome, fingerprint, 'cap-sha256': encodeBase64url(capSha256) }
  const headers = apiHeaders({ etag, ...(outcome === 'created' && { location: url }) })
  return Response.json(body, { status: outcome === 'created' ? 201 : 200, headers })
}

function refuseInvalid(source: Uint8Array | string): Document {
  const { document } = parseJson(source, { maxDepth: DEPTH })
  const { valid, diagnostics } = validate(document ?? source, { format: 'json' })
  if (document !== undefined && valid) return document
  const first = diagnostics.find(({ severity }) => severity === 'error')!
  throw new Problem('invalid-document', first.detail, { members: { diagnostics } })
}

const DEPTH = 64

/** The agent's capabilities in canonical form, so that equal capabilities have equal bytes. */
function descriptorOf({ value }: Document): Uint8Array<ArrayBuffer> {
  const { identity, capabilities } = value as { identity: { id: string }; capabilities: unknown }
  return canonicalizeValue({ agent: identity.id, capabilities })
}

/** `DELETE /agents/{name}/agent.json`. */
export async function removeMetadata(call: Call<'name'>): Promise<Response> {
  const name = nameOf(call)
  const outcome = await documents(call.env).removeIdentity(name, writeCondition(call.request.headers))
  if (outcome === 'condition-failed')
    throw new Problem('condition-failed', `${name} is not in the state that the request names.`)
  if (outcome === 'absent') throw new Problem('not-found', `Nothing was published as ${name}.`)
  await gatewayStub(call.env, name).changed()
  return noContent()
}

export function nameOf({ parts: { name } }: Pick<Call<'name'>, 'parts'>): string {
  if (isAgentName(name)) return name
  throw new Problem(
    'bad-request',
    'A name has 1 to 128 of a-z, 0-9, ".", "_" and "-", and begins and ends with a letter or digit.',
  )
}
