import { splitLines } from '../../bindings/document/split-lines.ts'
import { joinBytes } from '../../bindings/text/bytes.ts'

/** A file or a pasted text, and its name. */
export interface Source {
  readonly name: string
  readonly blob: Blob
}

/** A document of a source; without bytes if it is larger than the limit. */
export interface SourceDocument {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer> | undefined
}

/** Most files have their first line within that many bytes. */
const HEAD_BYTES = 1 << 16

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Thrown where a list is malformed; the documents before that place were returned. */
export class InvalidListError extends Error {}

/** The documents of a list, or of a file with one per line, read as a stream. Any other source is one document. */
export async function* documentsIn({ name, blob }: Source): AsyncGenerator<SourceDocument> {
  const form = /\.ya?ml$/i.test(name) ? 'document' : await formOf(blob)
  if (form === 'document') {
    yield { name, bytes: blob.size > MOST_BYTES ? undefined : new Uint8Array(await blob.arrayBuffer()) }
    return
  }
  if (form === 'list') return yield* new ListSplitter(name).split(chunksOf(blob))
  // A copy, because a line may be a part of a chunk, which would stay with it.
  for await (const { number, bytes } of splitLines(chunksOf(blob), { most: MOST_BYTES, isRaw: true }))
    if (bytes?.every(isBlank) !== true) yield { name: `${name}:${number}`, bytes: bytes?.slice() }
}

async function* chunksOf(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = (blob.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
  try {
    for (let next = reader.read(); ; ) {
      const { done, value } = await next
      if (done) return
      // The next chunk is read while this one is split and processed; `await` reports its failure.
      next = reader.read()
      next.catch(() => {})
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

/** Decides by the beginning of a source: a JSON list begins with a bracket; each line of JSON Lines is an object. */
async function formOf(blob: Blob): Promise<'document' | 'list' | 'lines'> {
  let text = await blob.slice(0, HEAD_BYTES).text()
  if (!text.includes('\n')) text = await blob.slice(0, MOST_BYTES).text()
  if (/^\ufeff?\s*\[/.test(text)) return 'list'
  return /^\ufeff?\s*\{[^\n]*\}[^\S\n]*\n\s*\{/.test(text) ? 'lines' : 'document'
}

/** Collects the bytes of a document from the chunks of a stream. Drops them once the document is too large. */
class DocumentBuffer {
  #parts: Uint8Array[] = []
  #length = 0

  add(part: Uint8Array): void {
    this.#length += part.length
    if (this.#length > MOST_BYTES) this.#parts = []
    else this.#parts.push(part.slice())
  }

  /** Returns the bytes, and empties the buffer. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    const isTooLarge = this.#length > MOST_BYTES
    const bytes = joinBytes(this.#parts)
    this.#parts = []
    this.#length = 0
    return isTooLarge ? undefined : bytes
  }
}

/**
 * Splits a JSON array at the commas between its elements. The text of an element is not checked here, but by the parser
 * of documents.
 */
class ListSplitter {
  readonly #name: string
  readonly #element = new DocumentBuffer()
  #count = 0
  #depth = 0
  #inString = false
  #isEscaped = false
  /** True once the element has a byte that is not blank. */
  #hasBegun = false
  #state: 'before' | 'inside' | 'after' = 'before'

  constructor(name: string) {
    this.#name = name
  }

  async *split(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourceDocument> {
    for await (const chunk of chunks) yield* this.#split(chunk)
    if (this.#state !== 'after') throw new InvalidListError(`The list ends without a closing ], ${this.#where()}.`)
  }

  *#split(chunk: Uint8Array): Generator<SourceDocument> {
    let from = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#inString = false
        continue
      }
      if (isBlank(byte)) {
        if (!this.#hasBegun) from = i + 1
        continue
      }
      if (this.#state !== 'inside') {
        if (this.#state === 'after')
          throw new InvalidListError(`Unexpected text after the end of the list, ${this.#where()}.`)
        if (byte !== OPEN_LIST) continue
        this.#state = 'inside'
        from = i + 1
        continue
      }
      const isEnd = this.#depth === 0 && (byte === COMMA || byte === CLOSE_LIST)
      if (!isEnd) {
        this.#hasBegun = true
        if (byte === QUOTE) this.#inString = true
        else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth++
        else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth--
        continue
      }
      if (!this.#hasBegun && (byte === COMMA || this.#count > 0)) {
        throw new InvalidListError(`The list has a comma without an element, ${this.#where()}.`)
      }
      if (byte === CLOSE_LIST) this.#state = 'after'
      this.#element.add(chunk.subarray(from, i))
      from = i + 1
      yield* this.#taken()
    }
    if (this.#state === 'inside') this.#element.add(chunk.subarray(from))
  }

  #taken(): readonly SourceDocument[] {
    const bytes = this.#element.take()
    if (!this.#hasBegun) return []
    this.#hasBegun = false
    return [{ name: `${this.#name} [${this.#count++}]`, bytes }]
  }

  #where(): string {
    return this.#count === 0 ? 'before its first element' : `after element ${this.#count - 1}`
  }
}

/** True for the bytes between values in JSON (RFC 8259 section 2). */
const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** The same limit as for a file in the editor. A list, or a file with one document per line, may be of any size. */
export const MOST_BYTES = 8 << 20
/** Bounds the memory of the page; nobody searches more documents in a browser. */
export const MOST_DOCUMENTS = 200_000
