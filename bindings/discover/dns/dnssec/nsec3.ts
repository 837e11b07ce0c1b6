// Denial by hashed names (RFC 5155), with the limit of iterations of RFC 9276.
import { type PlatformOptions, subtleOf } from '../../../keys/platform.ts'
import { DnsError } from '../error.ts'
import { DNSSEC_EFFORT } from '../findings.ts'
import { isWithin, labelsOf, type Name, nameToWire, parentOf } from '../name.ts'
import { base32hex } from './base32hex.ts'
import { type Denials, leadsAway, type NameGap, type NameProof } from './denial.ts'
import type { Nsec3 } from './rdata.ts'

/** How a zone hashes its names. */
export interface HashParameters {
  readonly iterations: number
  readonly salt: Uint8Array
}

/** An NSEC3 record with the hash in the first label of its owner. */
export interface HashedNsec extends Nsec3 {
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
