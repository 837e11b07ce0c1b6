// The operator's settings for the directory that are texts, and their values.

import { sign as signA2a } from 'blazon/a2a'
import { type AgentCard, agentIdOf, sign } from 'blazon/card'
import { convert } from 'blazon/convert'
import { parseJson } from 'blazon/document'
import { exportKey, generateKey, importKey, type Key } from 'blazon/keys'
import { type Checkpoint, signCheckpoint } from 'blazon/runs'
import { version as release } from '../../package.json'
import type { A2aVersion } from '../contracts/directory.ts'
import { type Env, isOn, numberOf } from '../env.ts'
import type { Values } from '../platform/types.ts'

/**
 * Who may publish a card: all agents, those that rules allow, those that the operator approves, or agents whose endpoints
 * are in certain domains.
 */
const ADMISSIONS = ['open', 'list', 'queue', 'domains'] as const
type Admission = (typeof ADMISSIONS)[number]

/** With an invalid setting, only agents that rules allow may publish. */
export function admissionIn({ ADMISSION: setting = '' }: Pick<Env, 'ADMISSION'>): Admission {
  if (setting === '') return 'open'
  const admission = ADMISSIONS.find((known) => known === setting)
  if (admission === undefined) console.error(`ADMISSION: expected one of ${ADMISSIONS.join(', ')}, got ${setting}`)
  return admission ?? 'list'
}

const LONGEST_NAME = 200
const LONGEST_DESCRIPTION = 2000

/** How the deployment describes itself. */
interface About {
  readonly name: string
  readonly description: string
  /** A mailto: or https: address. */
  readonly contact?: string
}

