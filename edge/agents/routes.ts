// Invitations (ADP/1.1 section 8.3.1): made for an agent, redeemed at its host for a token that reads it, and revoked.
import { parseJson } from 'blazon/document'
import { invite } from 'blazon/invite'
import { encodeBase64url } from 'blazon/keys'
import { toHex } from '../../bindings/text/bytes.ts'
import { generationOf, secretOf, withdraw } from '../access/admit.ts'
import { type Access, agentRoute, type Call, route } from '../access/route.ts'
import { holderOfDefinition, holderOfInvited, tokenOf } from '../access/token.ts'
import type { Rule } from '../contracts/directory.ts'
import { FORGOTTEN } from '../contracts/gateway.ts'
import { agentStub, documents, type Env, gatewayStub, moderation, taskRpcOf } from '../env.ts'
import { json, noContent, sha256 } from '../http/answer.ts'
import { type BodyRule, JSON_BODY, objectIn } from '../http/body.ts'
import { publicOrigins } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { integer, PAGED } from '../http/query.ts'
import { sentIn, unwrapAnswer } from '../http/relay.ts'
import { decide } from '../moderation/rules.ts'
import { formOf } from '../moderation/subjects.ts'
import { LIST, listAgents, readCard, removeAgent } from './cards.ts'
import { readAgent, readDefinition } from './definitions.ts'
import { readDidDocument, readKeyDirectory } from './did.ts'
import { agentOrRefuse, nameOf, PUBLISH, READ } from './find.ts'
import {
  hostInSetting,
  isHost,
  METADATA_BODY,
  makeMetadata,
  publishDefinition,
  publishMetadata,
  removeDefinition,
  removeMetadata,
} from './hosts.ts'
import { CONNECT_BODY, connect, readLanding } from './landing.ts'
import { readCapabilities, readMetadata, readMetadataOf } from './metadata.ts'

const CODE_BODY: BodyRule = { ...JSON_BODY, bytes: 4096 }

const MINUTE = 60
const DAY = 86_400
/** A year: an invitation should not last longer. */
const MOST_SECONDS = 366 * DAY
const MOST_USES = 1000

/**
 * `POST /agents/{name}/invitations`: `{ "seconds": 604800, "uses": 1 }` makes an invitation, signed if the agent's key
 * is here.
 */
async function makeInvitation(call: Call<'name'>): Promise<Response> {
  const members = objectIn(call.body, ['seconds', 'uses'])
  const seconds = whole('seconds', members['seconds'] ?? 7 * DAY, MINUTE, MOST_SECONDS)
  const uses = whole('uses', members['uses'] ?? 1, 1, MOST_USES)
  nameOf(call)
  const { name, metadata } = await agentOrRefuse(call)
  const { domain, publicKey } = metadata.identity
  const { full } = publicKey
  if (full === undefined) throw new Problem('not-found', 'No agent is published here.')
  const expires = new Date(Math.floor(Date.now() / 1000 + seconds) * 1000)
  const wellKnown = String(metadata.endpoints['wellKnown'])
  const invitation = await invite({ domain, key: full }, { expires, wellKnown })
  const { code } = invitation['invite'] as { readonly code: string }
  const id = encodeBase64url(crypto.getRandomValues(new Uint8Array(16)))
  const row = { id, expires: expires.getTime(), uses }
  if (!(await documents(call.env).invite(name, await digestOf(code), row)))
    throw new Problem('full', 'The limit of open invitations of this agent is reached: revoke some first.')
  const text = JSON.stringify(invitation)
  const signed = await agentStub(call.env, name).signInvitation(name, text, publicKey.fingerprint)
  return json({ id, uses, signed: signed !== null, invitation: parseJson(signed ?? text).document!.value }, 201)
}

/** `GET /agents/{name}/invitations`: those that have not expired. Their codes are not stored, so they are missing. */
async function listInvitations(call: Call<'name'>): Promise<Response> {
  const rows = await documents(call.env).invitations(nameOf(call))
  const invitations = rows.map(({ id, expires, uses }) => ({ id, expires: new Date(expires).toISOString(), uses }))
  return json({ invitations })
}

