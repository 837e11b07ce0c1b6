import { ALGORITHMS, type Algorithm, type KeyKind } from './algorithms.ts'
import { KeyError } from './error.ts'

/**
 * The members of a JSON Web Key (RFC 7517) that make up the key itself. All are strict base64url except `kty` and
 * `crv`.
 */
export type Members = Readonly<Record<string, string>>

const PUBLIC_MEMBERS = ['crv', 'e', 'kty', 'n', 'x', 'y']

let open: (key: Key) => Members

/** A validated key, made by `importKey` and `generateKey`. Printing it reveals nothing secret. */
export class Key {
  readonly kind: KeyKind
  readonly type: 'public' | 'private'
  /** The algorithms that it may be used with: one, or for RSA those that its JWK does not exclude. */
  readonly algorithms: readonly Algorithm[]
  readonly #members: Members

  static {
    open = (key) => key.#members
  }

  /** @internal */
  constructor(kind: KeyKind, members: Members, algorithms: readonly Algorithm[]) {
    this.kind = kind
    this.type = members['d'] === undefined ? 'public' : 'private'
    this.algorithms = algorithms
    this.#members = members
  }

  /** The public half; a public key returns itself. */
  get publicKey(): Key {
    if (this.type === 'public') return this
    return new Key(this.kind, publicMembers(this), this.algorithms)
  }

  /** The key itself if it is private: `const { privateKey, publicKey } = await generateKey()`. */
  get privateKey(): Key | undefined {
    return this.type === 'private' ? this : undefined
  }
}

export function membersOf(key: Key): Members {
  return open(key)
}

/** The public members in the order of RFC 7638: sorted by name. */
export function publicMembers(key: Key): Members {
  const members = open(key)
  return Object.fromEntries(PUBLIC_MEMBERS.flatMap((name) => (members[name] ? [[name, members[name]]] : [])))
}

/** True when the public halves are equal. Each key has only one encoding, so comparing texts is enough. */
export function isSameKey(a: Key, b: Key): boolean {
  return JSON.stringify(publicMembers(a)) === JSON.stringify(publicMembers(b))
}

/** Throws when a key must not be used with an algorithm. */
export function checkFit(key: Key, algorithm: Algorithm): void {
  if (key.algorithms.includes(algorithm)) return
  const { kind } = ALGORITHMS[algorithm]
  const found = kind === key.kind ? `one that is only for ${key.algorithms.join(' and ')}` : `one of ${key.kind}`
  throw new KeyError('KEY-103', `expected a key of ${kind} for ${algorithm}, found ${found}`)
}
