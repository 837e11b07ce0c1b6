import { canonicalize as canonicalBytes, canonicalizeWithout } from 'blazon/core'
import { DocumentError } from 'blazon/document'
import type { Call } from '../access/route.ts'
import { prefersJson } from '../http/accept.ts'
import { digestHeaders, hex } from '../http/digest.ts'
import { apiHeaders } from '../http/headers.ts'
import { DEFAULT_DEPTH, POINTERS } from '../http/limits.ts'
import { Problem } from '../http/problem.ts'
import { integer, refuseOtherParameters } from '../http/query.ts'

const HASHES: Readonly<Record<string, string>> = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }

/** RFC 6901 section 3, without the empty pointer: removing the whole document leaves nothing. */
const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/

interface Options {
  readonly hash: string | undefined
  readonly without: readonly string[]
  readonly maxDepth: number
}

/** `POST /v1/canonicalize`: the canonical bytes (RFC 8785) of the document in the body, or their hash. */
export async function canonicalize({ request, url, body }: Call): Promise<Response> {
  const options = readOptions(url.searchParams)
  const canonical = canonicalizeOrRefuse(body, options)
  if (options.hash === undefined) return answer(canonical, 'application/json')
  return hashAnswer(options.hash, canonical, prefersJson(request))
}

function canonicalizeOrRefuse(document: Uint8Array, { without, maxDepth }: Options): Uint8Array {
  try {
    if (without.length === 0) return canonicalBytes(document, { maxDepth })
    return canonicalizeWithout(document, without, { maxDepth }).payload
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new Problem('unreadable-document', error.message, { members: { diagnostics: error.diagnostics } })
  }
}

async function hashAnswer(hash: string, canonical: Uint8Array, asJson: boolean): Promise<Response> {
  const digest = hex(await crypto.subtle.digest(HASHES[hash]!, canonical))
  const text = asJson ? JSON.stringify({ hash, digest, bytes: canonical.length }) : `${digest}\n`
  const type = asJson ? 'application/json' : 'text/plain; charset=utf-8'
  return answer(new TextEncoder().encode(text), type, { vary: 'accept' })
}

async function answer(content: Uint8Array, type: string, own: Record<string, string> = {}): Promise<Response> {
  const headers = apiHeaders({ 'content-type': type, ...(await digestHeaders(content)), ...own })
  return new Response(content, { headers })
}

function readOptions(query: URLSearchParams): Options {
  refuseOtherParameters(query, { hash: 'once', without: 'often', maxDepth: 'once' })
  const hash = query.get('hash') ?? undefined
  if (hash !== undefined && !Object.hasOwn(HASHES, hash)) {
    throw badParameter('hash', `one of ${Object.keys(HASHES).join(', ')}`, hash)
  }
  const without = query.getAll('without')
  if (without.length > POINTERS) throw badParameter('without', `at most ${POINTERS} values`, `${without.length}`)
  const odd = without.find((pointer) => !POINTER.test(pointer))
  if (odd !== undefined) throw badParameter('without', 'a JSON Pointer such as /signature', odd)
  return { hash, without, maxDepth: integer(query, 'maxDepth', 1, DEFAULT_DEPTH) ?? DEFAULT_DEPTH }
}

function badParameter(parameter: string, expected: string, got: string): Problem {
  return new Problem('bad-request', `The parameter ${parameter}: expected ${expected}, got ${got}.`, {
    members: { parameter },
  })
}
