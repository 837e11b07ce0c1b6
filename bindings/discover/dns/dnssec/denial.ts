// The absence that NSEC records prove (RFC 4035 section 5.4, RFC 6840 section 4). NSEC3 is not worked out here.
import { compareNames, isWithin, labelsOf, type Name, parentOf, ROOT } from '../name.ts'
import { TYPES } from '../types.ts'
import { type Nsec, readNsec } from './rdata.ts'
import type { Rrset } from './rrset.ts'

/** An NSEC record whose signature was checked. */
export interface Denial extends Nsec {
  readonly owner: Name
  readonly zone: Name
}

export const readDenial = ({ name, records }: Rrset, zone: Name): Denial => ({
  owner: name,
  zone,
  ...readNsec(records[0]!.rdata),
})

/** The record lies between two that follow each other; behind the last one comes the first of the zone again. */
function covers({ owner, next, zone }: Denial, name: Name): boolean {
  if (compareNames(owner, name) >= 0 || !isWithin(name, zone)) return false
  return compareNames(name, next) < 0 || next === zone
}

/** At a delegation, or at an alias of a whole tree, the record proves nothing about names below (RFC 6840 section 4.1). */
const speaksOf = ({ owner, types }: Denial, name: Name) =>
  owner === name ||
  !isWithin(name, owner) ||
  !((types.has(TYPES.NS) && !types.has(TYPES.SOA)) || types.has(TYPES.DNAME))

/** True when the name does not exist, unless a wildcard stands for it. */
export const isNameDenied = (denials: readonly Denial[], name: Name): boolean =>
  denials.some((denial) => speaksOf(denial, name) && covers(denial, name) && !isWithin(denial.next, name))

/** True when the name does not exist, and no wildcard stands for it. */
export function isNowhere(denials: readonly Denial[], name: Name): boolean {
  const covering = denials.find((denial) => speaksOf(denial, name) && covers(denial, name))
  if (covering === undefined || isWithin(covering.next, name)) return false
  return isNameDenied(denials, wildcardFor(covering, name))
}

/** True when a name has no record of a type: it has others, or is only on the way to other names, or a wildcard has none. */
export function isTypeDenied(denials: readonly Denial[], name: Name, type: number): boolean {
  const own = denials.find(({ owner }) => owner === name)
  if (own !== undefined) return lacks(own, type)
  const covering = denials.find((denial) => speaksOf(denial, name) && covers(denial, name))
  if (covering === undefined) return false
  if (isWithin(covering.next, name)) return true
  const wildcard = wildcardFor(covering, name)
  return denials.some((denial) => denial.owner === wildcard && lacks(denial, type))
}

/**
 * At a delegation the parent's record speaks of the DS alone, and of the DS nobody but the parent's (RFC 4035 section
 * 5.2, RFC 6840 section 4.1).
 */
function lacks({ types, owner, zone }: Denial, type: number): boolean {
  if (types.has(type) || types.has(TYPES.CNAME)) return false
  if (type === TYPES.DS) return owner === ROOT || owner !== zone
  return !types.has(TYPES.NS) || types.has(TYPES.SOA)
}

/** The name of a wildcard that could answer: below the longest ancestor that exists, which both ends of the gap tell. */
function wildcardFor({ owner, next }: Denial, name: Name): Name {
  let encloser: Name = name
  while (!isWithin(owner, encloser) && !isWithin(next, encloser)) encloser = parentOf(encloser)!
  return encloser === ROOT ? '*' : `*.${encloser}`
}

/** The name that has to be absent for a wildcard to have stood for this one (RFC 4035 section 5.3.4). */
export const nextCloser = (name: Name, signedLabels: number): Name =>
  labelsOf(name)
    .slice(-(signedLabels + 1))
    .join('.')

/** A name without the labels at its front that are no host's. */
export const hostIn = (name: Name): Name => {
  const labels = labelsOf(name)
  const at = labels.findIndex((label) => !label.startsWith('_'))
  return at < 0 ? ROOT : labels.slice(at).join('.')
}
