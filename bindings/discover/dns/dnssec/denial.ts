// The absences that signed NSEC and NSEC3 records prove (RFC 4035 section 5.4, RFC 5155 section 8, RFC 6840 section 4).

import { type PlatformOptions, subtleOf } from '../../../keys/platform.ts'
import { DNSSEC_EFFORT } from '../findings.ts'
import { TYPES } from '../message.ts'
import { compareNames, DnsError, isWithin, labelsOf, type Name, nameToWire, parentOf, ROOT } from '../name.ts'
import { base32hex, type Nsec, type Nsec3 } from './rdata.ts'

/** The proof that a name does not exist. */
export interface NameGap {
  /** The longest ancestor that exists. */
  readonly encloser: Name
  /** An unsigned delegation may exist there (RFC 5155 section 6). */
  readonly isOptOut: boolean
}

/**
 * What signed records prove about a name: its types (empty if there are only names below it), or that it is missing.
 */
type NameProof = { readonly types: ReadonlySet<number> } | NameGap

/** The verified NSEC or NSEC3 records of one zone. */
export interface Denials {
  readonly zone: Name
  /** Why absence in this zone counts as unsigned (RFC 9276 section 3.2). */
  readonly why?: string | undefined
  proofOf(name: Name): Promise<NameProof | undefined>
  /** Proves that a name does not exist whose parent is known to exist in the zone. */
  gapAt(name: Name): Promise<NameGap | undefined>
}

/** An NSEC record with its owner. */
export interface OwnedNsec extends Nsec {
  readonly owner: Name
}

/** Denial by names. */
export class NsecDenials implements Denials {
  readonly zone: Name
  readonly #records: readonly OwnedNsec[]

  constructor(zone: Name, records: readonly OwnedNsec[]) {
    this.zone = zone
    this.#records = records
  }

  async proofOf(name: Name): Promise<NameProof | undefined> {
    const own = this.#records.find(({ owner }) => owner === name)
    if (own !== undefined) return own
    const gap = this.#records.find((record) => isAboutBelow(record, name) && this.#covers(record, name))
    if (gap === undefined) return undefined
    if (isWithin(gap.next, name)) return { types: new Set() }
    let encloser = name
    while (!isWithin(gap.owner, encloser) && !isWithin(gap.next, encloser)) encloser = parentOf(encloser)!
    return { encloser, isOptOut: false }
  }

  async gapAt(name: Name): Promise<NameGap | undefined> {
    const proof = await this.proofOf(name)
    return proof !== undefined && 'encloser' in proof ? proof : undefined
  }

  /** The first name of the zone follows the last one. */
  #covers({ owner, next }: OwnedNsec, name: Name): boolean {
    if (compareNames(owner, name) >= 0 || !isWithin(name, this.zone)) return false
    return compareNames(name, next) < 0 || next === this.zone
  }
}

/** At a delegation or a DNAME the record proves nothing about names below it (RFC 6840 section 4.1). */
const isAboutBelow = ({ owner, types }: OwnedNsec, name: Name) => !isWithin(name, owner) || !leadsAway(types)

/** True for the types of a delegation, or of an alias for a whole tree. */
const leadsAway = (types: ReadonlySet<number>): boolean =>
  (types.has(TYPES.NS) && !types.has(TYPES.SOA)) || types.has(TYPES.DNAME)

/**
 * True if these types of a name prove that it lacks one. At a delegation, only the parent's record counts for the DS,
 * and the parent's record counts for nothing else (RFC 4035 section 5.2, RFC 6840 section 4.1).
 */
export function lacks(types: ReadonlySet<number>, type: number, name: Name, zone: Name): boolean {
  if (types.has(type) || types.has(TYPES.CNAME)) return false
  if (type === TYPES.DS) return name === ROOT || (name !== zone && !types.has(TYPES.SOA))
  return !types.has(TYPES.NS) || types.has(TYPES.SOA)
}

/** True if a name has no record of a type, and no wildcard could provide one. */
export async function isTypeDenied(denials: Denials, name: Name, type: number): Promise<boolean> {
  const proof = await denials.proofOf(name)
  if (proof === undefined) return false
  if ('types' in proof) return lacks(proof.types, type, name, denials.zone)
  if (proof.isOptOut) return false
  const wildcard = wildcardIn(proof.encloser)
  const own = await denials.proofOf(wildcard)
  return own !== undefined && 'types' in own && lacks(own.types, type, wildcard, denials.zone)
}

/** True if a name does not exist, and no wildcard provides it. */
export async function isNowhere(denials: Denials, name: Name): Promise<boolean> {
  const proof = await denials.proofOf(name)
  if (proof === undefined || 'types' in proof || proof.isOptOut) return false
  const wildcard = await denials.proofOf(wildcardIn(proof.encloser))
  return wildcard !== undefined && 'encloser' in wildcard
}

const wildcardIn = (encloser: Name): Name => (encloser === ROOT ? '*' : `*.${encloser}`)

/** The name that must be absent if a wildcard provided this one (RFC 4035 section 5.3.4). */
export const nextCloser = (name: Name, signedLabels: number): Name =>
  labelsOf(name)
    .slice(-(signedLabels + 1))
    .join('.')

