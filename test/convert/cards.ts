// Agent Cards to convert: the specification's example, one with everything, and arbitrary ones.
import fc from 'fast-check'
import { EXAMPLE as CARD } from '../card/support.ts'
import type { Json } from './samples.ts'

/** Agent Card 3.9. */
export const EXAMPLE: Json = CARD

/** Everything that conversions read and the example lacks. */
export const RICH: Json = {
  ...EXAMPLE,
  tools: [
    ...(EXAMPLE['tools'] as Json[]),
    { name: 'glossary', streaming: true, output_schema: { type: 'array', items: {} }, x_unknown: [1] },
    { name: 'Detect Language!', description: 'Detect Language!', input_schema: {} },
  ],
  endpoints: [
    ...(EXAMPLE['endpoints'] as Json[]),
    { protocol: 'grpc', uri: 'grpc://api.example.com:443', auth: 'bearer', priority: 5 },
    { protocol: 'http+json', uri: 'https://api.example.com/open', auth: 'none', priority: 20 },
    { protocol: 'ws', uri: 'wss://api.example.com/ws', auth: 'mutual_tls' },
    { protocol: 'carrier-pigeon', uri: 'loft:7' },
  ],
  extensions: { 'clawnet.reputation': { score: 78.5 }, 'com.example': { a: { b: null } } },
  seq: 7,
  signature: 'c2lnbmF0dXJl',
  unknown: { kept: true },
}

export const MINIMAL: Json = { id: 'agent://scout', name: 'Scout' }

/** Chosen to produce values that equal a fallback, are empty, repeated or of another type. */
const text = fc.constantFrom('', 'Scout', 'a', 'b c', '0.0.0', 'agent-itself', 'x,y', 'nlp/translation', '__proto__')
const odd = fc.oneof(text, fc.constantFrom(0, true, null, [], {}))
const schema = fc.constantFrom({}, { type: 'object' }, { type: 'array' }, { type: 'object', properties: { a: {} } })
const tool = fc.record(
  {
    name: fc.oneof({ weight: 9, arbitrary: text }, odd),
    description: text,
    input_schema: fc.oneof({ weight: 9, arbitrary: schema }, odd),
    output_schema: schema,
    streaming: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, odd),
    idempotent: fc.boolean(),
    x_more: odd,
  },
  { requiredKeys: ['name'] },
)
const endpoint = fc.record(
  {
    protocol: fc.constantFrom('aitp', 'http+json', 'grpc', 'ws', 'other', 7),
    uri: fc.constantFrom(
      'https://a.example/1',
      'https://b.example',
      'grpc://c.example:443',
      'wss://d.example',
      'x',
      '',
    ),
    auth: fc.constantFrom('none', 'bearer', 'mutual_tls', 'aitp_signed', 'constructor', 7),
    priority: fc.constantFrom(0, 1, -1, 'first'),
    methods: fc.constantFrom([], ['a']),
  },
  { requiredKeys: ['protocol', 'uri'] },
)

/** Agent Cards that may be malformed except for id and name. */
export const arbitraryCard = fc.record(
  {
    id: fc.constant('agent://scout'),
    name: text.filter((name) => name !== ''),
    description: text,
    version: fc.constantFrom('1.0.0', '0.0.0', 'v1', ''),
    skills: fc.oneof(
      { weight: 9, arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: text }, odd), { maxLength: 4 }) },
      odd,
    ),
    tools: fc.oneof(
      { weight: 9, arbitrary: fc.array(fc.oneof({ weight: 9, arbitrary: tool }, odd), { maxLength: 4 }) },
      odd,
    ),
    endpoints: fc.oneof({ weight: 9, arbitrary: fc.array(endpoint, { maxLength: 4 }) }, odd),
    constraints: fc.oneof(
      fc.constant({ supported_languages: ['zh'], rate_limit: '60/min', max_concurrent_tasks: 3, max_input_tokens: 9 }),
      odd,
    ),
    metadata: fc.oneof(fc.constant({ created_at: '2026-01-15T00:00:00Z', ttl: 60 }), odd),
    extensions: fc.constantFrom({}, { 'a.b': { c: 1 } }, { 'a.b': 7 }),
    did: text,
    seq: fc.constantFrom(0, 7),
    signature: text,
    __more: odd,
  },
  { requiredKeys: ['id', 'name'] },
) as unknown as fc.Arbitrary<Json>