/** `DELETE /agents/{name}/invitations?id=ID`: revokes an invitation, and every token that it gave. */
async function revokeInvitation(call: Call<'name'>): Promise<Response> {
  const name = nameOf(call)
  if (!(await revoke(call.env, name, call.url.searchParams.get('id') ?? '')))
    throw new Problem('not-found', 'There is no invitation of this name.')
  return noContent()
}

/** Revokes all invitations of an agent. */
async function revokeAll(env: Env, name: string): Promise<void> {
  for (const { id } of await documents(env).invitations(name)) await revoke(env, name, id)
}

/** Withdraws the tokens first: as long as the invitation exists, revoking it can be repeated. */
async function revoke(env: Env, name: string, id: string): Promise<boolean> {
  const row = (await documents(env).invitations(name)).find((one) => one.id === id)
  if (row === undefined) return false
  await withdraw(env, [holderOf(name, row)])
  await documents(env).revokeInvitation(name, id)
  return true
}

/**
 * `POST /agent/invite`: `{ "code": "..." }`, signed by the invited agent, gives a token that reads the agent of the
 * host until the invitation ends. An unknown agent gets the same answer as an invalid code, so nobody can probe for
 * names.
 */
async function redeemInvitation(call: Call): Promise<Response> {
  const { env, agent, body } = call
  const isSigned = call.request.headers.has('signature-input')
  if (isSigned || !isForAnyone(env)) unwrapAnswer(await taskRpcOf(env, agent).prove(sentIn(call)))
  const { code } = objectIn(body, ['code'])
  if (typeof code !== 'string' || code.length > 512) throw new Problem('bad-request', 'The member code is a text.')
  // Agents without their own host are redeemed at the deployment's host.
  const redeemed = await documents(env).redeem(agent ?? null, await digestOf(code))
  const secret = secretOf(env)
  if (redeemed === null || secret === undefined)
    throw new Problem('not-found', 'No invitation has this code, or it is over, used up or taken back.')
  const holder = holderOf(redeemed.name, redeemed)
  const claims = { scope: 'read-one', holder, generation: await generationOf(env, holder) } as const
  const token = await tokenOf(secret, publicOrigins(env)[0]!, claims)
  return json({ token, expires: new Date(redeemed.expires).toISOString() })
}

/** Callers without a domain cannot sign a request, so the operator may accept the code alone. */
function isForAnyone({ INVITED: setting = '' }: Env): boolean {
  if (setting !== 'anyone' && setting !== '') console.error(`INVITED: expected anyone or nothing, got ${setting}`)
  return setting === 'anyone'
}

const holderOf = (name: string, { id, expires }: { readonly id: string; readonly expires: number }) =>
  holderOfInvited(name, id, Math.floor(expires / 1000))

/** Codes have 128 random bits, so a hash without salt is as hard to invert as a code is to guess. */
async function digestOf(code: string): Promise<string> {
  return toHex(await sha256(new TextEncoder().encode(code)))
}

function whole(name: string, value: unknown, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number
  throw new Problem('bad-request', `The member ${name} is a whole number from ${least} to ${most}.`)
}

// The operator's table: all agents, the host of each, and which are private.

const PAGE = 1000
/** A day. A longer TTL for an agent's TXT record has no use. */
const MOST_TTL = 86_400
const DEFAULT_TTL = 3600

/** `GET /v1/agents?after=NAME`: the rows of the table, by name. */
async function readTable({ url, env, bearer }: Call): Promise<Response> {
  const limit = integer(url.searchParams, 'limit', 1, PAGE) ?? PAGE
  // A token for exports reads only public rows.
  const isPrivateToo = bearer?.scope === 'operate'
  const rows = await documents(env).agentRows(url.searchParams.get('after') ?? '', limit, isPrivateToo)
  return json({ agents: rows.map(agentView) })
}

