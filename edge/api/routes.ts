// What the core does by itself: canonical bytes, and a sign of life.

import { KINDS, validate as validateDocument } from 'blazon'
import {
  decide as decideRequest,
  formatErrors,
  type PermissionRequest,
  RULESETS,
  SENSITIVITIES,
  verify as verifyDefinition,
} from 'blazon/adl'
import { convert as convertDocument, FORMATS } from 'blazon/convert'
import { abiVersion, canonicalize as canonicalBytes, canonicalizeValue, canonicalizeWithout } from 'blazon/core'
import { DEFAULT_RANKING, handleInvocation, type SearchQuery, withCard } from 'blazon/directory'
import { DocumentError, parseJson } from 'blazon/document'
import { toHex } from '../../bindings/text/bytes.ts'
import { isObject } from '../../bindings/text/members.ts'
import { version } from '../../package.json'
import { type Access, type Call, route } from '../access/route.ts'
import { CARD_TYPE, cardPath, catalogEntry, invalidArgument, noSuchPage, readFilter } from '../directory/listing.ts'
import { discover, idOf, shardedDirectory } from '../directory/service.ts'
import { apiHeaders, digestHeaders, json, madeAnswer } from '../http/answer.ts'
import { BODY_BYTES, DEFAULT_DEPTH, DOCUMENT_BODY, JSON_BODY, objectIn, sentKind, VERIFY_BODY } from '../http/body.ts'
import { diagnosed, Problem, refusing } from '../http/problem.ts'
import { badParameter, choice, integer, pageToken, placeOf, prefersJson, wants, wrongParameter } from '../http/query.ts'
import { MINUTE, senderOf } from '../http/relay.ts'
import { verify } from './verify.ts'

/** The most members that a request may remove: the limit of the core. */
const POINTERS = 32

const HASHES: Readonly<Record<string, string>> = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }

/** RFC 6901 section 3, with up to 64 tokens. Removing the whole document would leave nothing, so no empty pointer. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*){1,64}$/

/** `POST /v1/canonicalize`: the canonical bytes (RFC 8785) of the document in the body, or their hash. */
async function canonicalize({ request, url, body }: Call): Promise<Response> {
  const { hash, ...options } = readOptions(url.searchParams)
  const canonical = canonicalizeOrRefuse(body, options)
  if (hash === undefined) return answer(canonical, 'application/json')
  return hashAnswer(hash, canonical, prefersJson(request))
}

function canonicalizeOrRefuse(
  document: Uint8Array,
  { without, maxDepth }: { readonly without: readonly string[]; readonly maxDepth: number },
): Uint8Array {
  try {
    if (without.length === 0) return canonicalBytes(document, { maxDepth })
    return canonicalizeWithout(document, without, { maxDepth }).payload
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw diagnosed('unreadable-document', error.diagnostics)
  }
}

async function hashAnswer(hash: string, canonical: Uint8Array, asJson: boolean): Promise<Response> {
  const digest = toHex(new Uint8Array(await crypto.subtle.digest(HASHES[hash]!, canonical as BufferSource)))
  const text = asJson ? JSON.stringify({ hash, digest, bytes: canonical.length }) : `${digest}\n`
  const type = asJson ? 'application/json' : 'text/plain; charset=utf-8'
  return answer(new TextEncoder().encode(text), type, { vary: 'accept' })
}

async function answer(content: Uint8Array, type: string, own: Record<string, string> = {}): Promise<Response> {
  const headers = apiHeaders({ 'content-type': type, ...(await digestHeaders(content)), ...own })
  return new Response(content as BufferSource, { headers })
}

function readOptions(query: URLSearchParams) {
  const hash = query.get('hash') ?? undefined
  if (hash !== undefined && !Object.hasOwn(HASHES, hash)) {
    throw wrongParameter('hash', `one of ${Object.keys(HASHES).join(', ')}`, hash)
  }
  const without = query.getAll('without')
  if (without.length > POINTERS) throw wrongParameter('without', `at most ${POINTERS} values`, `${without.length}`)
  const odd = without.find((pointer) => !POINTER.test(pointer))
  if (odd !== undefined) throw wrongParameter('without', 'a JSON Pointer such as /signature, of up to 64 tokens', odd)
  return { hash, without, maxDepth: integer(query, 'maxDepth', 1, DEFAULT_DEPTH) ?? DEFAULT_DEPTH }
}

