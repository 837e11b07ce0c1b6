import { sign as signA2a } from 'blazon/a2a'
import { type NumberedDraft, sign as signMessageOf, signRequest } from 'blazon/agp'
import { parseJson } from 'blazon/document'
import { sign as signInvite } from 'blazon/invite'
import {
  encodeBase64,
  exportKey,
  generateKey,
  importKey,
  type Key,
  openSigner,
  type Signer,
  signMessage,
} from 'blazon/keys'
import { publicKeyBlock, sign } from 'blazon/wellknown'
import { isObject, member } from '../../bindings/text/members.ts'
import type { Metadata } from '../contracts/documents.ts'
import type { AgentObject, Rotation } from '../contracts/registry.ts'
import { documents, type Env } from '../env.ts'
import { etagOf } from '../http/answer.ts'
import { StoredObject } from '../platform/objects.ts'
import type { Serves, Values } from '../platform/types.ts'

const RETRY_MS = 60_000
/** Longer than caches keep the signed answer. */
const DIRECTORY_MS = 600_000
const DIRECTORY_TAG = 'http-message-signatures-directory'

/**
 * The keys of an agent. They never leave this object, which only hands out signatures. It is created when a key is
 * first needed for writing.
 */
export class Agent extends StoredObject<Env> implements Serves<AgentObject> {
  #last: Promise<unknown> = Promise.resolve()
  #signer: Signer | undefined

  async publicKey(name: string): Promise<string> {
    const { kv } = this.store
    const keys = this.#keys(name)
    kv.put('name', name)
    return publicKeyBlock(await keys.currentOrNew()).full
  }

  published(name: string): Promise<readonly JsonWebKey[]> {
    return this.#keys(name).published()
  }

  async signMetadata(name: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
    const { bytes, diagnostics } = await sign(text, await this.#keys(name).currentOrNew())
    if (bytes === undefined) throw new Error(`metadata of ${name}: ${diagnostics[0]!.detail}`)
    return new Uint8Array(bytes)
  }

  async signInvitation(name: string, text: string, of: string): Promise<string | null> {
    const current = await this.#keyOf(name, of)
    if (current === undefined) return null
    const { bytes } = await signInvite(text, current)
    return bytes === undefined ? null : new TextDecoder().decode(bytes)
  }

  async signA2a(
    name: string,
    card: string,
    key: { readonly of: string; readonly kid: string },
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    const current = await this.#keyOf(name, key.of)
    if (current === undefined) return null
    const { bytes } = await signA2a(card, current, { kid: key.kid })
    return bytes === undefined ? null : new Uint8Array(bytes)
  }

  async signMessages(name: string, of: string, drafts: readonly NumberedDraft[]): Promise<readonly string[] | null> {
    const current = await this.#keyOf(name, of)
    if (current === undefined) return null
    const signer = await this.#signerOf(current)
    const sign = async ({ draft, n }: NumberedDraft) =>
      (await signMessageOf(draft, signer, n === undefined ? {} : { n })).text
    return Promise.all(drafts.map(sign))
  }

  async signRequest(
    name: string,
    { of, as }: { readonly of: string; readonly as: string },
    request: signRequest.Request,
  ): Promise<signRequest.Result | null> {
    const key = await this.#keyOf(name, of)
    return key === undefined ? null : signRequest(request, { key, as })
  }

  /** The current key, if its fingerprint is the one in the agent's metadata. */
  async #keyOf(name: string, fingerprint: string): Promise<Key | undefined> {
    const key = await this.#keys(name).current()
    return key !== undefined && publicKeyBlock(key).fingerprint === fingerprint ? key : undefined
  }

  /** Opens the signer once, because that costs more than signing. */
  async #signerOf(key: Key): Promise<Signer> {
    if (this.#signer === undefined || !isSame(this.#signer.publicKey, key)) this.#signer = await openSigner(key)
    return this.#signer
  }

  /**
   * The agent is gone, and the next one under its name is another agent. Deletes its keys; a key from the operator's
   * setting stays.
   */
  async forget(): Promise<void> {
    await this.store.deleteAll()
  }

