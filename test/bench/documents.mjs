// Seeded agent descriptions for the benchmarks: the shapes, scripts and numbers that real ones have.

const WORDS =
  'agent search invoice payment calendar booking travel translate document summary extract table vector image audio transcript code review deploy cluster monitor alert customer support ticket refund inventory price quote weather forecast route map delivery order tracking contract legal compliance audit identity credential verify sign encrypt schedule meeting email draft reply sentiment classify label dataset query report chart finance tax payroll health record lab result recipe nutrition fitness music playlist video caption subtitle game quest learn course quiz grade research paper cite patent market trend stock bond currency exchange crypto wallet social post story news digest home sensor device energy'.split(
    ' ',
  )

const NAMES = [
  '検索エージェント',
  'réservation d’hôtel',
  'поддержка клиентов',
  'Übersetzung für Verträge',
  '智能助手 — 实时翻译',
  '🚀 launch helper',
  'señal de tráfico',
  'مساعد ذكي',
]

/** Mulberry32: numbers in [0, 1), the same in every engine. */
export function random(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** What the generators below draw from one stream of random numbers. */
function source(next) {
  const below = (n) => Math.floor(next() * n)
  const chance = (p) => next() < p
  const pick = (list) => list[below(list.length)]
  const word = () => pick(WORDS)
  const decimal = (units, scale) => Math.round(next() * units) / scale
  const sentence = (count) => {
    let text = word()
    text = text[0].toUpperCase() + text.slice(1)
    for (let i = 1; i < count; i++) text += (chance(0.08) ? ', ' : ' ') + word()
    return `${text}.`
  }
  return { next, below, chance, pick, word, decimal, sentence }
}

function property(draw, depth) {
  const { below, chance, word, decimal, sentence } = draw
  const kind = draw.next()
  if (kind < 0.45) {
    return {
      type: 'string',
      description: sentence(4 + below(8)),
      ...(chance(0.3) ? { minLength: 1, maxLength: below(4096) } : {}),
      ...(chance(0.15) ? { pattern: `^[a-z0-9_\\-]{3,${below(60)}}$` } : {}),
    }
  }
  if (kind < 0.6) {
    return {
      type: 'number',
      minimum: 0,
      maximum: decimal(1e5, 100),
      default: decimal(1e4, 100),
      description: sentence(5),
    }
  }
  if (kind < 0.7) return { type: 'integer', minimum: 0, maximum: below(1e6) }
  if (kind < 0.8) return { type: 'string', enum: [word(), word(), word(), word()] }
  if (kind < 0.9 || depth <= 0) return { type: 'array', items: { type: 'string', format: 'uri' }, maxItems: below(100) }
  return { ...schema(draw, depth - 1), description: sentence(6) }
}

/** A JSON Schema such as the inputs of tools have, nested at most `depth` deep. */
function schema(draw, depth) {
  const { below, chance, word } = draw
  const properties = {}
  const required = []
  const count = 2 + below(4)
  for (let i = 0; i < count; i++) {
    let name = word()
    if (chance(0.4)) name += word()[0].toUpperCase() + word().slice(1)
    properties[name] = property(draw, depth)
    if (chance(0.5)) required.push(name)
  }
  return { type: 'object', properties, required, additionalProperties: chance(0.5) }
}

function skill(draw, number) {
  const { chance, pick, word, sentence } = draw
  return {
    id: `${word()}-${word()}-${number}`,
    name: sentence(3).slice(0, -1),
    description: sentence(14) + (chance(0.12) ? ` ${pick(NAMES)}` : ''),
    tags: [word(), word(), word()],
    examples: [sentence(8), sentence(6)],
    inputSchema: schema(draw, 2),
    outputSchema: schema(draw, 1),
  }
}

function agent(draw, number, skills) {
  const { next, below, chance, pick, word, decimal, sentence } = draw
  const id = `agent-${number.toString(36)}-${below(1e9).toString(36)}`
  const description = {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://example.org/agent/v1'],
    protocolVersion: '1.0',
    id: `did:web:${id}.example.com`,
    type: 'AgentDescription',
    name: `${sentence(2).slice(0, -1)} agent`,
    description: sentence(18) + (chance(0.3) ? `\n\n${sentence(10)} "${word()}"` : ''),
    url: `https://${id}.example.com/a2a/v1`,
    version: `${below(4)}.${below(20)}.${below(9)}`,
    created: `2025-0${1 + below(9)}-11T08:21:43.120Z`,
    provider: { organization: `${word()} labs`, url: `https://${word()}.example.org` },
    capabilities: { streaming: chance(0.5), pushNotifications: chance(0.5), stateTransitionHistory: false },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      didwba: { type: 'apiKey', in: 'header', name: 'Authorization' },
    },
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['application/json'],
    pricing: {
      currency: 'USD',
      perCall: decimal(1000, 1e5),
      perToken: decimal(1000, 1e7),
      monthly: decimal(10000, 100),
    },
    trust: { score: next(), uptime: 0.999, latencyMs: decimal(2000, 1) },
    localized: { 'zh-CN': pick(NAMES), ru: pick(NAMES) },
    skills: [],
  }
  for (let i = 0; i < skills; i++) description.skills.push(skill(draw, i))
  return description
}

const sizeOf = (value) => JSON.stringify(value).length

/** An agent without skills, its description cut until it fits. */
function small(draw, bytes) {
  const document = agent(draw, 1, 0)
  delete document.securitySchemes
  while (sizeOf(document) > bytes * 1.05 && document.description.length > 60) {
    document.description = document.description.slice(0, -20)
  }
  return document
}

/** One agent with as many skills as it takes. */
function medium(draw, bytes) {
  const document = agent(draw, 1, 0)
  for (let i = 0; sizeOf(document) < bytes; i++) document.skills.push(agent(draw, i, 1).skills[0])
  return document
}

/** A directory of as many agents as it takes. */
function large(draw, bytes) {
  const document = { '@type': 'AgentDirectory', total: 0, next: null, agents: [] }
  for (let size = 0; size < bytes; document.total++) {
    const one = agent(draw, document.total, 3)
    document.agents.push(one)
    size += sizeOf(one) + 1
  }
  return document
}

/** A document of about `bytes` characters of JSON, the same for the same seed. */
export function documentOf(bytes, seed = 1) {
  const draw = source(random(seed))
  if (bytes < 2000) return small(draw, bytes)
  return bytes <= 20000 ? medium(draw, bytes) : large(draw, bytes)
}