/** `GET /healthz`: shows that the Worker runs and its core answers, with their versions. */
function healthz(): Response {
  const core = { abi: abiVersion() }
  const limits = { bodyBytes: BODY_BYTES, maxDepth: DEFAULT_DEPTH }
  return json({ status: 'ok', version, core, limits })
}

// Queries to the directory: the methods of ADP over HTTP (section 4), whose bodies are those of the invocation, and the
// search of ARD.

type Method = 'adp.describe' | 'adp.advertise' | 'adp.discover'

const STATUS: Readonly<Record<handleInvocation.Result['status'], number>> = {
  OK: 200,
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 403,
  NOT_FOUND: 404,
  BUSY: 429,
  FULL: 507,
}

/** `POST /adp/describe`, `/adp/advertise`, `/adp/discover`. */
function invoke(method: Method): (call: Call) => Promise<Response> {
  return async ({ request, url, env, body, bearer }) => {
    const sender = { operator: bearer !== undefined, address: senderOf(request) }
    const answer = await handleInvocation(shardedDirectory(env), { method, body, ...sender })
    const { status, gone, bytes, partial, signature, retryAfter = MINUTE } = answer
    const isCard = method === 'adp.describe' && status === 'OK'
    const headers = apiHeaders({
      'content-type': isCard ? CARD_TYPE : 'application/json',
      ...(status === 'BUSY' && { 'retry-after': String(retryAfter) }),
      // A partial card is marked outside of it, with the place of the whole (sections 4.1 and 7.2).
      ...(partial === true && {
        'blazon-partial': 'true',
        link: `<${url.origin}${cardPath(String(answer.body['id']))}>; rel="canonical"`,
        // The signature is base64url from the sender, so anything else is kept out of the header.
        ...(signature !== undefined && /^[\w-]+$/.test(signature) && { 'blazon-signature': signature }),
      }),
    })
    return new Response(new Uint8Array(bytes), { status: gone === true ? 410 : STATUS[status], headers })
  }
}

/**
 * `GET /adp/ranking`: the ranking formula, its weights and the inputs of each factor (section 5). Shards are opened
 * without ranking options.
 */
function readRanking({ request }: Call): Promise<Response> {
  return madeAnswer(request, DEFAULT_RANKING, 'application/json')
}

/** Paging ends after that many results; `GET /agents` lists all agents. */
const MOST_RESULTS = 100

/** `POST /search`: the results of `adp.discover`, in the request and answer form of ARD (section 5.3.1). */
async function search({ url, env, body }: Call): Promise<Response> {
  const { query, federation = 'auto', pageSize: wanted = 10, pageToken: token, ...others } = objectIn(body)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw invalidArgument(`Unknown member ${unknown}.`)
  if (!['auto', 'referrals', 'none'].includes(federation as string)) {
    throw invalidArgument('Expected auto, referrals or none as federation.')
  }
  if (!isInteger(wanted) || wanted < 1) throw invalidArgument('Expected an integer of at least 1 as pageSize.')
  const pageSize = Math.min(wanted, MOST_RESULTS)
  const place = token === undefined ? '0' : await placeOf('search', typeof token === 'string' ? token : '')
  if (place === undefined || !/^\d{1,2}$/.test(place)) throw noSuchPage()
  const from = Number(place)
  const adpQuery = readQuery(query)
  if (adpQuery === undefined) return json({ results: [] })

  const end = from + pageSize
  // Tags affect the rank in ADP, but are a filter in ARD: cards without any of them are removed here.
  const limit = adpQuery.tags === undefined ? Math.min(end + 1, MOST_RESULTS) : MOST_RESULTS
  const { status, results, diagnostics, missing } = await discover(env, { ...adpQuery, limit, min_score: 0 }, {})
  if (status !== 'OK') throw invalidArgument(diagnostics[0]?.detail ?? 'The query is invalid.')
  const fitting = adpQuery.tags === undefined ? results : results.filter((result) => result.matched_tags.length > 0)
  const items = fitting
    .slice(from, end)
    .map(withCard)
    .map(({ agent_card, score, standing }) => ({
      ...catalogEntry(agent_card, standing, url.origin),
      score: Math.round(100 * score),
      source: `${url.origin}/`,
    }))
  const headers = apiHeaders(missing === undefined ? {} : { 'blazon-partial': `${missing.answered}/${missing.asked}` })
  const answer = {
    results: items,
    ...(pageSize < wanted && { pageSize }),
    ...(fitting.length > end && { pageToken: await pageToken('search', String(end)) }),
  }
  return Response.json(answer, { headers })
}