  async signDirectory(name: string, url: string): Promise<readonly signMessage.Result[]> {
    const created = new Date()
    const expires = new Date(created.getTime() + DIRECTORY_MS)
    const message = { status: 200, headers: new Headers(), request: { method: 'GET', url, headers: new Headers() } }
    const sign = async (key: Key, i: number) => {
      const nonce = encodeBase64(crypto.getRandomValues(new Uint8Array(64)))
      const options = {
        components: ['@authority;req'],
        created,
        expires,
        nonce,
        tag: DIRECTORY_TAG,
        label: `sig${i + 1}`,
      }
      return signMessage(message, key, options)
    }
    return Promise.all((await this.#keys(name).all()).map(sign))
  }

  rotate(name: string, ttl: number, compromised: boolean): Promise<Rotation | null> {
    const rotated = this.#last.then(() => this.#rotate(name, ttl, compromised))
    this.#last = rotated.catch(() => undefined)
    return rotated
  }

  async #rotate(name: string, ttl: number, compromised: boolean): Promise<Rotation | null> {
    const keys = this.#keys(name)
    if (keys.isGiven || (await keys.current()) === undefined) return null
    if (keys.next() !== undefined && !compromised) return null
    const from = Date.now() + (compromised ? 0 : ttl * 1000)
    await keys.prepare(from)
    const { fingerprint } = publicKeyBlock(await importKey(keys.next()!.pem))
    await this.store.setAlarm(compromised ? from + RETRY_MS : from)
    // The key changes now. If signing the metadata fails, the alarm tries that again.
    if (compromised) await this.alarm()
    return { fingerprint, from }
  }

  override async alarm(): Promise<void> {
    const name = this.store.kv.get<string>('name')
    if (name === undefined) return
    try {
      await this.#advance(name)
    } catch (error) {
      // The key has changed and the metadata has not: signing it is tried again until it is stored.
      console.error(error)
      await this.store.setAlarm(Date.now() + RETRY_MS)
    }
  }

  /** Can be repeated without harm. */
  async #advance(name: string): Promise<void> {
    const keys = this.#keys(name)
    await keys.advance(Date.now())
    const { metadata, capabilities } = await documents(this.env).identity(name)
    if (metadata === null || capabilities === null) return
    const value = parseJson(new Uint8Array(metadata.bytes)).document!.value as Metadata
    const publicKey = publicKeyBlock(await keys.currentOrNew())
    const { fingerprint } = value.identity.publicKey
    // Documents signed by other keys are renewed by the holders of those keys.
    if (fingerprint === publicKey.fingerprint || !keys.isOwn(fingerprint)) return
    const bytes = await this.signMetadata(
      name,
      JSON.stringify({ ...value, identity: { ...value.identity, publicKey } }),
    )
    const parts = [
      { part: 'agent.json', bytes: bytes.buffer, etag: await etagOf(bytes) },
      { part: 'capabilities.json', ...capabilities },
    ] as const
    const written = await documents(this.env).write(name, parts, { match: [metadata.etag] })
    if (written === 'condition-failed') throw new Error(`metadata of ${name} was replaced meanwhile`)
  }

  #keys(name: string): AgentKeys {
    return new AgentKeys(this.store.kv, operatorKey(this.env, name))
  }
}

const isSame = (a: Key, b: Key) => publicKeyBlock(a).fingerprint === publicKeyBlock(b).fingerprint

/**
 * The agent's key in the secret AGENT_KEYS. An unreadable secret throws, so that no agent silently gets another key.
 */
function operatorKey({ AGENT_KEYS: secret = '' }: Env, name: string): string | undefined {
  if (secret === '') return undefined
  const keys = parseJson(secret).document?.value
  const key = isObject(keys) ? member(keys, name) : null
  if (key === undefined || typeof key === 'string') return key
  // Gives no details: the message would contain a part of the secret.
  throw new Error('AGENT_KEYS: expected JSON with the keys of agents in PEM, by their names')
}

// The Ed25519 keys of an agent: the current one, and the one that will follow it.

/** Metadata signed by an earlier key is signed again; no document is older than this many keys. */
const MOST_MADE = 100

interface Next {
  readonly pem: string
  /** The time from which it is the current key, in milliseconds since 1970. */
  readonly from: number
}

class AgentKeys {
  readonly #kv: Values
  /** A key from the operator. It is then the only key. */
  readonly #given: string | undefined

  constructor(kv: Values, given: string | undefined) {
    this.#kv = kv
    this.#given = given
  }

  get isGiven(): boolean {
    return this.#given !== undefined
  }

  /** The current key; undefined when none was made. */
  async current(): Promise<Key | undefined> {
    const pem = this.#given ?? this.#kv.get<string>('key')
    return pem === undefined ? undefined : importKey(pem, { algorithm: 'Ed25519' })
  }

  async currentOrNew(): Promise<Key> {
    const current = await this.current()
    if (current !== undefined) return current
    const pem = await this.#make()
    // Another call may have made one meanwhile: the first one stays.
    if (this.#kv.get('key') === undefined) this.#kv.put('key', pem)
    return (await this.current())!
  }

  /** The current key, and the next one if there is one. */
  async all(): Promise<readonly Key[]> {
    const [current, next] = [await this.current(), this.next()]
    if (current === undefined) return []
    return next === undefined ? [current] : [current, await importKey(next.pem)]
  }

  async published(): Promise<readonly JsonWebKey[]> {
    return Promise.all((await this.all()).map((key) => exportKey(key.publicKey, 'jwk')))
  }

  next(): Next | undefined {
    return this.#given === undefined ? this.#kv.get<Next>('next') : undefined
  }

  /** Makes the key that becomes the current one at that time. */
  async prepare(from: number): Promise<void> {
    this.#kv.put('next', { pem: await this.#make(), from })
  }

  /** True for the fingerprint of a key that was made here. */
  isOwn(fingerprint: string): boolean {
    return this.#madeKeys().includes(fingerprint)
  }

  async #make(): Promise<string> {
    const key = await generateKey('Ed25519')
    this.#kv.put('made', [...this.#madeKeys(), publicKeyBlock(key).fingerprint].slice(-MOST_MADE))
    return exportKey(key, 'pem')
  }

  #madeKeys(): readonly string[] {
    return this.#kv.get<readonly string[]>('made') ?? []
  }

  /** Makes the next key the current one when its time has come, and drops the old one. */
  async advance(now: number): Promise<void> {
    const next = this.next()
    if (next === undefined || next.from > now) return
    this.#kv.put('key', next.pem)
    this.#kv.delete('next')
  }
}
