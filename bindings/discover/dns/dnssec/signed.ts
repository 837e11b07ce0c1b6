// The bytes that a signature of a set of records covers (RFC 4034 sections 3.1.8.1 and 6.3).
import { compareBytes } from '../../../text/bytes.ts'
import { labelsOf, type Name, nameToWire, ROOT } from '../name.ts'
import type { Rrsig } from '../rdata.ts'
import { CLASS_IN } from '../types.ts'
import type { Rrset } from './rrset.ts'

/** The name that was signed: `*` replaces the labels that a wildcard matched (RFC 4035 section 5.3.2). */
function signedName(name: Name, { labels }: Rrsig): Name {
  const all = labelsOf(name)
  if (labels >= all.length) return name
  return ['*', ...all.slice(all.length - labels)].join('.') || ROOT
}

/** The signed bytes: the head of the signature, then the records sorted by their data, each once. */
export function signedBytes({ name, type, records }: Rrset, signature: Rrsig): Uint8Array<ArrayBuffer> {
  const owner = nameToWire(signedName(name, signature))
  const datas = records.map(({ rdata }) => rdata).sort(compareBytes)
  const own = datas.filter((data, i) => i === 0 || compareBytes(data, datas[i - 1]!) !== 0)
  const each = owner.length + 10
  const length = own.reduce((sum, data) => sum + each + data.length, signature.head.length)
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  bytes.set(signature.head)
  let at = signature.head.length
  for (const data of own) {
    bytes.set(owner, at)
    at += owner.length
    view.setUint16(at, type)
    view.setUint16(at + 2, CLASS_IN)
    view.setUint32(at + 4, signature.ttl)
    view.setUint16(at + 8, data.length)
    bytes.set(data, at + 10)
    at += 10 + data.length
  }
  return bytes
}

/** Counts labels without a `*` at the front (RFC 4034 section 3.1.3). */
export const labelsWithoutWildcard = (name: Name) => {
  const labels = labelsOf(name)
  return labels[0] === '*' ? labels.length - 1 : labels.length
}

/** True for a set that was signed under its own name, not that of a wildcard. */
export const isWhole = ({ name }: Rrset, { labels }: Rrsig) => labels >= labelsWithoutWildcard(name)