const agentView = ({ name, host, isPrivate }: { name: string; host: string | null; isPrivate: boolean }) => ({
  name,
  ...(host !== null && { host }),
  private: isPrivate,
})

/** `PUT /v1/agents/{name}`: `{ "host": "alice.example.com", "private": true }` replaces the row of the agent. */
async function placeAgent(call: Call<'name'>): Promise<Response> {
  const name = nameOf(call)
  const { host = null, private: isPrivate = false } = objectIn(call.body, ['host', 'private'])
  if (typeof isPrivate !== 'boolean') throw new Problem('bad-request', 'Expected true or false as the member private.')
  if (host !== null && !(typeof host === 'string' && isHost(host)))
    throw new Problem('bad-request', 'Expected a host in lower case as the member host, such as alice.example.com.')
  const row = { name, host, isPrivate }
  const placed = await documents(call.env).placeAgent(row)
  if (placed === 'taken') throw new Problem('condition-failed', 'Another agent has this host: remove it there first.')
  if (placed === 'full') throw new Problem('full', 'The limit of published agents is reached.')
  await Promise.all([gatewayStub(call.env, name).changed(), hideCards(call.env, name)])
  return json(agentView(row))
}

/**
 * `DELETE /v1/agents/{name}`: deletes everything stored for an agent, including its messages, tasks and keys. Ends its
 * conversations and withdraws every token for it. Can be repeated after an interruption.
 */
async function forgetAgent(call: Call<'name'>): Promise<Response> {
  const name = nameOf(call)
  const { env } = call
  // The next agent under this name is another agent, so no token of this one may open it.
  await withdraw(env, [holderOfDefinition(name)])
  await revokeAll(env, name)
  const wasHere = await documents(env).forgetAgent(name)
  await Promise.all([forgetConversations(env, name), agentStub(env, name).forget(), hideCards(env, name)])
  if (wasHere) return noContent()
  throw new Problem('not-found', `Nothing was published as ${name}.`)
}

/** Erases the conversations, messages and tasks of an agent. Its object ends that with an error. */
async function forgetConversations(env: Env, name: string): Promise<void> {
  try {
    await gatewayStub(env, name).forget()
  } catch (error) {
    if (!String(error).includes(FORGOTTEN)) throw error
  }
}

/**
 * `POST /v1/agents/{name}/keys`: `{ "ttl": 3600 }` replaces the key after that time, `{ "compromised": true }` at once.
 */
async function rotateKey(call: Call<'name'>): Promise<Response> {
  const name = nameOf(call)
  const { ttl = DEFAULT_TTL, compromised = false } = objectIn(call.body, ['ttl', 'compromised'])
  if (!Number.isInteger(ttl) || (ttl as number) < 0 || (ttl as number) > MOST_TTL)
    throw new Problem('bad-request', `Expected a number of seconds from 0 to ${MOST_TTL} as the member ttl.`)
  if (typeof compromised !== 'boolean')
    throw new Problem('bad-request', 'Expected true or false as the member compromised.')
  const rotated = await agentStub(call.env, name).rotate(name, ttl as number, compromised)
  const detail = 'The key comes from AGENT_KEYS or was not made here, or a next key already exists.'
  if (rotated === null) throw new Problem('condition-failed', detail)
  return json({ name, fingerprint: rotated.fingerprint, from: new Date(rotated.from).toISOString() })
}

/**
 * Hides the cards whose ids are the name or a host of an agent while it is private. Only the operator's settings count:
 * with its own metadata an agent could hide the cards of others.
 */
