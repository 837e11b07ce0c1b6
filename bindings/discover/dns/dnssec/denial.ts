// The absences that signed NSEC and NSEC3 records prove (RFC 4035 section 5.4, RFC 5155 section 8, RFC 6840 section 4).
import { compareNames, isWithin, labelsOf, type Name, parentOf, ROOT } from '../name.ts'
import { TYPES } from '../types.ts'
import type { Nsec } from './rdata.ts'

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
export type NameProof = { readonly types: ReadonlySet<number> } | NameGap

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
export const leadsAway = (types: ReadonlySet<number>): boolean =>
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