/** The query as ADP has it; undefined if no card can match its filter. */
function readQuery(query: unknown): SearchQuery | undefined {
  const { text, filter = {} } = (query ?? {}) as { text?: unknown; filter?: unknown }
  if (typeof text !== 'string' || text.trim() === '') throw invalidArgument('Expected a text as query.text.')
  if (typeof filter !== 'object' || filter === null) throw invalidArgument('Expected an object as query.filter.')
  const fields = Object.entries(filter).map(([name, value]) => [name, readTexts(name, value)] as const)
  const other = fields.find(([name]) => name !== 'type' && name !== 'tags')
  if (other !== undefined) throw invalidArgument(`Unknown filter ${other[0]}: a search can filter by type and tags.`)
  const read = readFilter(fields)
  return read && { query: text, ...(read.tags !== undefined && { tags: read.tags }) }
}

function readTexts(name: string, value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value]
  if (values.every((one) => typeof one === 'string')) return values
  throw invalidArgument(`Expected a text or a list of texts as query.filter.${name}.`)
}

function isInteger(value: unknown): value is number {
  return Number.isInteger(value)
}

// The routes that check a document, decide what it permits, or convert it.

/** The form of section 16.1, for clients that request it by name. */
const ADL_ERRORS = 'application/vnd.adl.errors+json'

const CHECKED = KINDS.filter(({ isChecked }) => isChecked).map(({ kind }) => kind)

/** `POST /v1/validate`: a report, with status 200 for valid and invalid documents alike. */
async function validate({ request, url, body }: Call): Promise<Response> {
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

/** The depth that section 18.5 allows a document, and the body around it. */
const DEPTH = 34

/** `POST /v1/decide`: decides if `document` permits `request`; the body has these two members. */
async function decide({ body }: Call): Promise<Response> {
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
const CONVERSION = { ...CHOICES, ...TEXTS }

/** `POST /v1/convert?to=...`: converts the document in the body to another format, with a loss report. */
async function convert({ url, body }: Call): Promise<Response> {
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

/** Signed cards need no token; the holder of one vouches for an unsigned card. */
const VOUCH: Access = { scope: 'publish', optional: true, of: ({ body }) => idOf(body) }

const CHECK = { limit: 'CHECKS', body: JSON_BODY } as const
const CHECK_DOCUMENT = { ...CHECK, body: DOCUMENT_BODY } as const
const SEARCH = { limit: 'QUERIES', body: JSON_BODY, query: {} } as const

export const ROUTES = [
  route('/healthz', { GET: { answer: healthz } }),
  route('/v1/canonicalize', {
    POST: { ...CHECK, query: { hash: 'once', without: 'often', maxDepth: 'once' }, answer: canonicalize },
  }),
  route('/v1/validate', { POST: { ...CHECK_DOCUMENT, query: { as: 'once', ruleset: 'once' }, answer: validate } }),
  route('/v1/verify', {
    POST: { ...CHECK, body: VERIFY_BODY, query: { publicKey: 'once', provider: 'once' }, answer: verify },
  }),
  route('/v1/convert', { POST: { ...CHECK, query: CONVERSION, answer: convert } }),
  route('/v1/decide', { POST: { ...CHECK, query: {}, answer: decide } }),
  route('/adp/describe', { POST: { ...SEARCH, answer: invoke('adp.describe') } }),
  route('/adp/advertise', { POST: { access: VOUCH, body: JSON_BODY, query: {}, answer: invoke('adp.advertise') } }),
  route('/adp/discover', { POST: { ...SEARCH, answer: invoke('adp.discover') } }),
  route('/adp/ranking', { GET: { answer: readRanking } }),
  route('/search', { POST: { ...SEARCH, answer: search } }),
]
