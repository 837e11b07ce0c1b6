// The frames of the Language Server Protocol 3.17, base protocol: a header with Content-Length, an empty line, JSON.
import { once } from 'node:events'
import { parse } from '../../bindings/document/parse.ts'
import { joinBytes } from '../../bindings/text/bytes.ts'
import type { Output } from '../host.ts'

/** The most bytes of a message: editors do not send larger documents. */
export const MOST_MESSAGE = 32 << 20
/** The most bytes of a header. */
export const MOST_HEADER = 4096

const END = Buffer.from('\r\n\r\n')
const LENGTH = /(?:^|\r\n)content-length:[ \t]*(\d{1,20})[ \t]*(?=\r\n|$)/gi

/** The reason why the rest of a stream cannot be understood. */
export class FrameError extends Error {}

/** Cuts a stream into the bodies of its messages. */
export class Frames {
  #parts: Uint8Array[] = []
  #length = 0
  /** The length of the next body; undefined while the header is read. */
  #wanted: number | undefined;

  /** @throws {FrameError} for a header without a valid length, or with too long a one. */
  *take(chunk: Uint8Array): Generator<Uint8Array> {
    this.#parts.push(chunk)
    this.#length += chunk.length
    // Joined only when there is a whole body: a large message arrives in many chunks.
    while (this.#length >= (this.#wanted ?? 1)) {
      const bytes = this.#parts.length === 1 ? this.#parts[0]! : joinBytes(this.#parts)
      let rest = bytes
      if (this.#wanted === undefined) {
        const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(END)
        if (end > MOST_HEADER || (end < 0 && bytes.length > MOST_HEADER))
          throw new FrameError(`the header of a message has more than ${MOST_HEADER} bytes`)
        this.#keep(bytes)
        if (end < 0) return
        this.#wanted = lengthIn(Buffer.from(bytes.subarray(0, end)).toString('latin1'))
        rest = bytes.subarray(end + END.length)
      } else {
        const wanted = this.#wanted
        this.#wanted = undefined
        rest = bytes.subarray(wanted)
        yield bytes.subarray(0, wanted)
      }
      this.#keep(rest)
    }
  }

  #keep(bytes: Uint8Array): void {
    this.#parts = bytes.length === 0 ? [] : [bytes]
    this.#length = bytes.length
  }
}

function lengthIn(header: string): number {
  const [found, second] = header.matchAll(LENGTH)
  if (found === undefined || second !== undefined) throw new FrameError('the header of a message has no Content-Length')
  const length = Number(found[1])
  if (length > MOST_MESSAGE) throw new FrameError(`a message has ${found[1]} bytes, more than ${MOST_MESSAGE}`)
  return length
}

/** An escaped backslash, an escaped pair, or half of a pair. */
const HALVES = /\\\\|\\u(d[89ab][\da-f]{2})(\\ud[c-f][\da-f]{2})?|\\u(d[c-f][\da-f]{2})/gi

/** The value of a body. Half of a surrogate pair becomes U+FFFD, which is as long: JSON for it cannot be exact. */
export function messageIn(body: Uint8Array): unknown {
  const { document } = parse(body)
  if (document !== undefined) return document.value
  const mend = (all: string, high?: string, low?: string, lone?: string) =>
    (high !== undefined && low === undefined) || lone !== undefined ? '\\ufffd' : all
  const mended = parse(Buffer.from(body).toString().replace(HALVES, mend)).document
  if (mended === undefined) throw new FrameError('a message is not valid JSON')
  return mended.value
}

/** Writes a message, and waits while the client does not read. */
export async function send(output: Output, message: object): Promise<void> {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const frame = Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
  const isFull = output.write(frame) === false && 'once' in output
  if (isFull) await Promise.race([once(output as never, 'drain'), once(output as never, 'close')])
}
