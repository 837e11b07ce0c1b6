// From the anchor down to a zone (RFC 4035 section 5). A name is in a verified zone, or in one without a chain of
// trust. The latter is proven by the parent's signature, or not proven at all. Everything else is bogus and stops the
// lookup.

import type { PlatformOptions } from '../../../keys/platform.ts'
import * as FINDINGS from '../findings.ts'
import {
  type DnsMessage,
  type Ds,
  type Question,
  type ResourceRecord,
  type Rrsig,
  readDs,
  TYPES,
  typeName,
} from '../message.ts'
import { DnsError, isWithin, type Name, parentOf, ROOT } from '../name.ts'
import { type Rrset, rrsetOf, signedSets } from '../rrset.ts'
import {
  type Denials,
  hashedNsec,
  isNowhere,
  isTypeDenied,
  lacks,
  type NameGap,
  NameHasher,
  Nsec3Denials,
  NsecDenials,
  nextCloser,
  type OwnedNsec,
} from './denial.ts'
import {
  type Check,
  isKnownAlgorithm,
  isKnownDigest,
  isVouchedFor,
  isWhole,
  keyTag,
  labelsWithoutWildcard,
  maySign,
  openKey,
  signedBytes,
} from './keys.ts'
import { type DnsKey, ROOT_ANCHORS, readDnsKey, readNsec, readNsec3, type TrustAnchors } from './rdata.ts'

export interface ChainOptions extends PlatformOptions {
  /** Default: IANA's keys of the root. */
  readonly anchors?: TrustAnchors
  readonly now: Date
}

/** Verified by signatures up to the anchor, or the reason why not. */
export type ChainVerdict = { readonly checked: true } | ({ readonly checked: false } & Open)

interface Open {
  readonly why: string
  /** True if a signature above proves that this is unsigned, so that no resolver can have checked it. */
  readonly isUnsigned?: boolean
  readonly flaw?: Flaw | undefined
}

/** A signed zone whose NSEC3 records cannot prove this absence, and the setting that is the reason. */
export interface Flaw {
  readonly zone: Name
  readonly setting: 'opt-out' | 'iterations'
}

/** The trust in a name: it is in a zone with verified keys, or below a cut where the chain of trust ends. */
type Standing = { readonly zone: Zone } | Open

const MOST_KEYS = 32

const CHECKED: ChainVerdict = { checked: true }

/** Judges answers. Requests the keys of zones when needed, each once. */
export class Chain {
  readonly #ask: (question: Question) => Promise<DnsMessage>
  readonly #anchors: TrustAnchors
  readonly #options: PlatformOptions
  readonly #standings = new Map<Name, Promise<Standing>>()
  readonly #hasher: NameHasher
  readonly #verifier: Verifier

  constructor(ask: (question: Question) => Promise<DnsMessage>, options: ChainOptions) {
    this.#ask = ask
    this.#anchors = options.anchors ?? ROOT_ANCHORS
    this.#options = options
    this.#hasher = new NameHasher(options)
    this.#verifier = new Verifier(options)
  }

  /**
   * Judges a set of records. A set made from a wildcard also needs a proof in the authority section that the name is
   * absent.
   *
   * @throws {DnsError} if it must be signed but is not, or not correctly.
   */
  async judge(set: Rrset, authorities: DnsMessage['authorities'] = []): Promise<ChainVerdict> {
    const judged = await this.#judge(set, authorities)
    return 'why' in judged ? notShown(judged, (zone) => set.signatures.some(({ signer }) => signer === zone)) : CHECKED
  }

