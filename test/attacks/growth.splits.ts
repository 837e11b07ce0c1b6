// Input in two dimensions that could multiply, for each parser. Both grow together: doubled input may cost three times.

import { compile, diff, type PermissionRequest } from '../../bindings/adl/index.ts'
import { readArchive, writeArchive } from '../../bindings/agentlang/container/archive.ts'
import { compileTemplate as compileToolTemplate, Template } from '../../bindings/agentlang/run/template.ts'
import { compilePrompt } from '../../bindings/agentlang/verbs.ts'
import { convertRuns, runsFromOtlp } from '../../bindings/convert/index.ts'
import { readOtlpProtobuf } from '../../bindings/convert/otlp-protobuf.ts'
import { originsOf } from '../../bindings/convert/steps.ts'
import { createIndex } from '../../bindings/core/index-search.ts'
import { canonicalize, canonicalizeWithout } from '../../bindings/core/json.ts'
import { compilePatterns, type PatternKind } from '../../bindings/core/patterns.ts'
import { compileTemplate } from '../../bindings/core/template.ts'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { readAdpTxts } from '../../bindings/discover/dns/adp-txt.ts'
import { decodeMessage } from '../../bindings/discover/dns/message.ts'
import { svcbFromText, svcbToText } from '../../bindings/discover/dns/zone-text.ts'
import { formatJson } from '../../bindings/document/fmt.ts'
import { read } from '../../bindings/document/read.ts'
import { covers } from '../../bindings/runs/identity/capability.ts'
import { notesIn } from '../../bindings/runs/stream/note.ts'
import { diffRuns } from '../../bindings/runs/verbs.ts'
import { CompiledSchema, checkSchema, compileSchema } from '../../bindings/schema/index.ts'
import { validate } from '../../bindings/verbs.ts'

/** One parser and its input: `m` of the first dimension and `n` of the second. */
export interface Split {
  readonly name: string
  /** Whether the input has about m + n units, such as names and patterns, or m times n, such as levels of members. */
  readonly area: 'sum' | 'product'
  /** The largest m and n. */
  readonly size: readonly [m: number, n: number]
  /** The limit at which the work ends, where the dimensions multiply up to it. */
  readonly bound?: string
  /** Makes the input, whose cost does not count, and the call. */
  make(m: number, n: number): () => unknown
}

const list = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const object = <T>(count: number, name: (i: number) => string, value: (i: number) => T) =>
  Object.fromEntries(list(count, (i) => [name(i), value(i)]))
const named = <T>(count: number, value: (i: number) => T) => object(count, (i) => `n${i}`, value)
const long = (size: number) => 'abcdefg '.repeat(Math.ceil(size / 8)).slice(0, size)
const lines = (count: number, make: (i: number) => string) => list(count, make).join('\n')
const bytes = (text: string) => new TextEncoder().encode(text)
const levels = (depth: number, inner: string, [open, close]: readonly [string, string]) =>
  open.repeat(depth) + inner + close.repeat(depth)

const rows = (
  parser: string,
  area: Split['area'],
  size: Split['size'],
  call: (input: string) => unknown,
  inputs: Readonly<Record<string, (m: number, n: number) => string>>,
): readonly Split[] =>
  Object.entries(inputs).map(([name, input]) => ({
    name: `${parser}: ${name}`,
    area,
    size,
    make(m, n) {
      const text = input(m, n)
      return () => call(text)
    },
  }))

/** JSON of two dimensions that any reader of JSON gets. */
const JSON_PRODUCTS = {
  'objects x names': (m: number, n: number) => JSON.stringify(list(m, () => named(n, (i) => i))),
  'names x long texts': (m: number, n: number) => JSON.stringify(named(m, () => long(8 * n))),
  'long names x objects': (m: number, n: number) => JSON.stringify(list(m, (i) => ({ [long(8 * n)]: i }))),
  'texts x escapes': (m: number, n: number) => `[${list(m, () => `"${'\\u00e9\\n'.repeat(n)}"`).join(',')}]`,
  'levels x names': (m: number, n: number) =>
    list(m % 512, (i) => `{${list(n, (j) => `"n${j}":${i}`).join(',')}${n ? ',' : ''}"a":`).join('') +
    '0' +
    '}'.repeat(m % 512),
  'numbers x digits': (m: number, n: number) => `[${list(m, () => `1.${'7'.repeat(8 * n)}`).join(',')}]`,
  'faults x texts': (m: number, n: number) => `{${list(m, () => `"a":${JSON.stringify(long(8 * n))}`).join(',')}}`,
}
const PRODUCT = [256, 256] as const

