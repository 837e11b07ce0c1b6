// The Ed25519 keys of an agent: the current one, and the one that will follow it.
import { exportKey, generateKey, importKey, type Key } from 'blazon/keys'
import { publicKeyBlock } from 'blazon/wellknown'

/** Metadata signed by an earlier key is signed again; no document is older than this many keys. */
const MOST_MADE = 100

interface Next {
  readonly pem: string
  /** The time from which it is the current key, in milliseconds since 1970. */
  readonly from: number
}

export class AgentKeys {
  readonly #kv: SyncKvStorage
  /** A key from the operator. It is then the only key. */
  readonly #given: string | undefined

  constructor(kv: SyncKvStorage, given: string | undefined) {
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

  /** Makes the next key the current one when its time has come, and drops the old one. */
  async advance(now: number): Promise<void> {
    const next = this.next()
    if (next === undefined || next.from > now) return
    this.#kv.put('key', next.pem)
    this.#kv.delete('next')
  }
}
