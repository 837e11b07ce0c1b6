// What an attacker can send to each route of the Worker, in shapes of any size. A route without a row fails the test.

/** A request of about this many units: bytes of a body, characters of a header, parts or levels. */
export interface Shape {
  readonly name: string
  /** The smallest and the largest size; sizes double in between. */
  readonly sizes: readonly [number, number]
  make(size: number): { readonly path?: string; readonly headers?: Record<string, string>; readonly body?: string }
}

/** There are thousands of bodies: up to an eighth of the limit, in the soak up to all of it. */
export const MOST_BYTES = process.env['BLAZON_GROWTH'] === 'whole' ? 1 << 20 : 1 << 17
const BODY: Shape['sizes'] = [1 << 15, MOST_BYTES]
const MEMBER: Shape['sizes'] = [1 << 15, MOST_BYTES / 2]
const PAIRS: Shape['sizes'] = [MOST_BYTES / 4, MOST_BYTES]
const HEADER: Shape['sizes'] = [1 << 13, 60_000]
const ADDRESS: Shape['sizes'] = [1 << 11, 1 << 14]

const fill = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
const list = (unit: string, size: number) =>
  Array.from({ length: Math.ceil(size / (unit.length + 1)) }, (_, i) => unit.replaceAll('#', `${i}`)).join(',')

const json = (name: string, make: (size: number) => string, sizes = BODY): Shape => ({
  name,
  sizes,
  make: (size) => ({ body: make(size), headers: { 'content-type': 'application/json' } }),
})
const header = (name: string, value: (size: number) => string): Shape => ({
  name: `${name} ${value(3)}`,
  sizes: HEADER,
  make: (size) => ({ headers: { [name]: value(size) } }),
})

const HEADERS: readonly Shape[] = [
  header('accept', (size) => `a${fill(' ', size)}b`),
  header('accept', (size) => list('a/b;q=0.#', size)),
  header('if-none-match', (size) => list('"#"', size)),
  header('authorization', (size) => `Bearer ${fill('a.', size)}`),
  { name: 'query', sizes: ADDRESS, make: (size) => ({ path: `?${list('a#=%20', size).replaceAll(',', '&')}` }) },
  { name: 'spaces in the query', sizes: ADDRESS, make: (size) => ({ path: `?q=a${fill('+', size)}b` }) },
]
const NAMES: readonly Shape[] = ['a', 'a-', '%20', 'a.'].map((unit) => ({
  name: `a name of ${unit}`,
  sizes: ADDRESS,
  make: (size) => ({ path: `{name}${fill(unit, size)}` }),
}))

/** JSON of any kind. The route refuses its form at some point. */
const JSONS: readonly Shape[] = [
  json('spaces', (size) => `{${fill(' ', size)}}`),
  json('empty objects', (size) => `[${list('{}', size)}]`),
  json('names', (size) => `{${list('"a#":#', size)}}`),
  json('a text', (size) => JSON.stringify(fill('a ', size))),
  json('escapes', (size) => `"${fill('\\u00e9', size - (size % 6))}"`),
  json('levels', (size) => `${fill('[', size)}${fill(']', size)}`, [1 << 12, MOST_BYTES / 4]),
  json('numbers', (size) => `[${list('1e#', size)}]`),
]

/** One growing member in an otherwise valid object. */
const members = (names: readonly string[], around: object = {}): readonly Shape[] =>
  names.flatMap((name) => {
    const value = (make: (size: number) => string) => (size: number) =>
      `${JSON.stringify({ ...around, [name]: null }).slice(0, -5)}${make(size)}}`
    return [
      json(
        `${name}: a text`,
        value((size) => JSON.stringify(fill('a b', size))),
        MEMBER,
      ),
      json(
        `${name}: spaces`,
        value((size) => JSON.stringify(`a${fill(' ', size)}b`)),
        MEMBER,
      ),
      json(
        `${name}: texts`,
        value((size) => `[${list('"a#"', size)}]`),
        MEMBER,
      ),
      json(
        `${name}: objects`,
        value((size) => `[${list('{}', size)}]`),
        MEMBER,
      ),
      json(
        `${name}: names`,
        value((size) => `{${list('"a#":{}', size)}}`),
        MEMBER,
      ),
    ]
  })