const JSON_ROWS: readonly Split[] = [
  ...rows('canonicalize', 'product', PRODUCT, (text) => attempt(() => canonicalize(text)), JSON_PRODUCTS),
  ...rows(
    'canonicalizeWithout',
    'product',
    PRODUCT,
    (text) =>
      attempt(() =>
        canonicalizeWithout(
          text,
          list(32, (i) => `/n${i}/a/b/${i}`),
        ),
      ),
    JSON_PRODUCTS,
  ),
  ...rows('read JSON', 'product', PRODUCT, (text) => placesOf(text, 'json'), JSON_PRODUCTS),
  ...rows('format JSON', 'product', [128, 128], (text) => formatOf(text), JSON_PRODUCTS),
  ...rows('value', 'product', [192, 192], (text) => attempt(() => canonicalizeValue(JSON.parse(text))), JSON_PRODUCTS),
  {
    name: 'canonicalizeWithout: long pointers x levels',
    area: 'sum',
    size: [1000, 20_000],
    make(m, n) {
      const text = levels(Math.min(m, 1000), `"${long(n)}"`, ['{"a":', '}'])
      const pointers = list(32, (i) => `${'/a'.repeat(Math.min(m, 63))}/${long(n)}${i}`)
      return () => canonicalizeWithout(text, pointers)
    },
  },
]

/** Ends in an error of its own for input that it refuses. */
function attempt(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return (error as Error).name
  }
}

function formatOf(text: string): unknown {
  const { document } = read(text, { format: 'json' })
  return document && formatJson(document)
}

function placesOf(text: string, format: 'json' | 'yaml'): unknown {
  const { document, diagnostics } = read(text, { format })
  for (let i = 0; document !== undefined && i < 32; i++)
    document.source(document.pointerAt(Math.floor((text.length * i) / 32)))
  return diagnostics
}

const YAML_PRODUCTS = {
  'lists x names': (m: number, n: number) => lines(m, () => `- ${list(n, (i) => `n${i}: ${i}`).join('\n  ')}`),
  'levels x names': (m: number, n: number) =>
    lines(m % 60, (i) => `${list(n, (j) => `${' '.repeat(i)}n${j}: 1\n`).join('')}${' '.repeat(i)}a:`),
  'flow lists x entries': (m: number, n: number) => lines(m, () => `- [${list(n, (i) => `a${i}`).join(', ')}]`),
  'flow maps x names': (m: number, n: number) => lines(m, () => `- {${list(n, (i) => `a${i}: 1`).join(', ')}}`),
  'flow levels x entries': (m: number, n: number) => levels(m % 60, '0', [`[${'a, '.repeat(n)}`, ']']),
  'block texts x lines': (m: number, n: number) => lines(m, (i) => `n${i}: |\n${lines(n, () => '  abcdefg ')}`),
  'folded texts x lines': (m: number, n: number) =>
    lines(m, (i) => `n${i}: >-\n${lines(n, (j) => (j % 3 ? '  abcdefg ' : ''))}`),
  'quoted texts x escapes': (m: number, n: number) => lines(m, (i) => `n${i}: "${'\\u00e9\\n'.repeat(n)}"`),
  'quoted texts x lines': (m: number, n: number) => lines(m, (i) => `n${i}: "${lines(n, () => '  abcdefg ')}"`),
  'plain texts x lines': (m: number, n: number) => lines(m, (i) => `n${i}: a\n${lines(n, () => '  abcdefg ')}`),
  'comments x values': (m: number, n: number) => lines(m, (i) => `n${i}: 1 # ${long(8 * n)}`),
  'comment lines x values': (m: number, n: number) => lines(m, (i) => `n${i}: 1\n${'# a\n'.repeat(n)}`),
  'blank lines x values': (m: number, n: number) => lines(m, (i) => `n${i}: 1\n${'   \n'.repeat(n)}`),
  'names x same name': (m: number, n: number) => lines(m, () => `a: ${long(8 * n)}`),
  'bad escapes x texts': (m: number, n: number) => lines(m, (i) => `n${i}: "${'\\q'.repeat(n)}"`),
  'tags x values': (m: number, n: number) => lines(m, () => `- !${'a'.repeat(8 * n)} b`),
}
const YAML_SUMS = {
  'anchors x aliases': (m: number, n: number) =>
    `a:\n${lines(m, (i) => ` - &a${i} ${i}`)}\nb:\n${lines(n, (i) => ` - *a${i % Math.max(m, 1)}`)}`,
  'one long anchor x aliases': (m: number, n: number) =>
    `a: &${'a'.repeat(m)} 1\nb:\n${lines(Math.ceil(n / 100), () => ` - *${'a'.repeat(100)}`)}`,
  'one long value x aliases': (m: number, n: number) => `a: &a ${long(8 * m)}\nb:\n${lines(n, () => ' - *a')}`,
  'one wide map x merges': (m: number, n: number) =>
    `a: &a {${list(m, (i) => `n${i}: 1`).join(', ')}}\nb:\n${lines(n, (i) => ` - {<<: *a, n${i}: 2}`)}`,
  'one anchor again x aliases': (m: number, n: number) =>
    `a:\n${lines(m, (i) => ` - &a ${i}`)}\nb:\n${lines(n, () => ' - *a')}`,
  'unknown aliases x anchors': (m: number, n: number) =>
    `a:\n${lines(m, (i) => ` - &a${i} 1`)}\nb:\n${lines(n, (i) => ` - *b${i}`)}`,
  'directives x documents': (m: number, n: number) =>
    `${lines(m, (i) => `%TAG !a${i}! tag:a,2020:`)}\n---\n${lines(n, (i) => `- !a${i % Math.max(m, 1)}!b c`)}`,
}
const YAML_ROWS: readonly Split[] = [
  ...rows('read YAML', 'product', [96, 48], (text) => placesOf(text, 'yaml'), YAML_PRODUCTS),
  ...rows('read YAML', 'sum', [2500, 2500], (text) => placesOf(text, 'yaml'), YAML_SUMS),
]

