/**
 * A document inside a link, behind the `#` that browsers do not send. Links made by any version keep working, so
 * forms are only added, never changed:
 *
 * - `#v1=` base64url of the raw deflate (RFC 1951) of the UTF-8
 * - `#v1p=` base64url of the UTF-8, where the browser has no CompressionStream
 *
 * Behind it may stand a JSON Pointer, as in `#v1=q64FAA/tools/0`. Alone, as `#/tools/0`, it is a place in the document that
 * is there: the fragment of RFC 6901 section 6, which ADL section 17.1 takes for its media type.
 */
const LINK = /^#(?:(v1p?)=([\w-]+))?((?:\/.*)?)$/

/** Sentences and programs that a link stood in leave marks behind it, which browsers write in part as bytes in `%`. */
const STRAY = /(?:[\s.,;:!?)\]}>*'"…»”’]|%(?:20|22|3E|C2%BB|C2%A0|E2%80%[0-9A-F]{2}))+$/i
/** `%E2%80%9D`. */
const LONGEST_STRAY = 9

/** The most bytes that a link may expand to: a kilobyte of deflate can stand for a megabyte. */
const TEXT_BYTES = 8 << 20

/** True for a hash that holds a document, or was to hold one. */
export const holdsLink = (hash: string) => /^#v/i.test(hash)

/** The hash for a text. `await linkHash('{}')` is `'#v1=q64FAA'`. */
export async function linkHash(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  if (!canDeflate()) return `#v1p=${toBase64url(bytes)}`
  const deflated = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return `#v1=${toBase64url(new Uint8Array(await new Response(deflated).arrayBuffer()))}`
}

/** The JSON Pointer of a hash; undefined when it has none. */
export function linkPointer(hash: string): string | undefined {
  const [, , , pointer = ''] = LINK.exec(hash) ?? []
  try {
    return pointer === '' ? undefined : decodeURIComponent(pointer)
  } catch {
    return undefined
  }
}

/**
 * The text of a hash; undefined when it is a place or a room. Rejects with words for people when it is damaged, unknown or too
 * large.
 */
export async function linkText(hash: string): Promise<string | undefined> {
  const [, form, payload] = LINK.exec(withoutStray(hash)) ?? LINK.exec(hash) ?? []
  if (form === undefined || payload === undefined) {
    if (!holdsLink(hash)) return undefined
    throw new Error(
      'This link is of no form that this page knows: a part may be missing, or a newer page made it. Copy the whole link again, or reload this page.',
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

/** From the end, piece by piece: looked for from the beginning, very many marks take the square of their number. */
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
  // In pieces, because the arguments of one call are limited.
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0))
}