  /** The zone whose signature verifies, or the reason why no signature is required. */
  async #judge(set: Rrset, authorities: DnsMessage['authorities']): Promise<Standing> {
    const own = set.signatures.filter(({ signer }) => isWithin(set.name, signer))
    const signer = own.map((signature) => signature.signer).sort((a, b) => b.length - a.length)[0]
    const standing = await this.#standing(signer ?? set.name)
    if ('why' in standing) return standing
    const { zone } = standing
    const by = own.filter((signature) => signature.signer === zone.name)
    if (by.length > 0) return this.#judgeBy(set, by, zone, authorities)
    if (set.signatures.length > 0) {
      throw new DnsError(
        FINDINGS.DNSSEC_SIGNER,
        `${shownSet(set)}: signed by ${signersOf(set)}, not by its zone ${zone.name}`,
      )
    }
    // Unsigned: the name may still be below a cut without a chain of trust.
    const deeper = await this.#standing(set.name)
    if ('why' in deeper) return deeper
    throw strippedError(set, deeper.zone.name)
  }

  /**
   * Judges a proof that a name, or a record of it, does not exist.
   *
   * @throws {DnsError} if the absence must be proven but is not.
   */
  async judgeAbsence({ name, type }: Question, { rcode, authorities }: DnsMessage): Promise<ChainVerdict> {
    const denials = await this.#denialsFor(name, type, authorities)
    if (denials !== undefined) {
      // A resolver may answer "no such record" for a name that does not exist.
      if (rcode === 0 && (await isTypeDenied(denials, name, type))) return CHECKED
      if (await isNowhere(denials, name)) return CHECKED
    }
    const standing = await this.#standing(name)
    const isFrom = (zone: Name) => rrsetOf(authorities, zone, TYPES.SOA) !== undefined
    if ('why' in standing) return notShown(standing, isFrom)
    const costly = denials?.zone === standing.zone.name ? whyOf(denials) : undefined
    if (costly !== undefined) return notShown(costly, isFrom)
    throw denialError(`${name} ${typeName(type)}`, standing.zone.name, authorities, 'the absence')
  }

  /** The denials of the lowest zone that may speak about a name; for a DS the parent zone. */
  async #denialsFor(name: Name, type: number, section: DnsMessage['authorities']): Promise<Denials | undefined> {
    const [signer] = DENYING.flatMap((denying) => signedSets(section, denying))
      .flatMap(({ signatures }) => signatures.map((signature) => signature.signer))
      .filter((zone) => isWithin(name, zone) && (type !== TYPES.DS || zone !== name || zone === ROOT))
      .sort((a, b) => b.length - a.length)
    if (signer === undefined) return undefined
    const standing = await this.#standing(signer)
    return 'zone' in standing ? this.#denialsOf(standing.zone, section) : undefined
  }

  /** The verified denials of a zone. */
  async #denialsOf(zone: Zone, section: DnsMessage['authorities']): Promise<Denials> {
    const plain = (await this.#verified(TYPES.NSEC, zone, section)).map(
      ({ name, rdata }): OwnedNsec => ({ owner: name, ...readNsec(rdata) }),
    )
    if (plain.length > 0) return new NsecDenials(zone.name, plain)
    const hashed = await this.#verified(TYPES.NSEC3, zone, section)
    const usable = hashed.flatMap(({ name, rdata }) => hashedNsec(name, zone.name, readNsec3(rdata)) ?? [])
    return new Nsec3Denials(zone.name, usable, this.#hasher)
  }

  async #verified(type: number, zone: Zone, section: DnsMessage['authorities']): Promise<readonly ResourceRecord[]> {
    const sets = signedSets(section, type, zone.name)
    for (const set of sets) await this.#verifier.verifyWhole(set, zone)
    return sets.flatMap(({ records }) => records)
  }

  async #judgeBy(set: Rrset, by: readonly Rrsig[], zone: Zone, section: DnsMessage['authorities']): Promise<Standing> {
    const signature = await this.#verifier.verify(set, by, zone.keys, zone.name)
    if (isWhole(set, signature)) return { zone }
    const standing = await this.#fromWildcard(set, signature, zone, section)
    if (standing !== undefined) return standing
    throw new DnsError(
      FINDINGS.DNSSEC_DENIAL,
      `${shownSet(set)}: from a wildcard, but nothing proves that the name itself is absent`,
    )
  }

  /** The standing of records from a wildcard; undefined if nothing proves that it applies (RFC 5155 section 8.8). */
  async #fromWildcard(
    { name }: Rrset,
    { labels }: Rrsig,
    zone: Zone,
    section: DnsMessage['authorities'],
  ): Promise<Standing | undefined> {
    const denials = await this.#denialsOf(zone, section)
    const gap = await denials.gapAt(nextCloser(name, labels))
    return gap === undefined ? whyOf(denials) : inGap(gap, name, zone)
  }

  /** The standing of a name, known or derived from that of its parent. */
  #standing(name: Name): Promise<Standing> {
    const known = this.#standings.get(name)
    if (known !== undefined) return known
    const found = this.#findStanding(name)
    this.#standings.set(name, found)
    return found
  }

  async #findStanding(name: Name): Promise<Standing> {
    const anchors = Object.hasOwn(this.#anchors, name) ? this.#anchors[name]! : undefined
    if (anchors !== undefined) return { zone: await this.#openZone(name, anchors) }
    if (name === ROOT) return { why: 'there is no anchor for the root' }
    const above = await this.#standing(parentOf(name)!)
    return 'why' in above ? above : this.#below(name, above.zone)
  }

  /** Finds out whether a zone begins at a name, by the records of the parent zone. */
  async #below(name: Name, zone: Zone): Promise<Standing> {
    const message = await this.#ask({ name, type: TYPES.DS })
    const set = rrsetOf(message.answers, name, TYPES.DS)
    if (set !== undefined) {
      const rows = set.records.map(({ rdata }) => readDs(rdata))
      const usable = rows.filter(
        ({ algorithm, digestType }) => isKnownAlgorithm(algorithm) && isKnownDigest(digestType),
      )
      // In parallel: each waits for the platform several times.
      const opened = usable.length === 0 ? undefined : this.#openZone(name, usable)
      opened?.catch(() => {})
      await this.#verifier.verifyWhole(set, zone)
      // RFC 4035 section 5.2: such a zone counts as one without a chain of trust.
      if (opened === undefined) return { why: `${name}: its DS records only use unsupported algorithms` }
      return { zone: await opened }
    }
    const alias = rrsetOf(message.answers, name, TYPES.CNAME)
    if (alias !== undefined) return this.#judgeBy(alias, signaturesBy(alias, zone), zone, message.authorities)
    return this.#cutOrNot(name, zone, message)
  }

  /** Without a DS: an unsigned delegation or no delegation, or an error if neither is proven. */
  async #cutOrNot(name: Name, zone: Zone, { authorities }: DnsMessage): Promise<Standing> {
    const denials = await this.#denialsOf(zone, authorities)
    const proof = await denials.proofOf(name)
    if (proof !== undefined && 'encloser' in proof) return inGap(proof, name, zone)
    if (proof !== undefined && lacks(proof.types, TYPES.DS, name, zone.name)) {
      return proof.types.has(TYPES.NS) ? unsignedStanding(`${name}: ${zone.name} proves that it has no DS`) : { zone }
    }
    const standing = whyOf(denials)
    if (standing !== undefined) return standing
    throw denialError(`${name} DS`, zone.name, authorities, 'that it has none')
  }

  /** Verifies the keys of a zone: a key with a DS in the parent must have signed all of them. */
  async #openZone(name: Name, vouchers: readonly Ds[]): Promise<Zone> {
    const message = await this.#ask({ name, type: TYPES.DNSKEY })
    const set = rrsetOf(message.answers, name, TYPES.DNSKEY)
    if (set === undefined && name === ROOT) throw droppedError('. DNSKEY')
    if (set === undefined) throw new DnsError(FINDINGS.DNSSEC_KEY, `${name}: it has a DS, but no keys`)
    if (set.records.length > MOST_KEYS)
      throw new DnsError(FINDINGS.DNSSEC_EFFORT, `${name}: more than ${MOST_KEYS} keys`)
    const keys = set.records
      .map(({ rdata }) => ({ key: readDnsKey(rdata), tag: keyTag(rdata) }))
      .filter(({ key }) => maySign(key))
    const trusted: ZoneKey[] = []
    for (const zoneKey of keys) {
      for (const ds of vouchers) {
        if (await isVouchedFor(zoneKey.key, name, ds, this.#options)) {
          trusted.push(zoneKey)
          break
        }
      }
    }
    if (trusted.length === 0) throw new DnsError(FINDINGS.DNSSEC_KEY, `${name}: none of its keys matches the DS`)
    const zone = { name, keys }
    await this.#verifier.verify(set, signaturesBy(set, zone), trusted, name)
    return zone
  }
}