const schema = (
  name: string,
  size: Split['size'],
  make: (m: number, n: number) => readonly [schema: object, value: unknown],
): Split => ({
  name: `JSON Schema: ${name}`,
  area: 'sum',
  size,
  make(m, n) {
    const [given, value] = make(m, n)
    return () => {
      const compiled = compileSchema(given)
      return compiled instanceof CompiledSchema ? compiled.validate(value, { maxErrors: 10 }) : compiled
    }
  },
})
const WIDE = [4000, 4000] as const
/** These multiply by their definition, up to the limit of a validation (test/schema/costs.test.ts). */
export const MULTIPLIED = [400, 400] as const
const SCHEMA_ROWS: readonly Split[] = [
  {
    ...schema('patternProperties x names', WIDE, (m, n) => [
      {
        patternProperties: object(
          m,
          (i) => `^a${i}$`,
          () => true,
        ),
      },
      named(n, (i) => i),
    ]),
    bound: 'the steps of a validation',
  },
  schema('properties x names', WIDE, (m, n) => [
    {
      properties: named(m, () => ({ type: 'integer' })),
      additionalProperties: false,
    },
    named(n, (i) => i),
  ]),
  schema('required x names', WIDE, (m, n) => [{ required: list(m, (i) => `a${i}`) }, named(n, () => 1)]),
  schema('dependentRequired x names', WIDE, (m, n) => [
    {
      dependentRequired: named(m, (i) => [`n${i + 1}`]),
    },
    named(n, () => 1),
  ]),
  schema('enum x items', WIDE, (m, n) => [{ items: { enum: list(m, (i) => `e${i}`) } }, list(n, (i) => `v${i}`)]),
  schema('enum of objects x items', WIDE, (m, n) => [
    { items: { enum: list(m, (i) => ({ a: i })) } },
    list(n, (i) => ({ b: i })),
  ]),
  schema('anyOf x items', MULTIPLIED, (m, n) => [
    { items: { anyOf: list(m, (i) => ({ const: `c${i}` })) } },
    list(n, (i) => `v${i}`),
  ]),
  schema('references to one x items', MULTIPLIED, (m, n) => [
    { $defs: { a: { type: 'string' } }, allOf: list(m, () => ({ items: { $ref: '#/$defs/a' } })) },
    list(n, (i) => `v${i}`),
  ]),
  schema('a chain of references x items', WIDE, (m, n) => [
    {
      $defs: {
        ...object(
          m,
          (i) => `a${i}`,
          (i) => ({ $ref: `#/$defs/a${i + 1}` }),
        ),
        [`a${m}`]: true,
      },
      items: { $ref: '#/$defs/a0' },
    },
    list(n, (i) => `v${i}`),
  ]),
  schema('prefixItems x items', WIDE, (m, n) => [
    { prefixItems: list(m, () => ({ type: 'string' })), unevaluatedItems: false },
    list(n, (i) => `v${i}`),
  ]),
  schema('contains x items', MULTIPLIED, (m, n) => [
    { allOf: list(m, (i) => ({ contains: { const: i } })) },
    list(n, () => 'a'),
  ]),
  schema('const of a long text x items', WIDE, (m, n) => [
    { items: { const: long(8 * m) } },
    list(n, () => 'abcdefg abc'),
  ]),
  schema('uniqueItems of long texts', WIDE, (m, n) => [
    { uniqueItems: true },
    list(Math.ceil(n / 10), (i) => `${long(Math.ceil(m / 100))}${i}`),
  ]),
  {
    ...schema('a long pattern x a long text', WIDE, (m, n) => [
      { pattern: `^(${list(Math.ceil(m / 8), (i) => `a${i}`).join('|')})*$` },
      `${'a1'.repeat(4 * n)}!`,
    ]),
    bound: 'the steps of a validation',
  },
  schema('unevaluatedProperties x names', MULTIPLIED, (m, n) => [
    { anyOf: list(m, (i) => ({ properties: { [`n${i}`]: true } })), unevaluatedProperties: false },
    named(n, () => 1),
  ]),
  {
    name: 'checkSchema: ids x references',
    area: 'sum',
    size: WIDE,
    make(m, n) {
      const given = {
        $defs: object(
          m,
          (i) => `a${i}`,
          (i) => ({ $id: `https://a.test/${i}`, $anchor: `b${i}` }),
        ),
        allOf: list(n, (i) => ({ $ref: `https://a.test/${i % Math.max(m, 1)}` })),
      }
      return () => checkSchema(given)
    },
  },
  {
    name: 'checkSchema: long $ids x levels',
    area: 'sum',
    size: [60, 4000],
    make(m, n) {
      let given: object = {}
      for (let i = 0; i < m; i++) given = { $id: `https://a.test/${'b/'.repeat(n / Math.max(m, 1))}${i}`, not: given }
      return () => checkSchema(given)
    },
  },
]

