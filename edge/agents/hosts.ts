// The table of hosts. It names the agent that owns a host's `/`, well-known documents and /agent/*. The setting HOSTS
// takes precedence over what the operator has stored. A host in neither is not served.

import type { Proof } from 'blazon'
import { isAgentName, LIMITS, mayPublish, validate as validateDefinition, verify as verifyDefinition } from 'blazon/adl'
import { canonicalizeValue } from 'blazon/core'
import { type Document, parseJson } from 'blazon/document'
import { encodeBase64url } from 'blazon/keys'
import { build, validate, verify } from 'blazon/wellknown'
import type { Call } from '../access/route.ts'
import type { AgentOn, Condition, Removal, Written } from '../contracts/documents.ts'
import { agentStub, documents, type Env, gatewayStub } from '../env.ts'
import { etagOf, json, noContent, sha256 } from '../http/answer.ts'
import { type BodyRule, JSON_BODY, objectIn } from '../http/body.ts'
import { atOrigin, isLocal, ownUrl, parseUrl, publicOrigins } from '../http/origins.ts'
import { diagnosed, Problem, refusing } from '../http/problem.ts'
import { choice } from '../http/query.ts'
import { describe, findDefinition } from './definitions.ts'
import { nameOf, nameShown } from './find.ts'

/** The longest host (RFC 1035), with room for a port. */
const LONGEST_HOST = 259

let known: { readonly setting: string; readonly hosts: ReadonlyMap<string, string> } | undefined

/**
 * The agent of a host, with what it publishes, which nearly all requests need; undefined when the host is not in the
 * table.
 */
export async function agentOn(env: Env, host: string): Promise<AgentOn | undefined> {
  const named = inSetting(env).get(host)
  if (named !== undefined) return { agent: named }
  return host.length > LONGEST_HOST ? undefined : ((await documents(env).agentOn(host)) ?? undefined)
}

/**
 * The agent that an address of this deployment belongs to: by the path `own` at the agent's host, or by the name that
 * `hosted` finds at the deployment's host. Needed because a Worker cannot fetch from itself.
 */
export async function agentAt(env: Env, url: URL, paths: { readonly own: string; readonly hosted: RegExp }) {
  const named = publicOrigins(env).includes(url.origin) ? paths.hosted.exec(url.pathname)?.[1] : undefined
  return named ?? (url.pathname === paths.own ? (await agentOn(env, url.host))?.agent : undefined)
}

/** The host that the setting gives an agent; undefined when it gives none. */
export function hostInSetting(env: Env, name: string): string | undefined {
  return [...inSetting(env)].find(([, agent]) => agent === name)?.[0]
}

function inSetting({ HOSTS: setting = '' }: Env): ReadonlyMap<string, string> {
  if (known?.setting !== setting) known = { setting, hosts: new Map(setting.split(/[\s,]+/).flatMap(readEntry)) }
  return known.hosts
}

/** Reads `HOST=NAME`. An invalid entry is reported and ignored. */
function readEntry(text: string): readonly (readonly [host: string, name: string])[] {
  if (text === '') return []
  const [host = '', name = ''] = text.split('=')
  if (isHost(host) && isAgentName(name)) return [[host, name]]
  console.error(`HOSTS: expected HOST=NAME, as in alice.example.com=alice, got ${text}`)
  return []
}

/** True for a host as URLs write it: in lower case, with its port unless that is the default of the scheme. */
export function isHost(text: string): boolean {
  if (text === '' || text.length > LONGEST_HOST || text.endsWith('.')) return false
  return parseUrl(originOf(text))?.origin === originOf(text)
}

/** The public address of a host of the table. */
function originOf(host: string): string {
  return `${isLocal(host.replace(/:\d+$/, '')) ? 'http' : 'https'}://${host}`
}

/** Where a request arrived. */
export interface Place {
  /** The public address. */
  readonly url: URL
  /** The agent of the host; undefined at a host of the deployment itself, whose agent is looked up when needed. */
  readonly on: AgentOn | undefined
}

/** The place of a request. Refuses a host that is not served here, and never repeats it in an answer. */
export async function placeOf(url: URL, env: Env): Promise<Place> {
  const origins = publicOrigins(env)
  if (origins.length === 0) {
    throw new Problem('unavailable', 'This server has no public address: its operator must set PUBLIC_ORIGIN.')
  }
  const own = ownUrl(url, env)
  if (own !== undefined) return { url: own, on: undefined }
  const on = await agentOn(env, url.host)
  if (on !== undefined) return { url: atOrigin(url, originOf(url.host)), on }
  throw new Problem('misdirected', `This host is not served here; ${origins[0]} is.`)
}