const DENYING = [TYPES.NSEC, TYPES.NSEC3]

/** A flaw only counts if the answer itself is from that zone: below a cut the zone is unsigned anyway. */
const notShown = ({ flaw, ...open }: Open, isFrom: (zone: Name) => boolean): ChainVerdict => ({
  checked: false,
  ...open,
  ...(flaw !== undefined && isFrom(flaw.zone) && { flaw }),
})

const unsignedStanding = (why: string, flaw?: Flaw): Open => ({ why, isUnsigned: true, flaw })

/** The error for an absence that is not proven. */
const denialError = (what: string, zone: Name, authorities: DnsMessage['authorities'], absence: string): DnsError =>
  zone === ROOT && !authorities.some(({ type }) => type === TYPES.RRSIG)
    ? droppedError(what)
    : new DnsError(FINDINGS.DNSSEC_DENIAL, `${what}: ${zone} is signed, but nothing proves ${absence}`)

const whyOf = ({ zone, why }: Denials): Open | undefined =>
  why === undefined ? undefined : { why, flaw: { zone, setting: 'iterations' } }

/** The standing of a missing name: in the zone, unless the zone omits unsigned delegations. */
const inGap = ({ isOptOut }: NameGap, name: Name, zone: Zone): Standing =>
  isOptOut
    ? unsignedStanding(`${name}: ${zone.name} omits unsigned delegations (opt-out)`, {
        zone: zone.name,
        setting: 'opt-out',
      })
    : { zone }

// Verifies signatures of records with the keys of a zone (RFC 4035 section 5.3).

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
export const droppedError = (what: string): DnsError =>
  new DnsError(FINDINGS.DNSSEC_DROPPED, `${what}: ${DROPS_SIGNATURES}`)

/** The error for a record without a signature in a signed zone. */
export const strippedError = (set: Rrset, zone: Name): DnsError =>
  zone === ROOT
    ? droppedError(shownSet(set))
    : new DnsError(FINDINGS.DNSSEC_MISSING, `${shownSet(set)}: ${zone} is signed, but this is not`)

/**
 * Finds the signatures of a set by its zone, at least one.
 *
 * @throws {DnsError} DNS-111 or DNS-117 for an unsigned set, DNS-113 for one that only other zones signed.
 */
export function signaturesBy(set: Rrset, zone: Zone): readonly Rrsig[] {
  const by = set.signatures.filter(({ signer }) => signer === zone.name)
  if (by.length > 0) return by
  if (set.signatures.length === 0) throw strippedError(set, zone.name)
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