const pattern = (kind: PatternKind, one: (i: number) => string, subject: (n: number) => string): Split => ({
  name: `patterns of ${kind}: ${one(7)} x ${subject(3)}`,
  area: 'sum',
  size: [400, 4000],
  make(m, n) {
    const patterns = list(m, one)
    const text = subject(n)
    return () => attempt(() => compilePatterns(kind, patterns).all(text))
  },
})
const decision = (
  name: string,
  permissions: (m: number) => object,
  request: (n: number) => PermissionRequest,
): Split => ({
  name: `permissions: ${name}`,
  area: 'sum',
  size: [2000, 2000],
  make(m, n) {
    const definition = JSON.stringify({ ...DEFINITION, permissions: permissions(m) })
    const asked = request(n)
    return () => attempt(() => compile(definition).decide(asked))
  },
})
const DEFINITION = { adl_spec: '0.1.0', name: 'A', description: 'd', version: '1.0.0' }
const PATTERN_ROWS: readonly Split[] = [
  pattern(
    'host',
    (i) => `*.a${i}.example`,
    (n) => `${'a.'.repeat(n)}example`,
  ),
  pattern(
    'path',
    (i) => `/a/**/b${i}/*`,
    (n) => `${'/a/b'.repeat(n)}/c`,
  ),
  pattern(
    'path',
    (i) => `/**/a/**/a/**/a/**/b${i}`,
    (n) => '/a'.repeat(n),
  ),
  pattern(
    'env',
    (i) => `A*${i}`,
    (n) => 'A'.repeat(8 * n),
  ),
  pattern(
    'env',
    (i) => `*A*A*A*B${i}`,
    (n) => 'A'.repeat(8 * n),
  ),
  pattern(
    'command',
    (i) => `a *b* c${i}`,
    (n) => `a ${'b '.repeat(n)}c`,
  ),
  pattern(
    'tag',
    (i) => `a/b${i}/*`,
    (n) => 'a/b'.repeat(n),
  ),
  decision(
    'hosts x a long host',
    (m) => ({ network: { allowed_hosts: list(m, (i) => `*.a${i}.example.com`) } }),
    (n) => ({ domain: 'network', host: `${'a.'.repeat(n)}example.com` }),
  ),
  decision(
    'paths x a long path',
    (m) => ({ filesystem: { allowed_paths: list(m, (i) => ({ path: `/a/**/b${i}`, access: 'read' })) } }),
    (n) => ({ domain: 'filesystem', path: '/a/b'.repeat(n), access: 'read' }),
  ),
  decision(
    'variables x a long variable',
    (m) => ({ environment: { allowed_variables: list(m, (i) => `A${i}_*`) } }),
    (n) => ({ domain: 'environment', variable: 'A_'.repeat(n) }),
  ),
  decision(
    'commands x arguments',
    (m) => ({ execution: { allowed_commands: list(m, (i) => `a${i} *`), denied_commands: list(m, (i) => `b${i}`) } }),
    (n) => ({ domain: 'execution', command: `a7 ${'b '.repeat(n)}` }),
  ),
  {
    name: 'diff of permissions: paths x paths',
    area: 'sum',
    bound: 'the steps of an inclusion',
    size: [1600, 1600],
    make(m, n) {
      const of = (count: number, end: string) =>
        JSON.stringify({
          ...DEFINITION,
          permissions: {
            filesystem: { allowed_paths: list(count, (i) => ({ path: `/a/**/b${i}${end}`, access: 'read' })) },
          },
        })
      const [before, after] = [of(m, ''), of(n, '/**')]
      return () => attempt(() => diff(before, after))
    },
  },
  {
    name: 'capabilities: granted x needed',
    area: 'sum',
    size: [4000, 4000],
    make(m, n) {
      const [granted, needed] = [list(m, (i) => `perm:a${i}:read`), list(n, (i) => `perm:b${i}:read`)]
      return () => covers(granted, needed)
    },
  },
]