// Denial by hashed names (RFC 5155), with the limit of iterations of RFC 9276.

/** How a zone hashes its names. */
interface HashParameters {
  readonly iterations: number
  readonly salt: Uint8Array
}

/** An NSEC3 record with the hash in the first label of its owner. */
interface HashedNsec extends Nsec3 {
  readonly hash: string
}

const SHA1 = 1
const OPT_OUT = 1
/** RFC 9276 section 3.2: with more, absence counts as unsigned. */
const MOST_ITERATIONS = 100
/** A quarter of a second: an attacker chooses names, iterations and records (CVE-2023-50868). */
const MOST_RUNS = 10_000

/** SHA-1 in base32hex without padding: 160 bits are 32 digits. */
const HASH = /^[0-9a-v]{32}$/

/** Denial by hashes. */
export class Nsec3Denials implements Denials {
  readonly zone: Name
  readonly why: string | undefined
  readonly #records: readonly HashedNsec[]
  readonly #hasher: NameHasher

  /** Uses the records with the parameters of the first one (RFC 5155 section 8.2). */
  constructor(zone: Name, records: readonly HashedNsec[], hasher: NameHasher) {
    const [first] = records
    const isCostly = first !== undefined && first.iterations > MOST_ITERATIONS
    this.zone = zone
    this.why = isCostly ? `${zone}: its NSEC3 records have more than ${MOST_ITERATIONS} iterations` : undefined
    this.#records = isCostly ? [] : records.filter((record) => hasParameters(record, first!))
    this.#hasher = hasher
  }

  /** The name itself, or its closest encloser and a gap at the name one label longer (RFC 5155 sections 7.2.1 and 8.3). */
  async proofOf(name: Name): Promise<NameProof | undefined> {
    if (this.#records.length === 0 || !isWithin(name, this.zone)) return undefined
    const own = await this.#recordOf(name)
    if (own !== undefined) return own
    for (let next = name; next !== this.zone; next = parentOf(next)!) {
      const above = await this.#recordOf(parentOf(next)!)
      if (above === undefined) continue
      return leadsAway(above.types) ? undefined : this.gapAt(next)
    }
    return undefined
  }

  async gapAt(name: Name): Promise<NameGap | undefined> {
    if (this.#records.length === 0 || name === this.zone || !isWithin(name, this.zone)) return undefined
    const hash = await this.#hasher.hash(name, this.#records[0]!)
    const gap = this.#records.find((record) => covers(record, hash))
    return gap && { encloser: parentOf(name)!, isOptOut: (gap.flags & OPT_OUT) !== 0 }
  }

  async #recordOf(name: Name): Promise<HashedNsec | undefined> {
    const hash = await this.#hasher.hash(name, this.#records[0]!)
    return this.#records.find((record) => record.hash === hash)
  }
}

/** The first hash of the zone follows the last one. */
const covers = ({ hash, next }: HashedNsec, at: string): boolean =>
  hash < next ? hash < at && at < next : hash < at || at < next

const hasParameters = (record: HashParameters, { iterations, salt }: HashParameters) =>
  record.iterations === iterations && record.salt.join() === salt.join()

/**
 * Reads a record that may deny: directly below the apex, with SHA-1 and known flags (RFC 5155 sections 8.1 and 8.2).
 */
export function hashedNsec(owner: Name, zone: Name, record: Nsec3): HashedNsec | undefined {
  const hash = labelsOf(owner)[0] ?? ''
  const isUsable =
    parentOf(owner) === zone &&
    record.algorithm === SHA1 &&
    (record.flags & ~OPT_OUT) === 0 &&
    HASH.test(hash) &&
    HASH.test(record.next)
  return isUsable ? { ...record, hash } : undefined
}

/** Hashes names for all zones of a lookup, each name once. */
export class NameHasher {
  readonly #options: PlatformOptions
  readonly #hashes = new Map<string, Promise<string>>()
  #runs = 0

  constructor(options: PlatformOptions) {
    this.#options = options
  }

  /**
   * Hashes a name. The result is base32hex, which sorts like the bytes.
   *
   * @throws {DnsError} DNS-116 beyond the limit for all hashes.
   */
  async hash(name: Name, parameters: HashParameters): Promise<string> {
    const key = `${parameters.iterations} ${parameters.salt} ${name}`
    const known = this.#hashes.get(key)
    if (known !== undefined) return known
    this.#runs += 1 + parameters.iterations
    if (this.#runs > MOST_RUNS)
      throw new DnsError(DNSSEC_EFFORT, `${name}: more than ${MOST_RUNS} runs of SHA-1 for NSEC3`)
    const hash = this.#hash(name, parameters)
    this.#hashes.set(key, hash)
    return hash
  }

  /** RFC 5155 section 5: hashes name and salt once, and then once per iteration. */
  async #hash(name: Name, { iterations, salt }: HashParameters): Promise<string> {
    const subtle = subtleOf(this.#options)
    let bytes = nameToWire(name)
    for (let i = 0; i <= iterations; i++) {
      const salted = new Uint8Array(bytes.length + salt.length)
      salted.set(bytes)
      salted.set(salt, bytes.length)
      bytes = new Uint8Array(await subtle.digest('SHA-1', salted))
    }
    return base32hex(bytes)
  }
}