// Publishes and removes what an agent says about itself: its definition (ADL), and its metadata (ADP/1.1). Metadata is
// signed by its agent, or built from parts and signed with the key that is kept here.

/** The limit of an Agent Card. */
const MOST_BYTES = 65_535
export const METADATA_BODY: BodyRule = { ...JSON_BODY, bytes: MOST_BYTES }
const METADATA_DEPTH = 64
const METADATA = ['agent.json', 'capabilities.json'] as const

/** `PUT /agents/{name}/adl.json`: publishes a definition. Nothing of a refused definition is stored. */
export async function publishDefinition(call: Call<'name'>): Promise<Response> {
  const { request, url, env, body } = call
  const name = nameOf(call)
  const query = url.searchParams
  const condition = writeCondition(request.headers)
  // If-Match names the content that is replaced.
  const mayReplace = choice(query, 'replace', ['true'] as const) !== undefined || condition.match !== undefined
  const { document, diagnostics } = readValid(body, LIMITS.depth, validateDefinition)
  const reviewed = choice(query, 'reviewed', ['true'] as const) !== undefined
  const { allowed, needs, acknowledged } = mayPublish(document, { reviewed, acknowledged: query.getAll('acknowledge') })
  if (!allowed) throw new Problem('review-needed', needs[0]!.detail, { members: { needs } })
  refuseBroken(await verifyDefinition(document))
  const part = { part: 'adl.json', ...(await partOf(body)), ...describe(document.value) } as const
  const outcome = await documents(env).write(name, [part], { ...condition, mayReplace })
  refuseUndone(name, outcome, 'The limit of published definitions is reached: no more fit into a discovery document.')
  return writtenAnswer(
    outcome,
    { name, url: `${url.origin}/agents/${name}/adl.json`, etag: part.etag },
    { acknowledged, diagnostics },
  )
}

/** `DELETE /agents/{name}/adl.json`. */
export async function removeDefinition({ request, env, parts: { name } }: Call<'name'>): Promise<Response> {
  refuseUndone(name, await documents(env).remove(name, ['adl.json'], writeCondition(request.headers)))
  return noContent()
}