const TEMPLATE_ROWS: readonly Split[] = [
  {
    name: 'templates: references x a long value',
    area: 'sum',
    size: [8000, 8000],
    make(m, n) {
      const text = '{{a}} '.repeat(m)
      const a = long(8 * n)
      return () => attempt(() => compileTemplate(text).render({ a }, { maxBytes: 1 << 20 }))
    },
  },
  {
    name: 'templates: names x variables',
    area: 'sum',
    size: [8000, 8000],
    make(m, n) {
      const text = list(m, (i) => `{{a${i}}}`).join(' ')
      const variables = object(
        n,
        (i) => `a${i}`,
        (i) => `${i}`,
      )
      return () => attempt(() => compileTemplate(text).render(variables))
    },
  },
  {
    name: 'templates of tools: references x a long value',
    area: 'sum',
    size: [4000, 4000],
    make(m, n) {
      const text = '{{a}} '.repeat(m)
      const a = long(8 * n)
      return () => {
        const template = compileToolTemplate(text)
        return template instanceof Template ? template.render('text', { a }) : template
      }
    },
  },
  {
    name: 'templates of tools: conditions x parts of a path',
    area: 'product',
    size: [120, 120],
    make(m, n) {
      const text = `{{if a${'.b'.repeat(n)}}}c{{else}}d{{end}}`.repeat(m)
      return () => {
        const template = compileToolTemplate(text)
        return template instanceof Template ? template.render('text', { a: {} }) : template
      }
    },
  },
  {
    name: 'prompts: sections x a long content',
    area: 'product',
    size: [128, 128],
    make(m, n) {
      const text = JSON.stringify({
        role: 'a',
        sections: list(m, (i) => ({ name: `s${i}`, content: '{{time}} # a\n</s1>'.repeat(n) })),
      })
      return () => compilePrompt(text)
    },
  },
  {
    name: 'prompts: sections x variables',
    area: 'sum',
    size: [1000, 1000],
    make(m, n) {
      const text = JSON.stringify({
        role: 'a',
        sections: [
          ...list(m, (i) => ({ name: `s${i}`, content: `<s${i}> # s${i}` })),
          { name: 'v', content: list(n, (i) => `{{a${i}}}`).join('\n') },
        ],
      })
      return () =>
        compilePrompt(text, {
          variables: object(
            n,
            (i) => `a${i}`,
            (i) => `# s${i}`,
          ),
        })
    },
  },
]

const search = (name: string, size: Split['size'], area: Split['area'], make: Split['make']): Split => ({
  name: `search: ${name}`,
  area,
  size,
  make,
})
const SEARCH_ROWS: readonly Split[] = [
  search('cards x words', [300, 60], 'product', (m, n) => () => {
    const index = createIndex()
    for (let i = 0; i < m; i++)
      index.addRecord({ id: `agent://a${i}`, tags: ['a/b'], text: list(n, (j) => `w${i}x${j}`).join(' ') })
    return index.query({ text: 'w1x1 w2x2', limit: 10 })
  }),
  search('cards x tags', [300, 60], 'product', (m, n) => () => {
    const index = createIndex()
    for (let i = 0; i < m; i++) index.addRecord({ id: `agent://a${i}`, tags: list(n, (j) => `a${i}/b${j}`), text: 'a' })
    return index.query({ tags: ['a1', 'a1/b2'], limit: 10 })
  }),
  search('cards of one word x words of the query', [4000, 4000], 'sum', (m, n) => {
    const text = list(n, (i) => `w${i}`).join(' ')
    return () => {
      const index = createIndex()
      for (let i = 0; i < m; i++) index.addRecord({ id: `agent://a${i}`, tags: ['a/b'], text: 'w1 w2' })
      return index.query({ text, limit: 10 })
    }
  }),
]

const anyValue = (text: string) => ({ stringValue: text })
const attribute = (key: string, text: string) => ({ key, value: anyValue(text) })
const spans = (
  count: number,
  attributes: (i: number) => readonly object[] = () => [],
  more: (i: number) => object = () => ({}),
) =>
  list(count, (i) => ({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: (i + 1).toString(16).padStart(16, '0'),
    ...(i > 0 && { parentSpanId: '0000000000000001' }),
    name: `s${i}`,
    startTimeUnixNano: `${1_767_225_600_000_000_000n + BigInt(i)}`,
    endTimeUnixNano: `${1_767_225_601_000_000_000n + BigInt(i)}`,
    attributes: [attribute('gen_ai.operation.name', i > 0 ? 'execute_tool' : 'invoke_agent'), ...attributes(i)],
    ...more(i),
  }))
