// WebSocket frames (RFC 6455 section 5), as a client reads and writes them. Each byte is copied once, and messages over
// the limit are not stored.
//
//     81 05 48 65 6c 6c 6f                   a server's frame: the last one, text, 5 bytes, `Hello`
//     81 85 37 fa 21 3d 7f 9f 4d 51 58       a client's: masked by 37 fa 21 3d
import { joinBytes } from '../text/bytes.ts'

/** A received message, or a frame that needs a reply. */
export type Frame =
  | { readonly is: 'text'; readonly data: string }
  | { readonly is: 'binary'; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly is: 'ping'; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly is: 'close'; readonly code: number; readonly reason: string }

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** Why a connection must end, with the close code to send. */
export class FrameFault extends Error {
  override readonly name = 'FrameFault'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** The limit for one message: each part costs more than its bytes. */
const MOST_PARTS = 1024
const MOST_OF_CONTROL = 125
const FINAL = 0x80
const RESERVED = 0x70
const MASKED = 0x80

interface Head {
  readonly opcode: number
  readonly isFinal: boolean
  readonly length: number
}

export class FrameReader {
  readonly #mostBytes: number
  #target: Uint8Array<ArrayBuffer> = new Uint8Array(2)
  #filled = 0
  /** The first two bytes, while the extended length after them is read. */
  #first: Uint8Array<ArrayBuffer> | undefined
  #head: Head | undefined
  #opcode: number | undefined
  #parts: Uint8Array<ArrayBuffer>[] = []
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /**
   * Reads bytes and returns the messages that they complete.
   *
   * @throws {FrameFault} for anything that a server must not send.
   */
  *read(chunk: Uint8Array): Generator<Frame> {
    let at = 0
    for (;;) {
      const taken = chunk.subarray(at, at + this.#target.length - this.#filled)
      this.#target.set(taken, this.#filled)
      this.#filled += taken.length
      at += taken.length
      if (this.#filled < this.#target.length) return
      const frame = this.#next(this.#target)
      if (frame !== undefined) yield frame
    }
  }

  #next(bytes: Uint8Array<ArrayBuffer>): Frame | undefined {
    if (this.#head !== undefined) {
      const head = this.#head
      this.#head = undefined
      this.#expect(2)
      return this.#frame(head, bytes)
    }
    const more = this.#first === undefined ? lengthBytes(bytes) : 0
    if (more > 0) {
      this.#first = bytes
      this.#expect(more)
      return undefined
    }
    this.#head = this.#headOf(this.#first ?? bytes, this.#first && bytes)
    this.#first = undefined
    this.#expect(this.#head.length)
    return undefined
  }

  #expect(length: number): void {
    this.#target = new Uint8Array(length)
    this.#filled = 0
  }

  #headOf([first = 0, second = 0]: Uint8Array, more: Uint8Array<ArrayBuffer> | undefined): Head {
    const opcode = first & 0x0f
    const isFinal = (first & FINAL) !== 0
    if ((first & RESERVED) !== 0)
      throw new FrameFault(CLOSE_CODES.protocol, 'reserved bits are set, and no extension was agreed')
    if ((second & MASKED) !== 0) throw new FrameFault(CLOSE_CODES.protocol, 'a frame of a server is masked')
    if (!Object.values<number>(OPCODE).includes(opcode))
      throw new FrameFault(CLOSE_CODES.protocol, `an opcode ${opcode}`)
    const length = more === undefined ? second & 0x7f : longLength(more)
    if (opcode >= OPCODE.close && (!isFinal || length > MOST_OF_CONTROL))
      throw new FrameFault(CLOSE_CODES.protocol, 'a control frame that is too long or in parts')
    if (opcode < OPCODE.close && (opcode === OPCODE.continuation) === (this.#opcode === undefined))
      throw new FrameFault(CLOSE_CODES.protocol, 'parts of messages are out of order')
    if (opcode < OPCODE.close && length + this.#bytes > this.#mostBytes)
      throw new FrameFault(CLOSE_CODES.tooLarge, `a message of more than ${this.#mostBytes} bytes`)
    return { opcode, isFinal, length }
  }

  #frame({ opcode, isFinal }: Head, data: Uint8Array<ArrayBuffer>): Frame | undefined {
    if (opcode === OPCODE.ping) return { is: 'ping', data }
    if (opcode === OPCODE.pong) return undefined
    if (opcode === OPCODE.close) return { is: 'close', code: closeCode(data), reason: decodeText(data.subarray(2)) }
    if (opcode !== OPCODE.continuation) this.#opcode = opcode
    this.#parts.push(data)
    this.#bytes += data.length
    if (this.#parts.length > MOST_PARTS)
      throw new FrameFault(CLOSE_CODES.policy, `a message in more than ${MOST_PARTS} parts`)
    return isFinal ? this.#message() : undefined
  }

  #message(): Frame {
    const data = joinBytes(this.#parts)
    const isText = this.#opcode === OPCODE.text
    this.#opcode = undefined
    this.#parts = []
    this.#bytes = 0
    return isText ? { is: 'text', data: decodeText(data) } : { is: 'binary', data }
  }
}

const lengthBytes = ([, second = 0]: Uint8Array): number => ({ 126: 2, 127: 8 })[second & 0x7f] ?? 0

/** Reads an extended length, which must use the fewest bytes possible (section 5.2). */
function longLength(bytes: Uint8Array<ArrayBuffer>): number {
  const view = new DataView(bytes.buffer)
  const length = bytes.length === 2 ? view.getUint16(0) : Number(view.getBigUint64(0))
  if (length < (bytes.length === 2 ? 126 : 65_536))
    throw new FrameFault(CLOSE_CODES.protocol, 'a length in more bytes than it takes')
  return length
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new FrameFault(CLOSE_CODES.notUtf8, 'text that is not UTF-8')
  }
}

function closeCode(data: Uint8Array): number {
  if (data.length === 0) return CLOSE_CODES.noCode
  const code = data.length === 1 ? 0 : (data[0]! << 8) | data[1]!
  const isOne = (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)
  if (!isOne) throw new FrameFault(CLOSE_CODES.protocol, `the close code ${code}`)
  return code
}

/**
 * Builds a client frame. It is masked, so that an attacker cannot make intermediaries see a request in it (section
 * 10.3).
 */
export function clientFrame(opcode: number, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const more = data.length < 126 ? 0 : data.length < 65_536 ? 2 : 8
  const head = 2 + more
  const frame = new Uint8Array(head + 4 + data.length)
  const view = new DataView(frame.buffer)
  frame[0] = FINAL | opcode
  frame[1] = MASKED | (more === 0 ? data.length : more === 2 ? 126 : 127)
  if (more === 2) view.setUint16(2, data.length)
  if (more === 8) view.setBigUint64(2, BigInt(data.length))
  const mask = crypto.getRandomValues(frame.subarray(head, head + 4))
  for (let i = 0; i < data.length; i++) frame[head + 4 + i] = data[i]! ^ mask[i & 3]!
  return frame
}

export const closeData = (code: number): Uint8Array => Uint8Array.of(code >> 8, code & 0xff)

/** WebSocket close codes: those of RFC 6455 section 7.4.1, and one of our own. */
export const CLOSE_CODES = {
  normal: 1000,
  protocol: 1002,
  notText: 1003,
  noCode: 1005,
  abnormal: 1006,
  notUtf8: 1007,
  policy: 1008,
  tooLarge: 1009,
  broken: 1011,
  later: 1013,
  /** Our own: the agent opened a newer conversation that replaces this one. */
  replaced: 4000,
} as const
