/**
 * A document in the hash of a link, which browsers do not send. Links of every version keep working, so forms are only
 * added, never changed:
 *
 * - `#v1=` base64url of the raw deflate (RFC 1951) of the UTF-8
 * - `#v1p=` base64url of the UTF-8, if the browser has no CompressionStream
 *
 * A JSON Pointer may follow, as in `#v1=q64FAA/tools/0`. Alone, as `#/tools/0`, it names a place in the current document:
 * the fragment of RFC 6901 section 6, which ADL section 17.1 uses for its media type.
 */
const LINK = /^#(?:(v1p?)=([\w-]+))?((?:\/.*)?)$/

/** Marks that a sentence or a program left at the end of a link; browsers write some of them as `%` and hex digits. */
const STRAY = /(?:[\s.,;:!?)\]}>*'"…»”’]|%(?:20|22|3E|C2%BB|C2%A0|E2%80%[0-9A-F]{2}))+$/i
/** `%E2%80%9D`. */
const LONGEST_STRAY = 9

/** The most bytes that a link may expand to: a kilobyte of deflate can expand to a megabyte. */
const TEXT_BYTES = 8 << 20

/** True for a hash with a document, even a damaged one. */
export const holdsLink = (hash: string) => /^#v/i.test(hash)

/** The hash for a text. `await linkHash('{}')` is `'#v1=q64FAA'`. */
export async function linkHash(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  if (!canDeflate()) return `#v1p=${toBase64url(bytes)}`
  const deflated = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return `#v1=${toBase64url(new Uint8Array(await new Response(deflated).arrayBuffer()))}`
}

/** The JSON Pointer of a hash; undefined if it has none. */
export function linkPointer(hash: string): string | undefined {
  const [, , , pointer = ''] = LINK.exec(hash) ?? []
  try {
    return pointer === '' ? undefined : decodeURIComponent(pointer)
  } catch {
    return undefined
  }
}

/**
 * The text of a hash; undefined if it names a place or a room. Rejects with a message for the reader if it is damaged,
 * unknown or too large.
 */
export async function linkText(hash: string): Promise<string | undefined> {
  const [, form, payload] = LINK.exec(withoutStray(hash)) ?? LINK.exec(hash) ?? []
  if (form === undefined || payload === undefined) {
    if (!holdsLink(hash)) return undefined
    throw new Error(
      'The form of this link is unknown: a part may be missing, or a newer version of the page made it. Copy the whole link again, or reload this page.',
    )
  }
  try {
    const bytes = fromBase64url(payload)
    const utf8 = form === 'v1p' ? bytes : await inflate(bytes)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(utf8)
  } catch (error) {
    throw error instanceof RangeError
      ? error
      : new Error('This link is damaged: its document cannot be read. Copy the whole link again.')
  }
}

/** Searches from the end: a search from the beginning takes quadratic time for very many marks. */
function withoutStray(hash: string): string {
  for (let end = hash.length; ; ) {
    const [stray] = STRAY.exec(hash.slice(Math.max(0, end - LONGEST_STRAY), end)) ?? []
    if (stray === undefined) return hash.slice(0, end)
    end -= stray.length
  }
}

function canDeflate(): boolean {
  try {
    new CompressionStream('deflate-raw')
    return true
  } catch {
    return false
  }
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > TEXT_BYTES) {
      await reader.cancel()
      throw new RangeError(`The document in this link is larger than ${TEXT_BYTES >> 20} MiB.`)
    }
    chunks.push(value)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

function toBase64url(bytes: Uint8Array): string {
  let binary = ''
  // In parts, because the number of arguments of a call is limited.
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0))
}
