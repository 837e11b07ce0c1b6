// From the anchor down to a zone (RFC 4035 section 5). A name is in a zone that is vouched for, or in one that nobody
// vouches for, which is shown by the parent's signature or is not shown at all; everything else is bogus and ends.
import type { PlatformOptions } from '../../../keys/platform.ts'
import { DnsError } from '../error.ts'
import type { DnsMessage, Question, ResourceRecord } from '../message.ts'
import { isWithin, type Name, parentOf, ROOT } from '../name.ts'
import type { Rrsig } from '../rdata.ts'
import { TYPES, typeName } from '../types.ts'
import { ROOT_ANCHORS, type TrustAnchors } from './anchors.ts'
import { type Denials, isNowhere, isTypeDenied, lacks, NsecDenials, nextCloser, type OwnedNsec } from './denial.ts'
import { EFFORT, NO_KEY, NOT_CURRENT, NOT_DENIED, OTHER_SIGNER, SIGNATURE, STRIPPED } from './findings.ts'
import { type Check, isKnownAlgorithm, isKnownDigest, isVouchedFor, keyTag, maySign, openKey } from './keys.ts'
import { hashedNsec, NameHasher, Nsec3Denials } from './nsec3.ts'
import { type DnsKey, type Ds, readDnsKey, readDs, readNsec, readNsec3 } from './rdata.ts'
import { type Rrset, rrsetOf, signedSets } from './rrset.ts'
import { isWhole, labelsWithoutWildcard, signedBytes } from './signed.ts'

export interface ChainOptions extends PlatformOptions {
  /** IANA's keys of the root when absent. */
  readonly anchors?: TrustAnchors
  readonly now: Date
}

/** Shown by signatures up to the anchor, or not, and then why. */
export type Shown = { readonly checked: true } | ({ readonly checked: false } & Open)

interface Open {
  readonly why: string
  /** A signature above shows that nothing here is signed, so no resolver can have checked it. */
  readonly isUnsigned?: boolean
}

interface ZoneKey {
  readonly key: DnsKey
  readonly tag: number
  check?: Promise<Check | undefined>
}

interface Zone {
  readonly name: Name
  readonly keys: readonly ZoneKey[]
}

/** The trust in a name: it lies in a zone with verified keys, or below a cut where the chain of trust ends. */
type Standing = { readonly zone: Zone } | Open

/** Keys may share a tag, and records may have many signatures: who makes them decides how many are tried (CVE-2023-50387). */
const MOST_TRIES = 200
const MOST_SIGNATURES = 8
const MOST_KEYS = 32

const CHECKED: Shown = { checked: true }

/** The commonest reason: many routers and hotspots answer like this. */
const NO_ROOT_KEYS = 'the resolver gives no keys of the root: it leaves DNSSEC out, so another one has to be asked'

/** Judges answers. Keys of zones are asked for when they are needed, each once. */
export class Chain {
  readonly #ask: (question: Question) => Promise<DnsMessage>
  readonly #anchors: TrustAnchors
  readonly #seconds: number
  readonly #options: PlatformOptions
  readonly #standings = new Map<Name, Promise<Standing>>()
  readonly #hasher: NameHasher
  #tries = 0

  constructor(ask: (question: Question) => Promise<DnsMessage>, options: ChainOptions) {
    this.#ask = ask
    this.#anchors = options.anchors ?? ROOT_ANCHORS
    this.#seconds = Math.floor(options.now.getTime() / 1000)
    this.#options = options
    this.#hasher = new NameHasher(options)
  }

  /**
   * Judges a set of records, which `denials` shows to be what a wildcard stands for, where it is one.
   *
   * @throws {DnsError} where it ought to be signed and is not, or not rightly.
   */
  async judge(set: Rrset, authorities: DnsMessage['authorities'] = []): Promise<Shown> {
    const judged = await this.#judge(set, authorities)
    return 'why' in judged ? { checked: false, ...judged } : CHECKED
  }