const DEFINITION = { adl_spec: '0.1.0', name: 'A', description: 'd', version: '1.0.0' }
const tool = (pattern: string, value: string) =>
  JSON.stringify({
    ...DEFINITION,
    tools: [
      {
        name: 't',
        description: 'd',
        parameters: { type: 'object', properties: { p: { type: 'string', pattern } } },
        examples: [{ input: { p: value } }],
      },
    ],
  })
const patterns: readonly Shape[] = [
  json('a text for an expression', (size) => tool('^(a+)+$', `${fill('a', size)}!`)),
  json(
    'lookbehinds within each other',
    (size) => tool(`^[^]{40}${'(?<='.repeat(size)}z${'a*)'.repeat(size)}`, fill('a', 40)),
    [1, 16],
  ),
  json('properties in a row', (size) => tool('\\P{L}'.repeat(size), 'Āa'), [1, 512]),
  json('properties in a class', (size) => tool(`[${'\\P{L}'.repeat(size)}]`, 'Āa'), [1, 512]),
  json('classes to choose from', (size) => tool('(?:[aB]|[bC]|[cD]|[dE]|[eF]|[fG]|[gH])'.repeat(size), 'a'), [1, 64]),
]
const DOCUMENTS: readonly Shape[] = [
  ...JSONS,
  ...members(['tools', 'permissions', 'name', 'x_a', 'signature'], DEFINITION),
  ...members(['capabilities', 'description', 'id', 'signature'], { adp_version: '0.1', id: 'agent://a/b', name: 'A' }),
]

const MESSAGE = { messageId: 'a' }
const parts = (part: string) => (size: number) =>
  JSON.stringify({ message: MESSAGE }).replace('}}', `,"parts":[${list(part, size)}]}}`)
const MESSAGES: readonly Shape[] = [
  ...JSONS,
  json('empty parts', parts('{"data":{}}')),
  json('parts with names', parts('{"data":{"a#":1}}')),
  json('parts of text', parts('{"text":"a"}')),
  json('names in a part', (size) => parts(`{"data":{${list('"a#":1', size)}}}`)(1)),
  json('spaces in a part', (size) => parts(JSON.stringify({ text: `a${fill(' ', size)}b` }))(1)),
  ...members(['configuration'], { message: { ...MESSAGE, parts: [{ text: 'a' }] } }),
]
const QUERIES = [...JSONS, ...members(['query', 'capabilities', 'filter', 'tags'], { query: 'a' })]

/** The signature is not verified before the caller is known, but the signed text is composed. */
function signed(name: string, value: (size: number) => string): Shape {
  const now = () => Math.floor(Date.now() / 1000)
  return {
    name: `a covered header: ${name}`,
    sizes: HEADER,
    make(size) {
      const covered = '"@method" "@target-uri" "signature-agent" "content-digest" "x-a"'
      return {
        headers: {
          'x-a': value(size),
          // The digest of the empty body (RFC 9530).
          'content-digest': 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:',
          'signature-agent': '"https://alice.example.net"',
          'signature-input': `sig1=(${covered});created=${now()};expires=${now() + 60};nonce="aaaaaaaaaaaaaaaa";keyid="a"`,
          signature: 'sig1=:AAAA:',
        },
      }
    },
  }
}
const SIGNED: readonly Shape[] = [
  ...HEADERS,
  signed('spaces', (size) => `a${fill(' ', size)}b`),
  signed('commas', (size) => `${fill('a, ', size - (size % 3))}a`),
  header('signature-input', (size) => `sig1=(${fill('"a" ', size)}`),
  header('signature', (size) => `sig1=:${fill('A', size)}`),
  header('content-digest', (size) => list('a#=:AA==:', size)),
]