export function aboutIn({
  DIRECTORY_NAME,
  DIRECTORY_DESCRIPTION,
  DIRECTORY_CONTACT: contact,
}: Pick<Env, 'DIRECTORY_NAME' | 'DIRECTORY_DESCRIPTION' | 'DIRECTORY_CONTACT'>): About {
  const own = contact !== undefined && /^(?:https:\/\/|mailto:)[^\s<>"]{1,500}$/.test(contact)
  if (contact && !own) console.error(`DIRECTORY_CONTACT: expected https://... or mailto:..., got ${contact}`)
  return {
    name: DIRECTORY_NAME?.trim().slice(0, LONGEST_NAME) || 'Blazon directory',
    description:
      DIRECTORY_DESCRIPTION?.trim().slice(0, LONGEST_DESCRIPTION) ||
      'A directory of agents: keeps their Agent Cards, verifies who signed them, and finds the best for a task.',
    ...(own && { contact }),
  }
}

/** The grouping of answers; undefined if they are not grouped. */
export function groupingIn(env: Env): { readonly perSource: number } | undefined {
  return isOn(env, 'GROUPING') ? { perSource: numberOf(env, 'RESULTS_PER_SOURCE') } : undefined
}

const DAY = 86_400
/** The tool that A2A messages use. */
const SEARCH = 'adp.discover'

const DISCOVER_INPUT = {
  type: 'object',
  properties: {
    tags: { type: 'array', items: { type: 'string' } },
    query: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
    min_score: { type: 'number', minimum: 0, maximum: 1, default: 0.1 },
  },
}

interface Kept {
  readonly content: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The directory's own card, signed with a key that is made once; its id is the key, so that anyone can verify it. */
export class OwnCard {
  readonly #kv: Values
  #key: Promise<Key> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(kv: Values) {
    this.#kv = kv
  }

  async identity(): Promise<{ readonly id: string; readonly jwk: JsonWebKey }> {
    const key = await this.#privateKey()
    return { id: await agentIdOf(key), jwk: await exportKey(key.publicKey, 'jwk') }
  }

  /** The card with the addresses of the directory. Its seq rises when its content changes. */
  read(about: About, origins: readonly string[], now: Date): Promise<Uint8Array<ArrayBuffer>> {
    const card = this.#last.then(() => this.#read(about, origins, now))
    this.#last = card.catch(() => undefined)
    return card
  }

  async #read(about: About, origins: readonly string[], now: Date): Promise<Uint8Array<ArrayBuffer>> {
    const key = await this.#privateKey()
    const said = content(await agentIdOf(key), about, origins)
    const text = JSON.stringify(said)
    const kept = this.#kv.get<Kept>('own card')
    if (kept?.content === text) return kept.bytes
    const seq = (this.#kv.get<number>('own seq') ?? 0) + 1
    this.#kv.put('own seq', seq)
    const updated = now.toISOString()
    const created = this.#kv.get<string>('own created') ?? updated
    this.#kv.put('own created', created)
    const metadata = { created_at: created, updated_at: updated, ttl: DAY }
    const { bytes, diagnostics } = await sign(JSON.stringify({ ...said, metadata, seq }), key)
    if (bytes === undefined) throw new Error(`the directory's own card: ${diagnostics[0]!.detail}`)
    const signed = { content: text, bytes: new Uint8Array(bytes) }
    this.#kv.put('own card', signed)
    return signed.bytes
  }

  /** The directory's A2A card, converted from its own card and signed with the same key, under the server's name of the key. */
  async a2a(own: Uint8Array, version: A2aVersion, kid: string): Promise<Uint8Array<ArrayBuffer>> {
    const card = parseJson(own).document!.value as AgentCard
    const tools = card.tools?.filter(({ name }) => name === SEARCH)
    const { document, diagnostics } = convert(JSON.stringify({ ...card, tools }), {
      from: 'card',
      to: `a2a-${version}`,
    })
    const signed = document && (await signA2a(document, await this.#privateKey(), { kid }))
    if (signed?.bytes !== undefined) return new Uint8Array(signed.bytes)
    throw new Error(`the directory's own card for A2A: ${(signed?.diagnostics ?? diagnostics)[0]!.detail}`)
  }

  /** Signs the head of a tree with the same key. */
  async signCheckpoint(checkpoint: Checkpoint): Promise<Uint8Array<ArrayBuffer>> {
    return signCheckpoint(checkpoint, await this.#privateKey())
  }

  #privateKey(): Promise<Key> {
    this.#key ??= this.#readKey()
    return this.#key
  }

  async #readKey(): Promise<Key> {
    const kept = this.#kv.get<string>('own key')
    if (kept !== undefined) return importKey(kept)
    const key = await generateKey('Ed25519')
    this.#kv.put('own key', await exportKey(key, 'pem'))
    return key
  }
}

function content(id: string, { name, description }: About, origins: readonly string[]) {
  return {
    id,
    name,
    description,
    version: release,
    skills: ['retrieval/agent-discovery'],
    tools: [
      { name: 'adp.describe', description: 'The card of the directory, or of an agent.', idempotent: true },
      { name: 'adp.advertise', description: 'Stores the signed Agent Card of an agent.', idempotent: true },
      {
        name: SEARCH,
        description: 'Finds agents by tags and by a description of the task.',
        input_schema: DISCOVER_INPUT,
        idempotent: true,
      },
    ],
    endpoints: origins.map((uri) => ({ protocol: 'http+json', uri, auth: 'none' })),
    extensions: {
      'blazon.a2a': {
        supportedInterfaces: origins.flatMap((url) =>
          ['1.0', '0.3'].map((protocolVersion) => ({ url, protocolBinding: 'HTTP+JSON', protocolVersion })),
        ),
        capabilities: { streaming: true },
        defaultInputModes: ['text/plain', 'application/json'],
        defaultOutputModes: ['text/plain', 'application/json'],
        tools: {
          [SEARCH]: {
            name: 'Find agents',
            tags: ['discovery', 'agents'],
            examples: ['translate contracts from Chinese'],
          },
        },
      },
    },
  }
}