const OTLP = {
  'spans x attributes': (m: number, n: number) => [
    { scopeSpans: [{ spans: spans(m, () => list(n, (i) => attribute(`a${i}`, 'b'))) }] },
  ],
  'spans x long attributes': (m: number, n: number) => [
    { scopeSpans: [{ spans: spans(m, () => [attribute('a', long(8 * n))]) }] },
  ],
  'spans x events': (m: number, n: number) => [
    { scopeSpans: [{ spans: spans(m, undefined, () => ({ events: list(n, (i) => ({ name: `e${i}` })) })) }] },
  ],
}
const SHARED_OTLP = {
  'one wide resource x spans': (m: number, n: number) => [
    { resource: { attributes: list(m, (i) => attribute(`a${i}`, 'b')) }, scopeSpans: [{ spans: spans(n) }] },
  ],
  'one wide resource x roots': (m: number, n: number) => [
    {
      resource: { attributes: list(m, (i) => attribute(`a${i}`, 'b')) },
      scopeSpans: [{ spans: spans(n, undefined, () => ({ parentSpanId: '' })) }],
    },
  ],
  'scopes x one wide resource': (m: number, n: number) => [
    { resource: { attributes: list(m, (i) => attribute(`a${i}`, 'b')) }, scopeSpans: list(n, () => ({ spans: [] })) },
  ],
  'a chain of spans x a wide root': (m: number, n: number) => [
    {
      scopeSpans: [
        {
          spans: spans(
            m,
            (i) => (i > 0 ? [] : list(n, (j) => attribute(`a${j}`, 'b'))),
            (i) => (i > 0 ? { parentSpanId: i.toString(16).padStart(16, '0') } : {}),
          ),
        },
      ],
    },
  ],
  'links x spans': (m: number, n: number) => [
    {
      scopeSpans: [
        {
          spans: spans(n, undefined, (i) =>
            i > 0 ? {} : { links: list(m, () => ({ traceId: '00', spanId: '0000000000000001' })) },
          ),
        },
      ],
    },
  ],
}
const otlp = (
  area: Split['area'],
  size: Split['size'],
  shapes: Readonly<Record<string, (m: number, n: number) => object[]>>,
) =>
  Object.entries(shapes).flatMap(([name, shape]): readonly Split[] => [
    {
      name: `OTLP: ${name}`,
      area,
      size,
      make: (m, n) => {
        const request = { resourceSpans: shape(m, n) }
        return () => runsFromOtlp(request)
      },
    },
    {
      name: `OTLP converted: ${name}`,
      area,
      size,
      make: (m, n) => {
        const text = JSON.stringify({ resourceSpans: shape(m, n) })
        return () => attempt(() => JSON.stringify(convertRuns(text, { to: 'run' }).documents).length)
      },
    },
  ])

const message = (field: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const body = Buffer.concat(parts)
  const length: number[] = []
  for (let rest = body.length; ; rest >>>= 7) {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    if (rest <= 0x7f) break
  }
  return Buffer.concat([Uint8Array.of((field << 3) | 2), Uint8Array.from(length), body])
}
const ORIGIN_ROWS: readonly Split[] = [
  {
    name: 'origins of problems: rows x places',
    area: 'sum',
    size: [8000, 8000],
    make(m, n) {
      const rows = list(m, (i) => ({ pointer: `/a/${i}`, target: `/b/${i}`, outcome: 'renamed', detail: 'a' }) as const)
      const places = list(n, (i) => `/b/${i}/c/d`)
      return () => places.map(originsOf(rows))
    },
  },
]

const TRACE_ROWS: readonly Split[] = [
  ...otlp('product', [60, 60], OTLP),
  ...otlp('sum', [1000, 1000], SHARED_OTLP),
  {
    name: 'protobuf: spans x attributes',
    area: 'product',
    size: [120, 120],
    make(m, n) {
      const attributes = list(n, () => message(9, message(1, bytes('a')), message(2, message(1, bytes('b')))))
      const body = message(1, message(2, ...list(m, () => message(2, ...attributes))))
      return () => readOtlpProtobuf(body)
    },
  },
  {
    name: 'protobuf: levels x values',
    area: 'product',
    size: [24, 2000],
    make(m, n) {
      let value = message(1, bytes('b'))
      for (let i = 0; i < Math.min(m, 128); i++)
        value = message(5, ...list(n, () => message(1, message(1, bytes('c')))), message(1, value))
      const body = message(1, message(1, message(1, message(1, bytes('a')), message(2, value))))
      return () => readOtlpProtobuf(body)
    },
  },
]