/** Two dimensions of the same size: many of what is long, deep in what is wide, many that share one. */
const pairs = (name: string, make: (m: number) => string, type = 'application/json'): Shape => ({
  name,
  sizes: PAIRS,
  make: (size) => ({ body: make(Math.ceil(Math.sqrt(size / 16))), headers: { 'content-type': type } }),
})
const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
const named = (count: number) => Object.fromEntries(many(count, (i) => [`a${i}`, i]))
const PAIRED: readonly Shape[] = [
  pairs('objects x names', (m) => JSON.stringify(many(m, () => named(m)))),
  pairs('names x long texts', (m) => JSON.stringify(Object.fromEntries(many(m, (i) => [`a${i}`, fill('a ', 16 * m)])))),
  pairs(
    'levels x names',
    (m) => `${many(Math.min(m, 60), () => `{${list('"a#":1', 8 * m)},"b":`).join('')}0${'}'.repeat(Math.min(m, 60))}`,
  ),
]
const LINES = 'application/x-ndjson'
const RECORDS: readonly Shape[] = [
  pairs(
    'lines x names',
    (m) => many(m, (seq) => JSON.stringify({ type: 'step', run_id: 'a', seq, ...named(m) })).join('\n'),
    LINES,
  ),
  pairs(
    'lines x long texts',
    (m) => many(m, (seq) => JSON.stringify({ seq, a: fill('a ', 16 * m) })).join('\n'),
    LINES,
  ),
  {
    name: 'line feeds',
    sizes: PAIRS,
    make: (size) => ({ body: fill('\n', size), headers: { 'content-type': LINES } }),
  },
]
const attributes = (count: number) => many(count, (i) => ({ key: `a${i}`, value: { stringValue: 'b' } }))
const span = (i: number, more: object = {}) => ({
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: (i + 1).toString(16).padStart(16, '0'),
  ...(i > 0 && { parentSpanId: '0000000000000001' }),
  name: 'a',
  startTimeUnixNano: '1767225600000000000',
  endTimeUnixNano: '1767225601000000000',
  ...more,
})
const TRACES: readonly Shape[] = [
  pairs('spans x attributes', (m) =>
    JSON.stringify({
      resourceSpans: [{ scopeSpans: [{ spans: many(m / 2, (i) => span(i, { attributes: attributes(m / 2) })) }] }],
    }),
  ),
  pairs('one wide resource x spans', (m) =>
    JSON.stringify({
      resourceSpans: [
        { resource: { attributes: attributes(4 * m) }, scopeSpans: [{ spans: many(m, (i) => span(i)) }] },
      ],
    }),
  ),
]
const MANIFESTS: readonly Shape[] = [
  pairs(
    'layers x annotations',
    (m) => JSON.stringify({ schemaVersion: 2, layers: many(m / 2, () => ({ annotations: named(m / 2) })) }),
    'application/vnd.oci.image.manifest.v1+json',
  ),
]
const OCTETS: readonly Shape[] = [
  {
    name: 'bytes',
    sizes: PAIRS,
    make: (size) => ({ body: fill('a', size), headers: { 'content-type': 'application/octet-stream' } }),
  },
]
/** What a sender with a token can choose of a request without a body. */
const QUERY = HEADERS.filter(({ name }) => name.includes('query'))
const BODIES: readonly Shape[] = [...PAIRED, ...JSONS.map((shape) => ({ ...shape, sizes: PAIRS }))]

const READ = HEADERS
const READ_NAMED = [...HEADERS, ...NAMES]
const TASK = [...SIGNED, ...JSONS]

const rows = (paths: string, shapes: readonly Shape[]) =>
  paths
    .trim()
    .split(/\n\s*/)
    .map((row) => [row, shapes] as const)

/** By `METHOD /path`, as in the Worker's routes. */
export const SHAPES: Readonly<Record<string, readonly Shape[]>> = Object.fromEntries([
  ...rows(
    `GET /
    GET /healthz
    GET /adp/ranking
    GET /agents
    GET /tasks
    GET /extendedAgentCard
    GET /v1/card
    GET /llms.txt
    GET /capabilities/a2a.json
    GET /.well-known/adl-agents
    GET /.well-known/agent.json
    GET /.well-known/agent-card.json
    GET /.well-known/ai-catalog.json
    GET /.well-known/ard.json
    GET /.well-known/api-catalog
    GET /.well-known/did.json
    GET /.well-known/jwks.json
    GET /.well-known/http-message-signatures-directory`,
    READ,
  ),
  ...rows(
    `GET /agents/{name}
    GET /agents/{name}/card.json
    GET /agents/{name}/adl.json
    GET /agents/{name}/did.json
    GET /agents/{name}/agent.json
    GET /agents/{name}/capabilities.json
    GET /.well-known/agents/{name}/agent.json
    GET /tasks/{name}
    GET /v2/{developer}/{name}/blobs/{digest}
    GET /v2/{developer}/{name}/manifests/{reference}
    GET /v2/{developer}/{name}/tags/list
    GET /v2/{developer}/{name}
    GET /v1/tasks/{name}
    POST /tasks/{name}
    POST /v1/tasks/{name}
    GET /tasks/{name}/pushNotificationConfigs
    POST /tasks/{name}/pushNotificationConfigs
    GET /v1/tasks/{name}/pushNotificationConfigs
    POST /v1/tasks/{name}/pushNotificationConfigs
    GET /tasks/{name}/pushNotificationConfigs/{config}
    DELETE /tasks/{name}/pushNotificationConfigs/{config}
    GET /v1/tasks/{name}/pushNotificationConfigs/{config}
    DELETE /v1/tasks/{name}/pushNotificationConfigs/{config}`,
    READ_NAMED,
  ),
  ...rows(
    `POST /v1/verify
    POST /v1/convert
    POST /v1/decide
    POST /v1/canonicalize
    POST /adp/advertise`,
    [...DOCUMENTS, ...PAIRED],
  ),
  ...rows('POST /v1/validate', [...DOCUMENTS, ...PAIRED, ...patterns]),
  ...rows(
    `POST /message:send
    POST /v1/message:send
    POST /message:stream
    POST /v1/message:stream`,
    [...MESSAGES, ...PAIRED],
  ),
  ...rows(
    `POST /adp/discover
    POST /adp/describe
    POST /search`,
    [...QUERIES, ...PAIRED],
  ),
  ...rows(
    `POST /agent/connect
    POST /agent/invite
    POST /agent/tasks
    POST /agent/webhook
    POST /agent/swarm/join
    POST /agent/swarm/leave
    POST /agents/{name}/tasks
    POST /agents/{name}/webhook`,
    [...TASK, ...PAIRED],
  ),
  ...rows(
    `GET /agent/chat
    GET /agents/{name}/chat
    GET /agent/swarm/members
    GET /agent/tasks/{id}
    DELETE /agent/tasks/{id}
    GET /agents/{name}/tasks/{id}
    DELETE /agents/{name}/tasks/{id}`,
    SIGNED,
  ),
  // With a token. The name is never that of an agent where a request would remove it.
  ...rows(
    `DELETE /agents/{name}
    DELETE /agents/{name}/adl.json
    DELETE /agents/{name}/agent.json
    DELETE /agents/{name}/invitations
    DELETE /v1/agents/{name}
    DELETE /v1/agents/{name}/messages
    DELETE /v2/{developer}/{name}/manifests/{reference}`,
    NAMES,
  ),
  ...rows(
    `GET /v1/agents
    GET /v1/directory/state
    GET /v1/directory/rules
    GET /v1/directory/queue
    DELETE /v1/directory/queue
    GET /v1/directory/export
    DELETE /v1/tokens
    GET /v2/
    GET /runs`,
    QUERY,
  ),
  ...rows(
    `GET /agents/{name}/invitations
    GET /v1/agents/{name}/state
    GET /v1/agents/{name}/messages
    GET /v1/agents/{name}/speakers
    GET /v1/agents/{name}/tasks
    POST /v1/agents/{name}/tasks/take
    GET /v1/agents/{name}/tasks/given
    GET /v1/agents/{name}/tasks/settings
    GET /v1/agents/{name}/tasks/{id}
    GET /v1/agents/{name}/swarms
    GET /v2/{developer}/{name}/blobs/uploads/{id}
    GET /runs/{id}
    GET /runs/{id}/checkpoint
    GET /runs/{id}/proof/{index}
    GET /runs/{id}/consistency`,
    [...QUERY, ...NAMES],
  ),
  ...rows(
    `PUT /agents/{name}/adl.json
    PUT /agents/{name}/agent.json
    POST /agents/{name}/agent.json
    POST /agents/{name}/invitations
    PUT /v1/agents/{name}
    POST /v1/agents/{name}/keys
    POST /v1/agents/{name}/messages
    POST /v1/agents/{name}/speakers
    POST /v1/agents/{name}/tasks/given
    PUT /v1/agents/{name}/tasks/settings
    POST /v1/agents/{name}/tasks/{id}
    POST /v1/directory/shards
    POST /v1/directory/signals
    POST /v1/directory/rules
    POST /v1/tokens`,
    BODIES,
  ),
  ...rows(
    `POST /v1/directory/import
    POST /runs
    POST /runs/{id}/records`,
    [...RECORDS, ...BODIES],
  ),
  ...rows('POST /v1/traces', [...TRACES, ...BODIES]),
  ...rows('PUT /v2/{developer}/{name}/manifests/{reference}', [...MANIFESTS, ...BODIES]),
  ...rows(
    `POST /v2/{developer}/{name}/blobs/uploads/
    PATCH /v2/{developer}/{name}/blobs/uploads/{id}
    PUT /v2/{developer}/{name}/blobs/uploads/{id}`,
    OCTETS,
  ),
])
