// A valid document, and the findings after a change of it.
import { validate } from '../../bindings/wellknown/index.ts'

/** The key of RFC 8032 section 7.1 test 1, in the form of the draft. */
export const FULL =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----'
const FINGERPRINT = 'ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk'
export const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'

/** The example of section 6.3.6 with a real key. */
export const CLEAN = {
  protocol: 'ADP/1.1',
  identity: {
    id: 'agent:alice.example.com',
    domain: 'alice.example.com',
    name: "Alice's Agent",
    publicKey: { algorithm: 'ed25519', fingerprint: FINGERPRINT, full: FULL },
  },
  endpoints: {
    wellKnown: 'https://alice.example.com/.well-known/agent.json',
    discovery: 'https://alice.example.com/',
    chat: 'wss://alice.example.com/agent/chat',
    tasks: 'https://alice.example.com/agent/tasks',
    swarm: 'https://alice.example.com/agent/swarm',
  },
  capabilities: [
    {
      id: 'chat',
      name: 'Conversational Chat',
      description: 'General-purpose conversational AI',
      input: ['text', 'image', 'file'],
      output: ['text', 'html'],
      interfaces: ['chat', 'api'],
      languages: ['en', 'zh'],
      pricing: { model: 'free' },
    },
  ],
  security: {
    tlsRequired: true,
    minProtocolVersion: 'ADP/1.1',
    authMethods: ['pubkey'],
    rateLimit: { requestsPerMinute: 60, burstSize: 10 },
  },
  dns: {
    svcbVerified: true,
    dnssecSigned: true,
    dane: { supported: true, usage: 'DANE-EE', selector: 'SPKI', matchingType: 'SHA-256' },
  },
}

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges members recursively. All other values are replaced. */
function merged(base: object, change: object): object
function merged(base: unknown, change: unknown): unknown
function merged(base: unknown, change: unknown): unknown {
  if (!isObject(base) || !isObject(change)) return change
  const both = { ...base }
  for (const [name, value] of Object.entries(change))
    both[name] = Object.hasOwn(base, name) ? merged(base[name], value) : value
  return both
}

export const withChange = (...changes: readonly object[]): Json =>
  JSON.parse(JSON.stringify(changes.reduce<object>((base, change) => merged(base, change), CLEAN)))

/** `id pointer` of each finding. */
export const told = (value: unknown, ruleset: 'recommended' | 'spec' = 'recommended'): string[] =>
  validate(JSON.stringify(value), { ruleset }).diagnostics.map(({ rule, source }) => `${rule} ${source.pointer}`)
