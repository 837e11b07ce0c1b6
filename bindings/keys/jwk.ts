import { visible } from '../text/hidden.ts'
import { type Algorithm, algorithmsOf, type KeyKind, WIDTHS } from './algorithms.ts'
import { decodeBase64url } from './base64.ts'
import { KeyError } from './error.ts'
import type { Members } from './key.ts'
import { isOnCurve, type NistCurve } from './points.ts'

/** A key as read. A private key may lack its public half, because PKCS #8 does not require it. */
export interface Material {
  readonly kind: KeyKind
  readonly members: Members
  readonly algorithms: readonly Algorithm[]
}

const KINDS: Readonly<Record<string, readonly KeyKind[]>> = {
  OKP: ['Ed25519', 'Ed448'],
  EC: ['P-256', 'P-384', 'P-521'],
  RSA: ['RSA'],
}
const WEAK_CURVES = ['P-192', 'P-224', 'secp192k1', 'secp224k1', 'secp160r1', 'secp160k1']
const RSA_PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi']

/** ADL section 10.3; NIST SP 800-131A. */
const LEAST_BITS = 2048
/** The largest modulus that every platform supports. */
const MOST_BITS = 8192

/** Reads a JSON Web Key (RFC 7517, 7518, 8037) and validates each member. */
export function readJwk(source: object): Material {
  const own = new Map(Object.entries(source))
  const kty = own.get('kty')
  const kinds = typeof kty === 'string' && Object.hasOwn(KINDS, kty) ? KINDS[kty]! : []
  const crv = kty === 'RSA' ? 'RSA' : own.get('crv')
  const kind = kinds.find((candidate) => candidate === crv)
  if (kind === undefined) {
    if (kty === 'EC' && WEAK_CURVES.includes(crv as string)) {
      throw new KeyError('KEY-104', `expected a curve from P-256 on, found ${crv}`)
    }
    if (typeof kty !== 'string') throw new KeyError('KEY-102', 'expected a JSON Web Key, found one without kty')
    const found = [kty, crv].filter((part) => typeof part === 'string').map((part) => visible(part as string))
    throw new KeyError('KEY-101', `expected a key of kty OKP, EC or RSA for signatures, found ${found.join(' ')}`)
  }
  if ((own.get('use') ?? 'sig') !== 'sig')
    throw new KeyError('KEY-103', 'expected a key with use sig, found another use')
  const isPrivate = own.has('d')
  const names =
    kind === 'RSA'
      ? ['n', 'e', ...(isPrivate ? RSA_PRIVATE : [])]
      : ['x', ...(kty === 'EC' ? ['y'] : []), ...(isPrivate ? ['d'] : [])]
  if (own.has('oth')) throw new KeyError('KEY-101', 'expected an RSA key of two primes, found more')
  const members: Record<string, string> = kind === 'RSA' ? { kty: 'RSA' } : { kty: kty as string, crv: kind }
  for (const name of names) {
    const value = own.get(name)
    if (typeof value !== 'string') throw new KeyError('KEY-102', `expected a JSON Web Key with ${name}, found none`)
    members[name] = value
  }
  return checkMaterial({ kind, members, algorithms: narrow(algorithmsOf(kind), own.get('alg')) })
}

/** `alg` (RFC 7517 section 4.4) restricts the key to one algorithm. */
function narrow(algorithms: readonly Algorithm[], alg: unknown): readonly Algorithm[] {
  if (alg === undefined) return algorithms
  // RFC 8037 uses one name for both.
  if (alg === 'EdDSA' && algorithms[0]!.startsWith('Ed')) return algorithms
  const left = algorithms.filter((algorithm) => algorithm === alg)
  if (left.length === 0) throw new KeyError('KEY-103', `expected alg ${algorithms.join(' or ')}, found another`)
  return left
}

/**
 * Checks lengths, strength, and that points lie on their curve. Points of Edwards curves are checked where they are
 * used.
 */
export function checkMaterial(material: Material): Material {
  const { kind, members } = material
  if (kind === 'RSA') {
    checkRsa(members)
    return material
  }
  const decoded = new Map<string, Uint8Array>()
  for (const name of ['x', 'y', 'd']) {
    if (members[name] === undefined) continue
    const bytes = decodeBase64url(members[name])
    const width = WIDTHS[kind]
    if (bytes.length !== width) {
      throw new KeyError('KEY-102', `expected ${width} bytes for ${name} of ${kind}, found ${bytes.length}`)
    }
    decoded.set(name, bytes)
  }
  const [x, y] = [decoded.get('x'), decoded.get('y')]
  if (x !== undefined && y !== undefined && !isOnCurve(kind as NistCurve, { x, y })) {
    throw new KeyError('KEY-102', `expected a point of ${kind}, found one beside the curve`)
  }
  return material
}

function checkRsa(members: Members): void {
  const numbers = new Map<string, Uint8Array>()
  for (const name of ['n', 'e', ...RSA_PRIVATE]) {
    if (members[name] === undefined) continue
    const bytes = decodeBase64url(members[name])
    if (bytes.length === 0 || bytes[0] === 0) throw new KeyError('KEY-102', `expected ${name} without leading zeros`)
    numbers.set(name, bytes)
  }
  const n = numbers.get('n')!
  const bits = 8 * n.length - Math.clz32(n[0]!) + 24
  if (bits < LEAST_BITS) throw new KeyError('KEY-104', `expected RSA of ${LEAST_BITS} bits or more, found ${bits}`)
  if (bits > MOST_BITS) throw new KeyError('KEY-101', `expected RSA of ${MOST_BITS} bits at the most, found ${bits}`)
  const e = numbers.get('e')!
  const last = e.at(-1)!
  if (last % 2 === 0 || (e.length === 1 && last === 1) || n.at(-1)! % 2 === 0) {
    throw new KeyError('KEY-104', 'expected odd RSA numbers and an exponent from 3 on, found others')
  }
  if (e.length > 4) throw new KeyError('KEY-101', `expected an RSA exponent of 32 bits, found ${8 * e.length}`)
}
