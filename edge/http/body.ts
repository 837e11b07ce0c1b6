import { parse } from 'blazon/document'
import { BODY_BYTES } from './limits.ts'
import { Problem } from './problem.ts'

const ACCEPTED = 'application/json, application/*+json, text/plain'
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/
const CHUNK_BYTES = 16 << 10

/** The body of a request that carries JSON. It keeps no byte beyond the limit, whatever Content-Length says. */
export async function readDocument(request: Request): Promise<Uint8Array> {
  refuseOtherTypes(request.headers)
  if (request.body === null) return new Uint8Array(0)
  const reader = request.body.getReader()
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > BODY_BYTES) return refuse(reader, 0)

  let bytes = new Uint8Array(declared || CHUNK_BYTES)
  let length = 0
  for (;;) {
    const { done, value } = await next(reader)
    if (done) return bytes.subarray(0, length)
    const needed = length + value.length
    if (needed > BODY_BYTES) return refuse(reader, needed)
    if (needed > bytes.length) {
      const larger = new Uint8Array(Math.max(needed, bytes.length * 2))
      larger.set(bytes.subarray(0, length))
      bytes = larger
    }
    bytes.set(value, length)
    length = needed
  }
}

/** A body that breaks off, or whose parts are not what they say they are, is a fault of who sends it. */
async function next(reader: ReadableStreamDefaultReader<Uint8Array>) {
  try {
    return await reader.read()
  } catch {
    throw new Problem('bad-request', 'The body broke off before all of it had come.')
  }
}

/** The body of a request that is a JSON object. */
export async function readObject(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const { document, diagnostics } = parse(await readDocument(request))
  if (document === undefined) throw new Problem('bad-request', diagnostics[0]!.detail, { members: { diagnostics } })
  const { value } = document
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new Problem('bad-request', 'The body is a JSON object.')
}

function refuseOtherTypes(headers: Headers): void {
  // A coding would be decoded into more than the limit counts, so none is taken (RFC 9110 section 15.5.16).
  const coding = headers.get('content-encoding')
  if (coding !== null && coding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported-media-type', `Send the body as it is; it came with Content-Encoding ${coding}.`, {
      headers: { 'accept-encoding': 'identity' },
    })
  }
  const contentType = headers.get('content-type')
  if (contentType === null) return
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  const charset = parameters.map((text) => /^\s*charset="?([^"\s]*)/.exec(text)?.[1]).find((name) => name !== undefined)
  const readable = JSON_TYPE.test(type.trim()) || type.trim() === 'text/plain'
  if (readable && (charset === undefined || charset === 'utf-8' || charset === 'us-ascii')) return
  throw new Problem('unsupported-media-type', `Send JSON in UTF-8 as ${ACCEPTED}; it came as ${contentType}.`, {
    headers: { accept: ACCEPTED },
  })
}

/**
 * Answers that the body is too large. One of up to twice the limit is heard to its end first: many clients read no
 * answer before they have sent everything, and a connection with bytes left over can only be cut.
 */
async function refuse(reader: ReadableStreamDefaultReader<Uint8Array>, heard: number): Promise<never> {
  for (let length = heard; length <= 2 * BODY_BYTES; ) {
    const { done, value } = await next(reader)
    if (done) break
    length += value.length
  }
  await reader.cancel()
  throw new Problem('body-too-large', `The body may have ${BODY_BYTES} bytes at most.`, {
    members: { limit: BODY_BYTES },
  })
}
