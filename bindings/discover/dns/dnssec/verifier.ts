// Verifies signatures of records with the keys of a zone (RFC 4035 section 5.3).
import type { PlatformOptions } from '../../../keys/platform.ts'
import { DnsError } from '../error.ts'
import * as FINDINGS from '../findings.ts'
import { type Name, ROOT } from '../name.ts'
import type { Rrsig } from '../rdata.ts'
import { typeName } from '../types.ts'
import { type Check, openKey } from './keys.ts'
import type { DnsKey } from './rdata.ts'
import type { Rrset } from './rrset.ts'
import { isWhole, labelsWithoutWildcard, signedBytes } from './signed.ts'

export interface ZoneKey {
  readonly key: DnsKey
  readonly tag: number
  check?: Promise<Check | undefined>
}

/** A zone with verified keys. */
export interface Zone {
  readonly name: Name
  readonly keys: readonly ZoneKey[]
}

/**
 * Keys may share a tag, and records may have many signatures: a stranger decides how many are tried (CVE-2023-50387).
 */
const MOST_TRIES = 200
const MOST_SIGNATURES = 8

export const shownSet = ({ name, type }: Rrset) => `${name} ${typeName(type)}`

export const signersOf = ({ signatures }: Rrset) =>
  [...new Set(signatures.map(({ signer }) => signer))].slice(0, 3).join(', ')

const DROPS_SIGNATURES =
  'your resolver drops DNSSEC signatures: the root zone is always signed, and this answer is not. Ask another resolver, as in --resolver https://dns.example/dns-query'

/** The error for an unsigned root zone: the resolver, or someone before it, removed the signatures. */
export const dropped = (what: string): DnsError => new DnsError(FINDINGS.DNSSEC_DROPPED, `${what}: ${DROPS_SIGNATURES}`)

/** The error for a record without a signature in a signed zone. */
export const stripped = (set: Rrset, zone: Name): DnsError =>
  zone === ROOT
    ? dropped(shownSet(set))
    : new DnsError(FINDINGS.DNSSEC_MISSING, `${shownSet(set)}: ${zone} is signed, but this is not`)

/**
 * Finds the signatures of a set by its zone, at least one.
 *
 * @throws {DnsError} DNS-111 or DNS-117 for an unsigned set, DNS-113 for one that only other zones signed.
 */
export function signaturesBy(set: Rrset, zone: Zone): readonly Rrsig[] {
  const by = set.signatures.filter(({ signer }) => signer === zone.name)
  if (by.length > 0) return by
  if (set.signatures.length === 0) throw stripped(set, zone.name)
  throw new DnsError(FINDINGS.DNSSEC_SIGNER, `${shownSet(set)}: signed by ${signersOf(set)}, not by ${zone.name}`)
}

/** Verifies signatures at one moment, within the limit of a lookup. */
export class Verifier {
  readonly #seconds: number
  readonly #options: PlatformOptions
  #tries = 0

  constructor({ now, ...options }: PlatformOptions & { readonly now: Date }) {
    this.#seconds = Math.floor(now.getTime() / 1000)
    this.#options = options
  }

  /** Verifies records of this very name: one made from a wildcard proves no cut. */
  async verifyWhole(set: Rrset, zone: Zone): Promise<void> {
    const signature = await this.verify(set, signaturesBy(set, zone), zone.keys, zone.name)
    if (!isWhole(set, signature))
      throw new DnsError(FINDINGS.DNSSEC_SIGNATURE, `${shownSet(set)}: signed for a wildcard, which proves no zone cut`)
  }

  /**
   * Finds the first signature that verifies.
   *
   * @throws {DnsError} if none does, for the reason that comes closest.
   */
  async verify(set: Rrset, by: readonly Rrsig[], keys: readonly ZoneKey[], zone: Name): Promise<Rrsig> {
    // Made on demand: creating an error takes longer than everything else here.
    let fault = () => new DnsError(FINDINGS.DNSSEC_KEY, `${shownSet(set)}: not signed by a trusted key of ${zone}`)
    for (const signature of by.slice(0, MOST_SIGNATURES)) {
      if (signature.labels > labelsWithoutWildcard(set.name)) continue
      const late = this.#timeFault(signature)
      for (const zoneKey of keys) {
        if (zoneKey.tag !== signature.keyTag || zoneKey.key.algorithm !== signature.algorithm) continue
        if (late !== undefined) {
          fault = () => new DnsError(FINDINGS.DNSSEC_NOT_CURRENT, `${shownSet(set)}: ${late}`)
          continue
        }
        if (++this.#tries > MOST_TRIES)
          throw new DnsError(FINDINGS.DNSSEC_EFFORT, `${shownSet(set)}: more than ${MOST_TRIES} signatures tried`)
        zoneKey.check ??= openKey(zoneKey.key, this.#options)
        const check = await zoneKey.check
        // A copy: answers are views of the bytes received.
        if (await check?.(signedBytes(set, signature), signature.signature.slice())) return signature
        fault = () =>
          new DnsError(
            FINDINGS.DNSSEC_SIGNATURE,
            `${shownSet(set)}: the signature by key ${signature.keyTag} of ${zone} does not verify`,
          )
      }
    }
    throw fault()
  }

  /** Times have 32 bits and are compared by RFC 1982. */
  #timeFault({ begins, expires }: Rrsig): string | undefined {
    const since = (this.#seconds - begins) | 0
    const left = (expires - this.#seconds) | 0
    if (since < 0) return `the signature begins in ${-since} s`
    return left < 0 ? `the signature expired ${-left} s ago` : undefined
  }
}
