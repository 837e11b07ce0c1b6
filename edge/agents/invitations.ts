// Invitations (ADP/1.1 section 8.3.1): made for an agent, redeemed at its host for a token that reads it, and revoked.
import { parseJson } from 'blazon/document'
import { invite } from 'blazon/invite'
import { encodeBase64url } from 'blazon/keys'
import { toHex } from '../../bindings/text/bytes.ts'
import { generationOf, secretOf, withdraw } from '../access/admit.ts'
import { holderOfInvited } from '../access/holders.ts'
import type { Call } from '../access/route.ts'
import { tokenOf } from '../access/token.ts'
import { agentStub, documents, type Env, taskRpcOf } from '../env.ts'
import { json, noContent } from '../http/answer.ts'
import { type BodyRule, JSON_BODY, objectIn } from '../http/body.ts'
import { publicOrigins } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { sha256 } from '../http/published.ts'
import { opened, sentIn } from '../http/relay.ts'
import { agentOrRefuse, nameOf } from './find.ts'

export const CODE_BODY: BodyRule = { ...JSON_BODY, bytes: 4096 }

const MINUTE = 60
const DAY = 86_400
/** A year: an invitation should not last longer. */
const MOST_SECONDS = 366 * DAY
const MOST_USES = 1000

/**
 * `POST /agents/{name}/invitations`: `{ "seconds": 604800, "uses": 1 }` makes an invitation, signed if the agent's key
 * is here.
 */
export async function makeInvitation(call: Call<'name'>): Promise<Response> {
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
export async function listInvitations(call: Call<'name'>): Promise<Response> {
  const rows = await documents(call.env).invitations(nameOf(call))
  const invitations = rows.map(({ id, expires, uses }) => ({ id, expires: new Date(expires).toISOString(), uses }))
  return json({ invitations })
}

/** `DELETE /agents/{name}/invitations?id=ID`: revokes an invitation, and every token that it gave. */
export async function revokeInvitation(call: Call<'name'>): Promise<Response> {
  const name = nameOf(call)
  if (!(await revoke(call.env, name, call.url.searchParams.get('id') ?? '')))
    throw new Problem('not-found', 'There is no invitation of this name.')
  return noContent()
}

/** Revokes all invitations of an agent. */
export async function revokeAll(env: Env, name: string): Promise<void> {
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
export async function redeemInvitation(call: Call): Promise<Response> {
  const { env, agent, body } = call
  const isSigned = call.request.headers.has('signature-input')
  if (isSigned || !isForAnyone(env)) opened(await taskRpcOf(env, agent).prove(sentIn(call)))
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
