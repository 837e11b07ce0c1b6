// The routes that check a document, decide what it permits, or convert it.
import { KINDS, open, validate as validateDocument, verify as verifyDocument } from 'blazon'
import {
  decide as decideRequest,
  formatErrors,
  type PermissionRequest,
  RULESETS,
  SENSITIVITIES,
  verify as verifyDefinition,
} from 'blazon/adl'
import { convert as convertDocument, FORMATS } from 'blazon/convert'
import { canonicalizeValue } from 'blazon/core'
import { parseJson } from 'blazon/document'
import { importKey, type Key, KeyError } from 'blazon/keys'
import { CONTAINER_TYPE } from '../../bindings/host/registry/names.ts'
import { isObject } from '../../bindings/text/members.ts'
import type { Call } from '../access/route.ts'
import { wants } from '../http/accept.ts'
import { apiHeaders, json } from '../http/answer.ts'
import { mediaTypeOf } from '../http/body.ts'
import { diagnosed, Problem, refusing } from '../http/problem.ts'
import { badParameter, choice } from '../http/query.ts'

/** The form of section 16.1, for clients that request it by name. */
const ADL_ERRORS = 'application/vnd.adl.errors+json'

const CHECKED = KINDS.filter(({ isChecked }) => isChecked).map(({ kind }) => kind)

/** Archives have no members that show their kind, so their media type does. */
function sentKind({ headers }: Request): 'container' | undefined {
  return mediaTypeOf(headers.get('content-type') ?? '') === CONTAINER_TYPE ? 'container' : undefined
}

/** `POST /v1/validate`: a report, with status 200 for valid and invalid documents alike. */
export async function validate({ request, url, body }: Call): Promise<Response> {
  const query = url.searchParams
  const ruleset = choice(query, 'ruleset', RULESETS)
  const as = choice(query, 'as', CHECKED) ?? sentKind(request)
  const report = validateDocument(body, {
    ...(ruleset !== undefined && { ruleset }),
    ...(as !== undefined && { as }),
  })
  const headers = apiHeaders({ vary: 'accept' })
  if (!wants(request, ADL_ERRORS)) return Response.json(report, { headers })
  headers.set('content-type', ADL_ERRORS)
  return Response.json(formatErrors(report), { headers })
}

/**
 * `POST /v1/verify`: a proof, with status 200 for every verdict. Resolves no DIDs: the Worker sends no requests on behalf
 * of unknown clients.
 */
export async function verify({ request, url, body }: Call): Promise<Response> {
  const as = sentKind(request)
  const { document, kind, diagnostics } = open(body, as && { as })
  if (document === undefined) throw diagnosed('unreadable-document', diagnostics)
  const provider = url.searchParams.get('provider')
  if (provider !== null && (kind === 'card' || kind === 'container'))
    throw badParameter('provider', `The parameter provider is for agent definitions, but this is a ${kind}.`)
  const key = url.searchParams.get('publicKey')
  const expected = { ...(key !== null && { keys: [await readKey(key)] }), ...(provider !== null && { provider }) }
  const proof = await verifyDocument(document, { expect: expected, ...(as && { as }) })
  return json(proof)
}

async function readKey(text: string): Promise<Key> {
  try {
    return await importKey(text)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    throw badParameter('publicKey', `The parameter publicKey is not a valid key: ${error.message}`)
  }
}

/** The depth that section 18.5 allows a document, and the body around it. */
const DEPTH = 34

/** `POST /v1/decide`: decides if `document` permits `request`; the body has these two members. */
export async function decide({ body }: Call): Promise<Response> {
  const read = parseJson(body, { maxDepth: DEPTH })
  if (read.document === undefined) throw diagnosed('unreadable-document', read.diagnostics)
  const { document, request, ...others } = (read.document.value ?? {}) as { document?: unknown; request?: unknown }
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw new Problem(
      'bad-request',
      `Unknown member ${JSON.stringify(other.slice(0, 80))}: the body has the members document and request.`,
    )
  if (!isObject(document) || request === undefined)
    throw new Problem('bad-request', 'Expected an object with the members document (an object) and request.')
  // A signed document permits nothing before its signature is verified (ADL 18.1).
  const definition = parseJson(canonicalizeValue(document)).document!
  const proof = await verifyDefinition(definition)
  return json(
    await refusing([TypeError, RangeError], () => decideRequest(definition, request as PermissionRequest, { proof })),
  )
}

const BINDINGS = ['JSONRPC', 'GRPC', 'HTTP+JSON'] as const
const CARRY = ['public', 'all', 'nothing'] as const
const CHOICES = { to: 'once', from: 'once', binding: 'once', carry: 'once', sensitivity: 'once' } as const
const TEXTS = { id: 'once', url: 'once', serverName: 'once', version: 'once', description: 'once' } as const
export const CONVERSION = { ...CHOICES, ...TEXTS }

/** `POST /v1/convert?to=...`: converts the document in the body to another format, with a loss report. */
export async function convert({ url, body }: Call): Promise<Response> {
  const query = url.searchParams
  const to = choice(query, 'to', FORMATS)
  if (to === undefined) throw badParameter('to', `The parameter to is missing: one of ${FORMATS.join(', ')}.`)
  const from = choice(query, 'from', FORMATS)
  const binding = choice(query, 'binding', BINDINGS)
  const sensitivity = choice(query, 'sensitivity', SENSITIVITIES)
  const carry = choice(query, 'carry', CARRY)
  const given = Object.keys(TEXTS).flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : []))
  const options = {
    to,
    ...(from !== undefined && { from }),
    ...(binding !== undefined && { binding }),
    ...(carry !== undefined && { carry }),
    ...Object.fromEntries(given),
    ...(sensitivity !== undefined && { classification: { sensitivity } }),
  }
  // Invalid values of options, such as an id that is not an agent:// URI, are the caller's fault.
  const { document, loss, diagnostics } = await refusing([RangeError], () => convertDocument(body, options))
  if (document === undefined) throw diagnosed('invalid-document', diagnostics)
  return json({ document: document.value, loss, diagnostics })
}