  /** The zone whose signature holds, or the reason that no signature is required. */
  async #judge(set: Rrset, authorities: DnsMessage['authorities']): Promise<Standing> {
    const own = set.signatures.filter(({ signer }) => isWithin(set.name, signer))
    const signer = own.map((signature) => signature.signer).sort((a, b) => b.length - a.length)[0]
    const standing = await this.#standing(signer ?? set.name)
    if ('why' in standing) return standing
    const { zone } = standing
    const by = own.filter((signature) => signature.signer === zone.name)
    if (by.length > 0) return this.#judgeBy(set, by, zone, authorities)
    if (set.signatures.length > 0) {
      throw new DnsError(OTHER_SIGNER, `${shown(set)}: signed by ${signerOf(set)}, and not by its zone ${zone.name}`)
    }
    // Nothing is signed: the name may still be below a cut that the zone does not vouch for.
    const deeper = await this.#standing(set.name)
    if ('why' in deeper) return deeper
    throw new DnsError(STRIPPED, `${shown(set)}: ${deeper.zone.name} is signed, and this is not`)
  }

  /**
   * Judges a proof that a name, or a record of it, does not exist.
   *
   * @throws {DnsError} where the absence ought to be shown and is not.
   */
  async judgeAbsence({ name, type }: Question, { rcode, authorities }: DnsMessage): Promise<Shown> {
    const denials = await this.#denialsFor(name, type, authorities)
    if (denials !== undefined) {
      // A resolver may say "no such record" of a name that does not exist.
      if (rcode === 0 && (await isTypeDenied(denials, name, type))) return CHECKED
      if (await isNowhere(denials, name)) return CHECKED
    }
    const standing = await this.#standing(name)
    if ('why' in standing) return { checked: false, ...standing }
    if (denials?.why !== undefined && denials.zone === standing.zone.name) return { checked: false, why: denials.why }
    throw new DnsError(
      NOT_DENIED,
      `${name} ${typeName(type)}: ${standing.zone.name} is signed, and nothing signed shows the absence`,
    )
  }

  /** The denials of the lowest zone that may speak of a name; about a DS that is the zone above it. */
  async #denialsFor(name: Name, type: number, section: DnsMessage['authorities']): Promise<Denials | undefined> {
    const [signer] = DENYING.flatMap((denying) => signedSets(section, denying))
      .flatMap(({ signatures }) => signatures.map((signature) => signature.signer))
      .filter((zone) => isWithin(name, zone) && (type !== TYPES.DS || zone !== name || zone === ROOT))
      .sort((a, b) => b.length - a.length)
    if (signer === undefined) return undefined
    const standing = await this.#standing(signer)
    return 'zone' in standing ? this.#denialsOf(standing.zone, section) : undefined
  }

  /** The denials that a zone signed, each verified. */
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
    for (const set of sets) await this.#verifyWhole(set, this.#signedBy(set, zone), zone)
    return sets.flatMap(({ records }) => records)
  }

  async #judgeBy(set: Rrset, by: readonly Rrsig[], zone: Zone, section: DnsMessage['authorities']): Promise<Standing> {
    const signature = await this.#verify(set, by, zone.keys, zone.name)
    if (isWhole(set, signature)) return { zone }
    const next = nextCloser(set.name, signature.labels)
    if (await (await this.#denialsOf(zone, section)).excludes(next)) return { zone }
    const standing = await this.#standing(next)
    if ('why' in standing) return standing
    throw new DnsError(NOT_DENIED, `${shown(set)}: from a wildcard, and nothing shows that the name itself is absent`)
  }

  /** The standing of a name, known or worked out from that of its parent. */
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
    if (name === ROOT) return { why: 'no anchor vouches for the root' }
    const above = await this.#standing(parentOf(name)!)
    return 'why' in above ? above : this.#below(name, above.zone)
  }

  /** Tells if a zone begins at a name, by the records of the zone above. */
  async #below(name: Name, zone: Zone): Promise<Standing> {
    const message = await this.#ask({ name, type: TYPES.DS })
    const set = rrsetOf(message.answers, name, TYPES.DS)
    if (set !== undefined) {
      const rows = set.records.map(({ rdata }) => readDs(rdata))
      const usable = rows.filter(
        ({ algorithm, digestType }) => isKnownAlgorithm(algorithm) && isKnownDigest(digestType),
      )
      // Both at once: each waits for the platform several times.
      const opened = usable.length === 0 ? undefined : this.#openZone(name, usable)
      opened?.catch(() => {})
      await this.#verifyWhole(set, this.#signedBy(set, zone), zone)
      // RFC 4035 section 5.2: such a zone counts as one that nobody vouches for.
      if (opened === undefined) return { why: `${name}: vouched for only by algorithms that are not checked here` }
      return { zone: await opened }
    }
    const alias = rrsetOf(message.answers, name, TYPES.CNAME)
    const signature = alias && (await this.#verify(alias, this.#signedBy(alias, zone), zone.keys, zone.name))
    return signature !== undefined && isWhole(alias!, signature) ? { zone } : this.#cutOrNot(name, zone, message)
  }

  /** Without a DS: an unsigned delegation, no delegation, or an error where nothing proves either. */
  async #cutOrNot(name: Name, zone: Zone, { authorities }: DnsMessage): Promise<Standing> {
    const denials = await this.#denialsOf(zone, authorities)
    const proof = await denials.proofOf(name)
    if (proof !== undefined && 'encloser' in proof) {
      return proof.isOptOut ? unsigned(`${name}: ${zone.name} leaves unsigned delegations out (opt-out)`) : { zone }
    }
    if (proof !== undefined && lacks(proof.types, TYPES.DS, name, zone.name)) {
      return proof.types.has(TYPES.NS)
        ? unsigned(`${name}: ${zone.name} shows that it vouches for no key of it`)
        : { zone }
    }
    if (denials.why !== undefined) return { why: denials.why }
    throw new DnsError(
      NOT_DENIED,
      `${name} DS: ${zone.name} is signed, and nothing signed shows that it vouches for no key`,
    )
  }

  #signedBy(set: Rrset, zone: Zone): readonly Rrsig[] {
    const by = set.signatures.filter(({ signer }) => signer === zone.name)
    if (by.length > 0) return by
    if (set.signatures.length === 0)
      throw new DnsError(STRIPPED, `${shown(set)}: ${zone.name} is signed, and this is not`)
    throw new DnsError(OTHER_SIGNER, `${shown(set)}: signed by ${signerOf(set)}, and not by ${zone.name}`)
  }

  /** The keys of a zone: one that is vouched for has signed the set of them. */
  async #openZone(name: Name, vouchers: readonly Ds[]): Promise<Zone> {
    const message = await this.#ask({ name, type: TYPES.DNSKEY })
    const set = rrsetOf(message.answers, name, TYPES.DNSKEY)
    if (set === undefined)
      throw new DnsError(NO_KEY, name === ROOT ? NO_ROOT_KEYS : `${name}: its keys are vouched for, and it has none`)
    if (set.records.length > MOST_KEYS) throw new DnsError(EFFORT, `${name}: more than ${MOST_KEYS} keys`)
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
    if (trusted.length === 0) throw new DnsError(NO_KEY, `${name}: its keys do not include the one that is vouched for`)
    const zone = { name, keys }
    await this.#verify(set, this.#signedBy(set, zone), trusted, name)
    return zone
  }

  /** Verifies records of this very name: one synthesized from a wildcard tells of no cut. */
  async #verifyWhole(set: Rrset, by: readonly Rrsig[], zone: Zone): Promise<void> {
    const signature = await this.#verify(set, by, zone.keys, zone.name)
    if (!isWhole(set, signature))
      throw new DnsError(SIGNATURE, `${shown(set)}: signed for a wildcard, which tells of no zone`)
  }

  /**
   * The first signature that holds.
   *
   * @throws {DnsError} where none does, for the reason that comes closest to holding.
   */
  async #verify(set: Rrset, by: readonly Rrsig[], keys: readonly ZoneKey[], zone: Name): Promise<Rrsig> {
    // Made when it is needed: an error takes longer than all else here.
    let fault = () => new DnsError(NO_KEY, `${shown(set)}: signed by no key of ${zone} that is vouched for`)
    for (const signature of by.slice(0, MOST_SIGNATURES)) {
      if (signature.labels > labelsWithoutWildcard(set.name)) continue
      const late = this.#timeFault(signature)
      for (const zoneKey of keys) {
        if (zoneKey.tag !== signature.keyTag || zoneKey.key.algorithm !== signature.algorithm) continue
        if (late !== undefined) {
          fault = () => new DnsError(NOT_CURRENT, `${shown(set)}: ${late}`)
          continue
        }
        if (++this.#tries > MOST_TRIES)
          throw new DnsError(EFFORT, `${shown(set)}: more than ${MOST_TRIES} signatures tried`)
        zoneKey.check ??= openKey(zoneKey.key, this.#options)
        const check = await zoneKey.check
        // A copy: answers are views of the bytes received.
        if (await check?.(signedBytes(set, signature), signature.signature.slice())) return signature
        fault = () =>
          new DnsError(SIGNATURE, `${shown(set)}: the signature by key ${signature.keyTag} of ${zone} does not hold`)
      }
    }
    throw fault()
  }

  /** Times are of 32 bits, and compared as RFC 1982 has it. */
  #timeFault({ begins, expires }: Rrsig): string | undefined {
    const since = (this.#seconds - begins) | 0
    const left = (expires - this.#seconds) | 0
    if (since < 0) return `the signature begins in ${-since} s`
    return left < 0 ? `the signature ended ${-left} s ago` : undefined
  }
}

const DENYING = [TYPES.NSEC, TYPES.NSEC3]

const unsigned = (why: string): Open => ({ why, isUnsigned: true })
const shown = ({ name, type }: Rrset) => `${name} ${typeName(type)}`
const signerOf = ({ signatures }: Rrset) => [...new Set(signatures.map(({ signer }) => signer))].slice(0, 3).join(', ')