const HEAD = { type: 'run_started', run_id: '5b8f1f52-4c8e-4f0e-9d7a-2f6f6f3f8b10', seq: 0 }
const step = (index: number, input: object, more: object = {}) => ({
  index,
  timestamp: '2025-12-14T10:00:01.234Z',
  action: { type: 'tool_call', name: 'a', input },
  observation: { type: 'tool_result', output: {} },
  ...more,
})
const RECORD = {
  version: 'adp-1',
  run_id: HEAD.run_id,
  tenant_id: 'a',
  agent: { agent_id: 'a', framework: 'own' },
  context: { task_description: 'a' },
  status: 'succeeded',
  final_output: 'a',
}
const record = (steps: readonly object[], more: object = {}) => JSON.stringify({ ...RECORD, steps, ...more })
const stream = (count: number, more: (i: number) => object) =>
  lines(count, (i) =>
    JSON.stringify({
      run_id: HEAD.run_id,
      seq: i,
      ...(i === 0 ? { run: { ...RECORD, status: 'running' }, type: 'run_started' } : { type: 'step', ...more(i) }),
    }),
  )
const RUN_ROWS: readonly Split[] = [
  ...rows('run record', 'product', [60, 60], (text) => validate(text, { as: 'run' }), {
    'steps x names': (m, n) =>
      record(
        list(m, (i) =>
          step(
            i,
            named(n, () => 1),
          ),
        ),
      ),
    'steps x long inputs': (m, n) => record(list(m, (i) => step(i, { a: long(8 * n) }))),
    'steps x unknown members': (m, n) =>
      record(
        list(m, (i) =>
          step(
            i,
            {},
            named(n, () => 1),
          ),
        ),
      ),
  }),
  ...rows('run record', 'sum', [1000, 1000], (text) => validate(text, { as: 'run' }), {
    'capabilities x steps': (m, n) =>
      record(
        list(n, (i) => step(i, {}, { action: { type: 'tool_call', name: `t${i}`, input: {} } })),
        {
          agent: {
            agent_id: 'a',
            framework: 'own',
            aip: { cert_fingerprint: 'sha256:00', tenant_id: 'a', capabilities: list(m, (i) => `perm:a${i}:read`) },
          },
        },
      ),
    'labels x steps of one index': (m, n) =>
      record(
        list(n, () => step(0, {})),
        { context: { task_description: 'a', labels: list(m, (i) => `l${i}`) } },
      ),
  }),
  ...rows('stream', 'product', [60, 60], (text) => validate(text, { as: 'stream' }), {
    'lines x names': (m, n) =>
      stream(m, (i) => ({
        step: step(
          i - 1,
          named(n, () => 1),
        ),
      })),
    'lines x long inputs': (m, n) => stream(m, (i) => ({ step: step(i - 1, { a: long(8 * n) }) })),
    'lines x unknown members': (m, n) => stream(m, () => named(n, () => 1)),
  }),
  ...rows('stream', 'sum', [1000, 1000], (text) => validate(text, { as: 'stream' }), {
    'intents x steps': (m, n) =>
      stream(m + n, (i) =>
        i <= m ? { type: 'step_started', intent: step(i - 1, {}) } : { step: step(i - m - 1, {}) },
      ),
    'line feeds x lines': (m, n) => `${stream(n, (i) => ({ step: step(i - 1, {}) }))}${'\n'.repeat(m)}`,
  }),
  {
    name: 'difference of runs: steps x steps',
    area: 'sum',
    size: [500, 500],
    make(m, n) {
      const [a, b] = [record(list(m, (i) => step(i, { a: i }))), record(list(n, (i) => step(i, { b: i })))]
      return () => attempt(() => diffRuns(a, b))
    },
  },
  {
    name: 'notes x long texts',
    area: 'product',
    size: [128, 128],
    make(m, n) {
      const notes = bytes(list(m, () => `${long(8 * n)}\n\n\u2014 a AAAA\n`).join('\n'))
      return () => notesIn(notes)
    },
  },
]