async function hideCards(env: Env, name: string): Promise<void> {
  const row = await documents(env).agentRow(name)
  const { rules } = await moderation(env).rules()
  const reason = `private: ${name}`
  const ids = row?.isPrivate === true ? idsOf(name, [row.host, hostInSetting(env, name)]) : []
  const blocked = rules.flatMap(({ of, value, verdict }) => (of === 'id' && verdict === 'block' ? [value] : []))
  const at = Date.now()
  const changes: readonly Rule[] = [
    ...rules
      .filter((rule) => rule.verdict === 'hide' && rule.reason === reason && !ids.includes(rule.value))
      .map((rule) => ({ ...rule, verdict: 'none' as const, at })),
    // Blocked ids stay blocked, with their reason. Hidden ids are announced again, because a shard may have missed
    // them.
    ...ids
      .filter((value) => !blocked.includes(value))
      .map((value) => ({ of: 'id' as const, value, verdict: 'hide' as const, reason, at })),
  ]
  if (changes.length > 0) await decide(env, changes)
}

function idsOf(name: string, hosts: readonly (string | null | undefined)[]): readonly string[] {
  const names = [name, ...hosts.flatMap((host) => (host == null ? [] : [host.replace(/:\d+$/, '')]))]
  return [...new Set(names.flatMap((one) => formOf('id', `agent://${one}`) ?? []))]
}

const OPERATE: Access = { scope: 'operate' }
const REVIEW = { reviewed: 'once', acknowledge: 'often', replace: 'once' } as const

export const ROUTES = [
  route('/agents', { GET: { limit: 'QUERIES', query: LIST, answer: listAgents } }),
  route('/agents/{name}', {
    GET: { access: READ, answer: readAgent },
    DELETE: { access: OPERATE, query: { reason: 'once' }, answer: removeAgent },
  }),
  route('/agents/{name}/card.json', { GET: { answer: readCard } }),
  route('/agents/{name}/adl.json', {
    GET: { access: READ, answer: readDefinition },
    PUT: { access: PUBLISH, body: JSON_BODY, query: REVIEW, answer: publishDefinition },
    DELETE: { access: PUBLISH, answer: removeDefinition },
  }),
  route('/agents/{name}/did.json', { GET: { access: READ, answer: readDidDocument } }),
  agentRoute('/', { GET: { access: READ, answer: readLanding } }),
  agentRoute('/.well-known/agent.json', { GET: { access: READ, answer: readMetadata } }),
  agentRoute('/.well-known/http-message-signatures-directory', { GET: { access: READ, answer: readKeyDirectory } }),
  agentRoute('/capabilities/a2a.json', { GET: { access: READ, answer: readCapabilities } }),
  agentRoute('/agent/connect', { POST: { access: READ, limit: 'QUERIES', body: CONNECT_BODY, answer: connect } }),
  agentRoute('/agent/invite', { POST: { limit: 'QUERIES', body: CODE_BODY, query: {}, answer: redeemInvitation } }),
  route('/agents/{name}/invitations', {
    GET: { access: PUBLISH, answer: listInvitations },
    POST: { access: PUBLISH, body: JSON_BODY, query: {}, answer: makeInvitation },
    DELETE: { access: PUBLISH, query: { id: 'once' }, answer: revokeInvitation },
  }),
  route('/.well-known/agents/{name}/agent.json', { GET: { access: READ, answer: readMetadataOf } }),
  route('/agents/{name}/capabilities.json', { GET: { access: READ, answer: readCapabilities } }),
  route('/agents/{name}/agent.json', {
    GET: { access: READ, answer: readMetadataOf },
    PUT: { access: PUBLISH, body: METADATA_BODY, query: {}, answer: publishMetadata },
    POST: { access: PUBLISH, body: METADATA_BODY, query: {}, answer: makeMetadata },
    DELETE: { access: PUBLISH, answer: removeMetadata },
  }),
  route('/v1/agents', { GET: { access: { scope: 'export' }, query: PAGED, answer: readTable } }),
  route('/v1/agents/{name}', {
    PUT: { access: OPERATE, body: JSON_BODY, query: {}, answer: placeAgent },
    DELETE: { access: OPERATE, answer: forgetAgent },
  }),
  route('/v1/agents/{name}/keys', { POST: { access: OPERATE, body: JSON_BODY, query: {}, answer: rotateKey } }),
]
