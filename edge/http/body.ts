import { parseJson } from 'blazon/document'
import { CONTAINER_TYPE } from '../../bindings/agentlang/registry/names.ts'
import { joinBytes } from '../../bindings/text/bytes.ts'
import { isObject, type JsonObject } from '../../bindings/text/members.ts'
import { diagnosed, Problem } from './problem.ts'

/** The largest request body, in bytes (1 MiB). */
export const BODY_BYTES = 1 << 20

/** The nesting depth of containers: the default for a request, and the most that it may ask for. */
export const DEFAULT_DEPTH = 1024

/** The bodies that a route accepts. Every route accepts requests without a type and requests without a body. */
export interface BodyRule {
  /** Media types; `*` stands for a name of letters, digits and `.+-_`. */
  readonly types: readonly string[]
  /** Content codings: `identity`, and perhaps `gzip`, which is decoded here. */
  readonly codings: readonly string[]
  readonly bytes: number
  /** The handler reads the body itself, as a stream. */
  readonly isStreamed?: true
}

/** Most routes accept no coding (RFC 9110 section 15.5.16). */
const PLAIN = { codings: ['identity'], bytes: BODY_BYTES }

const JSON_TYPES = ['application/json', 'application/*+json', 'text/plain']

/** For a document or a request in JSON. */
export const JSON_BODY: BodyRule = { ...PLAIN, types: JSON_TYPES }

export const LINES_TYPE = 'application/x-ndjson'

/** For a document that may also be lines, or a container of an agent. */
export const DOCUMENT_BODY: BodyRule = { ...PLAIN, types: [...JSON_TYPES, LINES_TYPE, CONTAINER_TYPE] }

export const FORM_TYPE = 'multipart/form-data'

/** For a document, alone or in a form with what its proof needs. */
export const VERIFY_BODY: BodyRule = { ...PLAIN, types: [...DOCUMENT_BODY.types, FORM_TYPE] }

/** Archives have no members that show their kind, so their media type does. */
export const sentKind = ({ headers }: Request): 'container' | undefined =>
  mediaTypeOf(headers.get('content-type') ?? '') === CONTAINER_TYPE ? 'container' : undefined

/** For JSON values, one per line. */
export const LINES_BODY: BodyRule = { ...PLAIN, types: [LINES_TYPE, ...JSON_TYPES] }

/**
 * Reads the body of a request under the rule of its route. Keeps no byte beyond the limit, whatever Content-Length
 * says.
 */
export async function readBody(request: Request, rule: BodyRule): Promise<Uint8Array> {
  refuseOtherCodings(request.headers.get('content-encoding'), rule)
  refuseOtherTypes(request.headers.get('content-type'), rule)
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (request.body === null || (rule.isStreamed && declared <= rule.bytes)) return new Uint8Array(0)
  const isCoded = request.headers.get('content-encoding')?.toLowerCase() === 'gzip'
  const decoded = isCoded ? request.body.pipeThrough(new DecompressionStream('gzip')) : request.body
  const reader: ReadableStreamDefaultReader<Uint8Array> = decoded.getReader()
  if (declared > rule.bytes) return refuse(reader, 0, rule)

  const chunks: Uint8Array[] = []
  for (let length = 0; ; ) {
    const { done, value } = await next(reader)
    if (done) return joinBytes(chunks)
    length += value.length
    if (length > rule.bytes) return refuse(reader, length, rule)
    chunks.push(value)
  }
}

/** A body that breaks off or is malformed is the sender's fault. The limit counts decoded bytes. */
async function next(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch {
    throw new Problem('bad-request', 'The body ended before it was complete, or its coding is broken.')
  }
}

/** Reads a body that must be a JSON object, with no members but the known ones. */
export function objectIn(body: Uint8Array, known?: readonly string[]): JsonObject {
  const { document, diagnostics } = parseJson(body)
  if (document === undefined) throw diagnosed('bad-request', diagnostics)
  const { value } = document
  if (!isObject(value)) throw new Problem('bad-request', 'Expected a JSON object as the body.')
  if (known !== undefined) refuseOtherMembers(value, known)
  return value
}

/** Refuses an object with unknown members: a misspelt member must not count as absent. */
export function refuseOtherMembers(object: object, known: readonly string[]): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new Problem('bad-request', `Unknown member ${unknown.slice(0, 40)}. Known: ${known.join(', ')}.`)
}

function refuseOtherCodings(coding: string | null, { codings }: BodyRule): void {
  if (coding === null || codings.includes(coding.toLowerCase())) return
  const taken = codings.join(', ')
  throw new Problem('unsupported-media-type', `Send the body as ${taken}; it came with Content-Encoding ${coding}.`, {
    headers: { 'accept-encoding': taken },
  })
}

function refuseOtherTypes(contentType: string | null, { types }: BodyRule): void {
  if (contentType === null || types.includes(contentType)) return
  const [, ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((text) => /^\s*charset="?([^"\s]*)/.exec(text)?.[1]).find((name) => name !== undefined)
  const isText = charset === undefined || charset === 'utf-8' || charset === 'us-ascii'
  if (isText && types.some((taken) => isOfType(mediaTypeOf(contentType), taken))) return
  const taken = types.join(', ')
  throw new Problem('unsupported-media-type', `Send the body in UTF-8 as ${taken}; it came as ${contentType}.`, {
    headers: { accept: taken },
  })
}

/** A media type without its parameters. */
export const mediaTypeOf = (contentType: string): string => contentType.toLowerCase().split(';')[0]!.trim()

function isOfType(type: string, taken: string): boolean {
  const [before, after] = taken.split('*')
  if (after === undefined) return type === taken
  return (
    type.startsWith(before!) && type.endsWith(after) && /^[\w.+-]+$/.test(type.slice(before!.length, -after.length))
  )
}

async function refuse(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  heard: number,
  { bytes: limit }: BodyRule,
): Promise<never> {
  await drain(reader, 2 * limit - heard)
  throw new Problem('body-too-large', `The body may have at most ${limit} bytes.`, { members: { limit } })
}

/**
 * Reads a body to its end, but not much more than `most` bytes, because many clients read no answer before they have
 * sent everything, and a connection with unread bytes can only be cut.
 */
export async function drain(reader: ReadableStreamDefaultReader<Uint8Array>, most: number): Promise<void> {
  for (let rest = most; rest >= 0; ) {
    const { done, value } = await next(reader)
    if (done) break
    rest -= value.length
  }
  await reader.cancel()
}
