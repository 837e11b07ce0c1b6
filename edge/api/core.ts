// What the core does by itself: canonical bytes, and a sign of life.
import { abiVersion, canonicalize as canonicalBytes, canonicalizeWithout } from 'blazon/core'
import { DocumentError } from 'blazon/document'
import { toHex } from '../../bindings/text/bytes.ts'
import { version } from '../../package.json'
import type { Call } from '../access/route.ts'
import { prefersJson } from '../http/accept.ts'
import { apiHeaders, json } from '../http/answer.ts'
import { BODY_BYTES, DEFAULT_DEPTH } from '../http/body.ts'
import { diagnosed } from '../http/problem.ts'
import { digestHeaders } from '../http/published.ts'
import { integer, wrongParameter } from '../http/query.ts'

/** The most members that a request may remove: the limit of the core. */
const POINTERS = 32

const HASHES: Readonly<Record<string, string>> = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }

/** RFC 6901 section 3, with up to 64 tokens. Removing the whole document would leave nothing, so no empty pointer. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*){1,64}$/

/** `POST /v1/canonicalize`: the canonical bytes (RFC 8785) of the document in the body, or their hash. */
export async function canonicalize({ request, url, body }: Call): Promise<Response> {
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
  const digest = toHex(new Uint8Array(await crypto.subtle.digest(HASHES[hash]!, canonical)))
  const text = asJson ? JSON.stringify({ hash, digest, bytes: canonical.length }) : `${digest}\n`
  const type = asJson ? 'application/json' : 'text/plain; charset=utf-8'
  return answer(new TextEncoder().encode(text), type, { vary: 'accept' })
}

async function answer(content: Uint8Array, type: string, own: Record<string, string> = {}): Promise<Response> {
  const headers = apiHeaders({ 'content-type': type, ...(await digestHeaders(content)), ...own })
  return new Response(content, { headers })
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
export function healthz(): Response {
  const core = { abi: abiVersion() }
  const limits = { bodyBytes: BODY_BYTES, maxDepth: DEFAULT_DEPTH }
  return json({ status: 'ok', version, core, limits })
}
