// Traces of OTLP in protobuf, read into the form of OTLP/JSON by one table of fields (opentelemetry-proto 1.7).
import { encodeBase64 } from '../keys/base64.ts'
import { toHex } from '../text/bytes.ts'
import type { JsonObject } from '../text/members.ts'

/** Each level of a list or map in an attribute takes up to three messages. */
const MOST_DEPTH = 128
/** Empty messages take two bytes, and much more as objects. */
const MOST_FIELDS = 250_000

const [VARINT, FIXED64, BYTES, FIXED32] = [0, 1, 2, 5] as const

/** The wire type of each scalar, and its value in OTLP/JSON. */
const SCALARS = {
  text: [BYTES, (wire: Wire) => decoder.decode(wire.bytes())],
  hex: [BYTES, (wire: Wire) => toHex(wire.bytes())],
  base64: [BYTES, (wire: Wire) => encodeBase64(wire.bytes())],
  flag: [VARINT, (wire: Wire) => wire.long() !== 0n],
  int64: [VARINT, (wire: Wire) => exact(BigInt.asIntN(64, wire.long()))],
  uint32: [VARINT, (wire: Wire) => Number(BigInt.asUintN(32, wire.long()))],
  double: [FIXED64, (wire: Wire) => finite(wire.view(8).getFloat64(0, true))],
  nanoseconds: [FIXED64, (wire: Wire) => String(wire.view(8).getBigUint64(0, true))],
  fixed32: [FIXED32, (wire: Wire) => wire.view(4).getUint32(0, true)],
} as const

/** The fields of each message in the order of their numbers, with their types; a star is a list. */
const MESSAGES = {
  request: 'resourceSpans:resourceSpans*',
  resourceSpans: 'resource:resource scopeSpans:scopeSpans* schemaUrl:text',
  resource: 'attributes:keyValue* droppedAttributesCount:uint32',
  scopeSpans: 'scope:scope spans:span* schemaUrl:text',
  scope: 'name:text version:text attributes:keyValue* droppedAttributesCount:uint32',
  span: `traceId:hex spanId:hex traceState:text parentSpanId:hex name:text kind:uint32 startTimeUnixNano:nanoseconds
    endTimeUnixNano:nanoseconds attributes:keyValue* droppedAttributesCount:uint32 events:event*
    droppedEventsCount:uint32 links:link* droppedLinksCount:uint32 status:status flags:fixed32`,
  event: 'timeUnixNano:nanoseconds name:text attributes:keyValue* droppedAttributesCount:uint32',
  link: 'traceId:hex spanId:hex traceState:text attributes:keyValue* droppedAttributesCount:uint32 flags:fixed32',
  status: 'deprecatedCode:uint32 message:text code:uint32',
  keyValue: 'key:text value:anyValue',
  anyValue: `stringValue:text boolValue:flag intValue:int64 doubleValue:double arrayValue:arrayValue
    kvlistValue:kvlistValue bytesValue:base64`,
  arrayValue: 'values:anyValue*',
  kvlistValue: 'values:keyValue*',
}

interface Field {
  readonly name: string
  readonly wireType: number
  readonly isList: boolean
  read(wire: Wire, depth: number): unknown
}

const FIELDS: Readonly<Record<string, readonly Field[]>> = Object.fromEntries(
  Object.entries(MESSAGES).map(([message, row]) => [message, row.split(/\s+/).map(fieldIn)]),
)

function fieldIn(text: string): Field {
  const [, name, type, star] = /^(\w+):(\w+)(\*?)$/.exec(text) as unknown as [string, string, string, string]
  const scalar = Object.hasOwn(SCALARS, type) ? SCALARS[type as keyof typeof SCALARS] : undefined
  const [wireType, read] = scalar ?? [
    BYTES,
    (wire: Wire, depth: number) => readMessage(wire, type, wire.length() + wire.at, depth + 1),
  ]
  return { name, wireType, isList: star === '*', read }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const exact = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value))
const finite = (value: number) => (Number.isFinite(value) ? value : String(value))

class Wire {
  at = 0
  fields = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  view(length: number): DataView {
    if (length > this.#bytes.length - this.at) throw new RangeError('a field ends behind the last byte')
    this.at += length
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + this.at - length, length)
  }

  bytes(): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.view(this.length())
    return new Uint8Array(buffer, byteOffset, byteLength)
  }

  /** A tag or a length: one that is too large is behind the last byte. */
  length(): number {
    return Number(this.long())
  }

  long(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.view(1).getUint8(0)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new RangeError('a number has more than ten bytes')
  }

  skip(type: number): void {
    if (type === VARINT) this.long()
    else if (type === BYTES) this.bytes()
    else if (type === FIXED64 || type === FIXED32) this.view(type === FIXED64 ? 8 : 4)
    else throw new RangeError(`wire type ${type} is not supported`)
  }
}

export declare namespace readOtlpProtobuf {
  /** What a body holds, in the form of OTLP/JSON, or why it cannot be read. */
  type Result = { readonly value: JsonObject } | { readonly fault: string }
}

/** Reads the body of a request that exports traces in protobuf. */
export function readOtlpProtobuf(bytes: Uint8Array): readOtlpProtobuf.Result {
  const wire = new Wire(bytes)
  try {
    return { value: readMessage(wire, 'request', bytes.length, 0) }
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error
    const fault = error instanceof RangeError ? error.message : 'a text is not UTF-8'
    return { fault: `Byte ${wire.at}: ${fault}` }
  }
}

function readMessage(wire: Wire, message: string, end: number, depth: number): JsonObject {
  if (depth > MOST_DEPTH) throw new RangeError(`more than ${MOST_DEPTH} messages are nested`)
  let read: Record<string, unknown> = {}
  while (wire.at < end) {
    if (++wire.fields > MOST_FIELDS) throw new RangeError(`there are more than ${MOST_FIELDS} fields`)
    const tag = wire.length()
    const [field, wireType] = [FIELDS[message]![(tag >>> 3) - 1], tag & 7]
    if (field === undefined || wireType !== field.wireType) {
      wire.skip(wireType)
      continue
    }
    const { name, isList } = field
    const value = field.read(wire, depth)
    // Only the last value of an attribute counts.
    if (message === 'anyValue') read = {}
    if (!isList) read[name] = value
    else if (read[name] === undefined) read[name] = [value]
    else (read[name] as unknown[]).push(value)
  }
  if (wire.at > end) throw new RangeError('a field ends behind its message')
  return read
}
