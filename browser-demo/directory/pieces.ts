import { MOST_BYTES } from './limits.ts'

/** A file, or a text that was pasted, and its name. */
export interface Source {
  readonly name: string
  readonly blob: Blob
}

/** A document of a source; without bytes when it is larger than a document may be. */
export interface Piece {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer> | undefined
}

/** Bytes that the first line of most files is in. */
const HEAD_BYTES = 1 << 16

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const LINE_END = 0x0a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A source whose list is broken; the documents before that place were given. */
export class BrokenList extends Error {}

/** The documents of a list, or of a file with one per line, read as a stream; any other source is one document. */
export async function* piecesOf({ name, blob }: Source): AsyncGenerator<Piece> {
  const form = /\.ya?ml$/i.test(name) ? 'document' : await formOf(blob)
  if (form === 'document') {
    yield { name, bytes: blob.size > MOST_BYTES ? undefined : new Uint8Array(await blob.arrayBuffer()) }
    return
  }
  const cutter = form === 'list' ? new List(name) : new Lines(name)
  const reader = (blob.stream() as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
  try {
    for (let coming = reader.read(); ; ) {
      const { done, value } = await coming
      if (done) break
      // The next chunk is on its way while this one is cut and taken; that it fails is found when it is awaited.
      coming = reader.read()
      coming.catch(() => {})
      yield* cutter.cut(value)
    }
  } finally {
    await reader.cancel()
  }
  yield* cutter.end()
}

/** By the beginning of a source: JSON lists begin with a bracket, and lines of JSON are objects each. */
async function formOf(blob: Blob): Promise<'document' | 'list' | 'lines'> {
  let text = await blob.slice(0, HEAD_BYTES).text()
  if (!text.includes('\n')) text = await blob.slice(0, MOST_BYTES).text()
  if (/^\ufeff?\s*\[/.test(text)) return 'list'
  return /^\ufeff?\s*\{[^\n]*\}[^\S\n]*\n\s*\{/.test(text) ? 'lines' : 'document'
}

/** The bytes of a document that chunks of a stream bring; none are kept of one that is too large. */
class Collected {
  #parts: Uint8Array[] = []
  #length = 0

  add(part: Uint8Array): void {
    this.#length += part.length
    if (this.#length > MOST_BYTES) this.#parts = []
    else this.#parts.push(part.slice())
  }

  /** The bytes so far, after which it is empty again. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    const isTooLarge = this.#length > MOST_BYTES
    const bytes = new Uint8Array(isTooLarge ? 0 : this.#length)
    let at = 0
    for (const part of this.#parts) {
      bytes.set(part, at)
      at += part.length
    }
    this.#parts = []
    this.#length = 0
    return isTooLarge ? undefined : bytes
  }
}

class Lines {
  readonly #name: string
  readonly #line = new Collected()
  #number = 0

  constructor(name: string) {
    this.#name = name
  }

  *cut(chunk: Uint8Array): Generator<Piece> {
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      this.#line.add(chunk.subarray(from, end))
      from = end + 1
      yield* this.end()
    }
    this.#line.add(chunk.subarray(from))
  }

  end(): readonly Piece[] {
    const bytes = this.#line.take()
    const name = `${this.#name}:${++this.#number}`
    return bytes?.every(isBlank) === true ? [] : [{ name, bytes }]
  }
}

/**
 * Cuts a JSON array at the commas between its elements. What stands between two of them is for the reader of documents to
 * judge.
 */
class List {
  readonly #name: string
  readonly #element = new Collected()
  #count = 0
  #depth = 0
  #inString = false
  #isEscaped = false
  /** False until something but blanks stands in the element. */
  #hasBegun = false
  #state: 'before' | 'inside' | 'behind' = 'before'

  constructor(name: string) {
    this.#name = name
  }

  *cut(chunk: Uint8Array): Generator<Piece> {
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
        if (this.#state === 'behind') throw new BrokenList(`Something stands behind the list ${this.#where()}.`)
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
        throw new BrokenList(`An element is missing in the list ${this.#where()}.`)
      }
      if (byte === CLOSE_LIST) this.#state = 'behind'
      this.#element.add(chunk.subarray(from, i))
      from = i + 1
      yield* this.#taken()
    }
    if (this.#state === 'inside') this.#element.add(chunk.subarray(from))
  }

  end(): readonly Piece[] {
    if (this.#state === 'behind') return []
    throw new BrokenList(`The list breaks off ${this.#where()}: it has no ] at its end.`)
  }

  #taken(): readonly Piece[] {
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
