// OTLP in protobuf, compared with what OpenTelemetry's own exporter writes for the same spans in JSON and in protobuf.
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { describe, expect, test } from 'vitest'
import { readOtlpProtobuf } from '../../bindings/convert/otlp-protobuf.ts'
import { processorTime } from '../support/effort.ts'
import { random } from '../support/random.ts'

/** Spans with every kind of attribute, with events, links, states, and texts of all planes. */
function spans(): ReadableSpan[] {
  const memory = new InMemorySpanExporter()
  const resource = resourceFromAttributes({ 'service.name': 'tests', empty: '', list: ['a', 'b'] })
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(memory)] })
  const tracer = provider.getTracer('tracer', '1.2.3', { schemaUrl: 'https://opentelemetry.io/schemas/1.30.0' })
  const root = tracer.startSpan('invoke_agent scout', {
    kind: SpanKind.INTERNAL,
    startTime: [1_764_266_400, 123_456_789],
    attributes: {
      text: 'ä 雪 😀',
      yes: true,
      no: false,
      int: 42,
      negative: -7,
      large: 2 ** 53 - 1,
      half: 0.5,
      zero: 0,
    },
  })
  root.setAttribute('mixed', [1, 2.5, -3])
  root.addEvent('retry', { attempt: 2, 'exception.message': 'line\nbreak' }, [1_764_266_401, 5])
  const context = trace.setSpan(ROOT_CONTEXT, root)
  const child = tracer.startSpan(
    'execute_tool search',
    { kind: SpanKind.CLIENT, links: [{ context: root.spanContext(), attributes: { a: 1 } }] },
    context,
  )
  child.setStatus({ code: SpanStatusCode.ERROR, message: 'no such tool' })
  child.end([1_764_266_402, 0])
  root.setStatus({ code: SpanStatusCode.OK })
  root.end([1_764_266_403, 999_999_999])
  return memory.getFinishedSpans()
}

const readValue = (bytes: Uint8Array) => {
  const read = readOtlpProtobuf(bytes)
  if ('fault' in read) throw new Error(read.fault)
  return read.value
}
const faultOf = (bytes: Uint8Array) => {
  const read = readOtlpProtobuf(bytes)
  return 'fault' in read ? read.fault : undefined
}
const bytesOf = () => ProtobufTraceSerializer.serializeRequest(spans())!

/** A field with a length before its bytes. */
function field(number: number, content: Uint8Array): Uint8Array {
  const length: number[] = []
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    length.push(rest < 128 ? rest : (rest % 128) | 128)
    if (rest < 128) break
  }
  return Uint8Array.from([(number << 3) | 2, ...length, ...content])
}

describe('readOtlpProtobuf', () => {
  test('reads what the exporter writes in JSON for the same spans', () => {
    const all = spans()
    const json = JSON.parse(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(all)!))
    // Protobuf cannot tell an empty list from a missing one.
    const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0
    const full = JSON.parse(JSON.stringify(json, (_, value) => (isEmpty(value) ? undefined : value)))
    expect(readValue(ProtobufTraceSerializer.serializeRequest(all)!)).toEqual(full)
  })

  test('keeps integers that a double cannot hold, negative ones, infinity and bytes', () => {
    const any = (...value: number[]) => {
      const keyValue = Uint8Array.from([
        ...field(1, new TextEncoder().encode('k')),
        ...field(2, Uint8Array.from(value)),
      ])
      const read = readValue(field(1, field(1, field(1, keyValue))))
      return JSON.parse(JSON.stringify(read)).resourceSpans[0].resource.attributes[0].value
    }
    expect(any(0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)).toEqual({ intValue: '9223372036854775807' })
    expect(any(0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)).toEqual({ intValue: -1 })
    expect(any(0x21, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f)).toEqual({ doubleValue: 'Infinity' })
    expect(any(0x3a, 2, 0xff, 0x00)).toEqual({ bytesValue: '/wA=' })
    expect(any(0x10, 1, 0x0a, 1, 0x61), 'the last value counts').toEqual({ stringValue: 'a' })
    expect(any(0xf8, 0x7f, 5, 0x0a, 0), 'an unknown field is skipped').toEqual({ stringValue: '' })
  })

  test('refuses a body that ends early at each byte, or reads the whole messages before it', () => {
    const bytes = bytesOf()
    const faults = Array.from(bytes, (_, end) => faultOf(bytes.subarray(0, end)))
    expect(faults.filter((fault) => fault === undefined).length, 'only the empty body is whole').toBe(1)
    expect(faults[100]).toMatch(/^Byte \d+: a field ends behind the last byte$/)
  })

  test('refuses messages that end behind the one around them, numbers without an end, and unknown wire types', () => {
    expect(faultOf(Uint8Array.from([0x0a, 2, 0x0a, 2, 0x10, 0]))).toMatch(/behind its message/)
    expect(faultOf(new Uint8Array(20).fill(0xff))).toMatch(/more than ten bytes/)
    expect(faultOf(Uint8Array.from([0x0b]))).toMatch(/wire type 3/)
    expect(faultOf(Uint8Array.from([0x0a, 3, 0x1a, 1, 0xff]))).toMatch(/not UTF-8/)
  })

  test('refuses 1 MB of nested lists and half a million empty messages within seconds', () => {
    let nested = new Uint8Array(0) as Uint8Array
    while (nested.length < 2_000) nested = field(5, field(1, nested))
    const attribute = (value: Uint8Array) => field(1, field(1, field(1, field(2, value))))
    const start = processorTime()
    expect(faultOf(attribute(nested))).toMatch(/more than 128 messages are nested/)
    const flat = new Uint8Array(1 << 20).map((_, i) => (i % 2 === 0 ? 0x0a : 0))
    expect(faultOf(flat)).toMatch(/more than 250000 fields/)
    // A message in a message, each as long as the rest.
    const deep = new Uint8Array(1 << 20).fill(0x0a)
    expect(faultOf(deep)).toBeDefined()
    expect(processorTime() - start).toBeLessThan(5000)
  })

  test('answers 2,000 changed bodies with a value or a fault', () => {
    const [bytes, next] = [bytesOf(), random(7)]
    for (let i = 0; i < 2_000; i++) {
      const changed = bytes.slice()
      for (let n = 0; n <= next() * 3; n++) changed[Math.floor(next() * changed.length)] = Math.floor(next() * 256)
      expect(readOtlpProtobuf(changed)).toSatisfy((read: object) => 'value' in read || 'fault' in read)
    }
  })
})
