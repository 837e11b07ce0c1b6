import { agentIdOf, sign } from 'blazon/card'
import { exportKey, generateKey, importKey, type Key } from 'blazon/keys'
import { version } from '../../package.json'
import type { About } from './settings.ts'

const DAY = 86_400

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
  readonly #kv: SyncKvStorage
  #key: Promise<Key> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(kv: SyncKvStorage) {
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
    // Earlier versions kept a card for every requested host, whoever owned it.
    this.#kv.delete('own cards')
    return signed.bytes
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
    version,
    skills: ['retrieval/agent-discovery'],
    tools: [
      { name: 'adp.describe', description: 'The card of the directory, or of an agent.', idempotent: true },
      { name: 'adp.advertise', description: 'Stores the signed Agent Card of an agent.', idempotent: true },
      {
        name: 'adp.discover',
        description: 'Finds agents by tags and by what they are to do.',
        input_schema: DISCOVER_INPUT,
        idempotent: true,
      },
    ],
    endpoints: origins.map((uri) => ({ protocol: 'http+json', uri, auth: 'none' })),
  }
}