/** `PUT /agents/{name}/agent.json`: stores metadata byte for byte. */
export async function publishMetadata(call: Call<'name'>): Promise<Response> {
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

function partsIn(body: Uint8Array): build.Options & { readonly domain?: string } {
  const members = objectIn(body, Object.keys(PARTS))
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
  const [name, { env }] = [nameOf(call), call]
  const { domain: said, ...parts } = partsIn(call.body)
  const host = hostInSetting(env, name) ?? (await documents(env).identity(name)).host
  const domain = said ?? host?.replace(/:\d+$/, '')
  if (domain === undefined)
    throw new Problem('bad-request', 'The member domain is required, because the agent has no host here.')
  const definition = await findDefinition(env, name, true)
  const of = definition === null ? {} : { of: new Uint8Array(definition.bytes) }
  const key = await agentStub(env, name).publicKey(name)
  const isHosted = (host === null || host === undefined) && call.url.protocol === 'https:'
  const hosted = isHosted ? { wellKnown: hostedAddress(call, name) } : {}
  // Rules check it later, so only a body that allows no metadata at all is refused here.
  const { metadata } = await refusing([TypeError], () => build({ domain, key }, { ...of, ...parts }))
  const text = JSON.stringify({ ...metadata, endpoints: { ...(metadata!['endpoints'] as object), ...hosted } })
  // A definition may be larger than the metadata built from it.
  if (text.length > MOST_BYTES)
    throw new Problem('body-too-large', `The metadata would have more than ${MOST_BYTES} bytes.`, {
      members: { limit: MOST_BYTES },
    })
  readMetadata(text)
  return store(call, name, await agentStub(env, name).signMetadata(name, text))
}

const hostedAddress = ({ url }: Call<'name'>, name: string) => `${url.origin}/.well-known/agents/${name}/agent.json`

async function store(call: Call<'name'>, name: string, bytes: Uint8Array): Promise<Response> {
  const { document } = readMetadata(bytes)
  refuseBroken(await verify(document))
  const { identity, capabilities } = document.value as {
    readonly identity: { readonly id: string; readonly publicKey: { readonly fingerprint: string } }
    readonly capabilities: unknown
  }
  // In canonical form, so that equal capabilities have equal bytes.
  const descriptor = canonicalizeValue({ agent: identity.id, capabilities })
  const [metadata, other] = [await partOf(bytes), await partOf(descriptor)]
  const both = [
    { part: METADATA[0], ...metadata },
    { part: METADATA[1], ...other },
  ]
  const outcome = await documents(call.env).write(name, both, writeCondition(call.request.headers))
  refuseUndone(name, outcome, 'The limit of published agents is reached.')
  return writtenAnswer(
    outcome,
    { name, url: hostedAddress(call, name), etag: metadata.etag },
    {
      fingerprint: identity.publicKey.fingerprint,
      'cap-sha256': encodeBase64url(await sha256(descriptor)),
    },
  )
}

const readMetadata = (source: Uint8Array | string) => readValid(source, METADATA_DEPTH, validate)

/** `DELETE /agents/{name}/agent.json`. */
export async function removeMetadata(call: Call<'name'>): Promise<Response> {
  const [name, { env, request }] = [nameOf(call), call]
  refuseUndone(name, await documents(env).remove(name, METADATA, writeCondition(request.headers)))
  await gatewayStub(env, name).changed()
  return noContent()
}

/** The document in a body, if it breaks no rule. Also an unreadable one gets the codes of its specification. */
function readValid(
  source: Uint8Array | string,
  maxDepth: number,
  validateDocument: (
    source: Uint8Array | string | Document,
    options: { readonly format: 'json' },
  ) => ReturnType<typeof validate>,
) {
  const { document } = parseJson(source, { maxDepth })
  const { valid, diagnostics } = validateDocument(document ?? source, { format: 'json' })
  if (document === undefined || !valid) throw diagnosed('invalid-document', diagnostics)
  return { document, diagnostics }
}

/**
 * Refuses a document whose signature its own key does not confirm: it was changed after it was signed, which is worse
 * than no signature.
 */
function refuseBroken(proof: Proof): void {
  if (proof.verdict !== 'failed') return
  const step = proof.steps.find(({ outcome }) => outcome === 'failed')
  throw new Problem('invalid-document', step?.detail ?? 'The signature does not match.', { members: { proof } })
}

async function partOf(bytes: Uint8Array) {
  return { bytes: new Uint8Array(bytes).buffer, etag: await etagOf(bytes) }
}

/** Refuses a change that the store has not made. `full` names the limit. */
function refuseUndone(name: string, outcome: Written | Removal, full = ''): void {
  if (outcome === 'condition-failed')
    throw new Problem('condition-failed', `${nameShown(name)} is not in the state that the request names.`)
  if (outcome === 'same-version')
    throw new Problem(
      'conflict',
      `${nameShown(name)} is published with this version and other content: give it another version, or confirm that it replaces the other`,
      { members: { needs: [{ id: 'replace' }] } },
    )
  if (outcome === 'absent') throw new Problem('not-found', `Nothing was published as ${nameShown(name)}.`)
  if (outcome === 'full') throw new Problem('full', full)
}

function writtenAnswer(outcome: Written, stored: Record<'name' | 'url' | 'etag', string>, more: object): Response {
  const isNew = outcome === 'created'
  const headers = { etag: stored.etag, ...(isNew && { location: stored.url }) }
  return json({ ...stored, outcome, ...more }, isNew ? 201 : 200, headers)
}

/** The strong ETags of a list (RFC 9110 section 8.8.3). Weak ones never match, because bytes are compared. */
function tags(list: string): string[] {
  if (list.trim() === '*') return ['*']
  return [...list.matchAll(/(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g)].flatMap(([, weak, tag]) =>
    weak === undefined ? [tag!] : [],
  )
}

/** The condition of a write request. */
function writeCondition(headers: Headers): Condition {
  const match = headers.get('if-match')
  const none = headers.get('if-none-match')
  if (none !== null && none.trim() !== '*') {
    throw new Problem(
      'bad-request',
      'A write supports If-Match, and If-None-Match: * (write only if nothing exists yet).',
    )
  }
  return { ...(match !== null && { match: tags(match) }), ...(none !== null && { absent: true }) }
}