const folder = (files: Readonly<Record<string, string>>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, bytes(text)]))
const FOLDER_ROWS: readonly Split[] = [
  {
    name: 'archive: files x bytes',
    area: 'product',
    size: [128, 64],
    make(m, n) {
      const archive = writeArchive(
        folder(
          object(
            m,
            (i) => `f/${i}.md`,
            () => long(8 * n),
          ),
        ),
      )
      return () => readArchive(archive)
    },
  },
  {
    name: 'archive: long folders x files',
    area: 'product',
    size: [256, 16],
    bound: 'the names of a path',
    make(m, n) {
      const archive = writeArchive(
        folder(
          object(
            m,
            (i) => `${'f/'.repeat(n)}${i}.md`,
            () => '',
          ),
        ),
      )
      return () => readArchive(archive)
    },
  },
  {
    name: 'agent in a folder: tools x skills',
    area: 'sum',
    size: [300, 300],
    make(m, n) {
      const agent = `name: a\nversion: 1.0.0\ndeveloper: b\ntools:\n${list(m, (i) => `  - name: t${i}\n`).join('')}`
      const skill = (i: number) => `---\nname: s${i}\ndescription: a\nallowed-tools:\n  - t${i}\n---\n# a\n`
      const files = folder({ 'agent.yaml': agent, ...object(n, (i) => `skills/s${i}/SKILL.md`, skill) })
      return () => validate(files, { as: 'agentlang' })
    },
  },
  {
    name: 'agent in a folder: skills x their tools',
    area: 'product',
    size: [32, 32],
    make(m, n) {
      const agent = `name: a\nversion: 1.0.0\ndeveloper: b\ntools:\n${list(n, (i) => `  - name: t${i}\n`).join('')}`
      const tools = list(n, (i) => `  - t${i}\n`).join('')
      const skill = (i: number) => `---\nname: s${i}\ndescription: a\nallowed-tools:\n${tools}---\n# a\n`
      const files = folder({ 'agent.yaml': agent, ...object(m, (i) => `skills/s${i}/SKILL.md`, skill) })
      return () => validate(files, { as: 'agentlang' })
    },
  },
  {
    name: 'agent in a folder: sub-agents x tools',
    area: 'sum',
    size: [200, 200],
    make(m, n) {
      const own = (name: string) => `name: ${name}\nversion: 1.0.0\ndeveloper: b\n`
      const tools = list(n, (i) => `  - name: t${i}\n`).join('')
      const subs = list(m, (i) => `  - path: specialists/s${i}.yaml\n`).join('')
      const files = folder({
        'agent.yaml': `${own('a')}tools:\n${tools}sub_agents:\n${subs}`,
        ...object(
          m,
          (i) => `specialists/s${i}.yaml`,
          (i) => own(`s${i}`),
        ),
      })
      return () => validate(files, { as: 'agentlang' })
    },
  },
  ...rows('skill', 'sum', [4000, 4000], (text) => validate(bytes(text), { as: 'skill' }), {
    'tools x lines': (m, n) =>
      `---\nname: a\ndescription: b\nallowed-tools:\n${list(m, (i) => `  - t${i}\n`).join('')}---\n${'# a\n'.repeat(n)}`,
    'lines without an end': (m, n) => `---\n${list(m, (i) => `a${i}: 1\n`).join('')}${'-- \n'.repeat(n)}`,
  }),
]

const DNS_ROWS: readonly Split[] = [
  {
    name: 'SVCB: parameters x long values',
    area: 'product',
    size: [128, 16],
    make(m, n) {
      const text = `1 a.test ${list(m, (i) => `key${i + 1000}="${'a\\065'.repeat(n)}"`).join(' ')}`
      return () => attempt(() => svcbToText(svcbFromText(text)))
    },
  },
  {
    name: 'SVCB: mandatory keys x parameters',
    area: 'sum',
    size: [1000, 1000],
    make(m, n) {
      const text = `1 a.test mandatory=${list(Math.max(m, 1), (i) => `key${i + 1000}`).join(',')} ${list(n, (i) => `key${i + 1000}=a`).join(' ')}`
      return () => attempt(() => svcbFromText(text))
    },
  },
  {
    name: 'TXT: records x parts',
    area: 'product',
    size: [128, 64],
    make(m, n) {
      const texts = list(m, (i) => list(n, () => bytes(`v=ADP1.1; a${i}=${'b'.repeat(64)}; `)))
      return () => attempt(() => readAdpTxts(texts, 'a.test'))
    },
  },
  {
    name: 'DNS message: records x pointers to one long name',
    area: 'sum',
    size: [2000, 120],
    make(m, n) {
      const name = Buffer.concat([...list(n, () => Uint8Array.of(1, 97)), Uint8Array.of(0)])
      const head = Uint8Array.of(0, 0, 0x81, 0x80, 0, 1, m >> 8, m & 255, 0, 0, 0, 0)
      const answer = Uint8Array.of(0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 2, 1, 97)
      const body = Buffer.concat([head, name, Uint8Array.of(0, 16, 0, 1), ...list(m, () => answer)])
      return () => attempt(() => decodeMessage(body))
    },
  },
]

export const SPLITS: readonly Split[] = [
  ...JSON_ROWS,
  ...YAML_ROWS,
  ...SCHEMA_ROWS,
  ...PATTERN_ROWS,
  ...TEMPLATE_ROWS,
  ...SEARCH_ROWS,
  ...ORIGIN_ROWS,
  ...TRACE_ROWS,
  ...RUN_ROWS,
  ...FOLDER_ROWS,
  ...DNS_ROWS,
]
