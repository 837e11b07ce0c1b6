// Records of one name and type form a set, which is signed as a whole (RFC 2181 section 5).
import { CLASS_IN, type ResourceRecord, type Rrsig, readRrsig, TYPES } from './message.ts'
import { isWithin, type Name } from './name.ts'

/** Records of one name and type, at least one, with their signatures. */
export interface Rrset {
  readonly name: Name
  readonly type: number
  readonly records: readonly ResourceRecord[]
  readonly signatures: readonly Rrsig[]
}

/** The set of a name and type in a section of a message; undefined without such records. */
export function rrsetOf(section: readonly ResourceRecord[], name: Name, type: number): Rrset | undefined {
  return group(
    section.filter((record) => record.name === name),
    type,
  ).get(name)
}

/** The most signed sets of one type in a section. A denial needs three; more are an attempt to cause work. */
const MOST_SIGNED = 8

/** The signed sets of a type in a section; with `zone` only those signed by it. */
export const signedSets = (section: readonly ResourceRecord[], type: number, zone?: Name): Rrset[] =>
  [...group(section, type).values()]
    .filter(({ name, signatures }) =>
      signatures.some(({ signer }) => isWithin(name, signer) && (zone === undefined || signer === zone)),
    )
    .slice(0, MOST_SIGNED)

function group(section: readonly ResourceRecord[], type: number): Map<Name, Rrset> {
  const sets = new Map<Name, { name: Name; type: number; records: ResourceRecord[]; signatures: Rrsig[] }>()
  const own = section.filter((record) => record.class === CLASS_IN)
  for (const record of own) {
    if (record.type !== type) continue
    const set = sets.get(record.name)
    if (set === undefined) sets.set(record.name, { name: record.name, type, records: [record], signatures: [] })
    else set.records.push(record)
  }
  for (const { type: recordType, name, rdata } of own) {
    if (recordType !== TYPES.RRSIG || !sets.has(name)) continue
    const signature = readRrsig(rdata)
    if (signature.covers === type) sets.get(name)!.signatures.push(signature)
  }
  return sets
}
