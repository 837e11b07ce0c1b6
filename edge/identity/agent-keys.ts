// The Ed25519 keys of an agent: the one that signs, and the one that is to follow it.

import { exportKey, generateKey, importKey, type Key } from 'blazon/keys'
import { publicKeyBlock } from 'blazon/wellknown'

/** Metadata that an earlier key signed is signed anew; no document is older than so many keys. */
const MOST_MADE = 100

interface Next {
  readonly pem: string
  /** Milliseconds since 1970: from then on it signs. */
  readonly from: number
}

export class AgentKeys {
  readonly #kv: SyncKvStorage
  /** A key that the operator gives is the only one. */
  readonly #given: string | undefined

  constructor(kv: SyncKvStorage, given: string | undefined) {
    this.#kv = kv
    this.#given = given
  }

  get isGiven(): boolean {
    return this.#given !== undefined
  }

  /** The key that signs; undefined when none was made. */
  async current(): Promise<Key | undefined> {
    const pem = this.#given ?? this.#kv.get<string>('key')
    return pem === undefined ? undefined : importKey(pem, { algorithm: 'Ed25519' })
  }

  async currentOrNew(): Promise<Key> {
    const current = await this.current()
    if (current !== undefined) return current
    const pem = await this.#make()
    // Another call may have made one meanwhile: the first stays.
    if (this.#kv.get('key') === undefined) this.#kv.put('key', pem)
    return (await this.current())!
  }

  /** The key that signs and the one that follows it. */
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

  /** Makes the key that signs from then on. */
  async prepare(from: number): Promise<void> {
    this.#kv.put('next', { pem: await this.#make(), from })
  }

  /** True of the fingerprint of a key that was made here. */
  isOwn(fingerprint: string): boolean {
    return this.#made().includes(fingerprint)
  }

  async #make(): Promise<string> {
    const key = await generateKey('Ed25519')
    this.#kv.put('made', [...this.#made(), publicKeyBlock(key).fingerprint].slice(-MOST_MADE))
    return exportKey(key, 'pem')
  }

  #made(): readonly string[] {
    return this.#kv.get<readonly string[]>('made') ?? []
  }

  /** Has the next key sign, when its time has come; the one before is gone. */
  async advance(now: number): Promise<void> {
    const next = this.next()
    if (next === undefined || next.from > now) return
    this.#kv.put('key', next.pem)
    this.#kv.delete('next')
  }
}
