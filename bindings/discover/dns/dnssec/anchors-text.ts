// DS records in the form of dnssec-dsfromkey, dig and IANA's files of the root.
import { fromHex, toHex } from '../../../text/bytes.ts'
import { DnsError } from '../error.ts'
import { readName } from '../name.ts'
import type { TrustAnchors } from './anchors.ts'
import type { Ds } from './rdata.ts'

const ROW = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?DS\s+(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s+([0-9A-Fa-f\s]+)$/

/**
 * Reads the keys to trust instead of those of the root.
 *
 * @throws {TypeError} for a line that is not a DS record.
 */
export function anchorsFromText(text: string): TrustAnchors {
  const anchors: Record<string, Ds[]> = {}
  for (const [i, line] of text.split('\n').entries()) {
    const row = line.replace(/;.*/, '').trim()
    if (row === '') continue
    const [name, ds] = readRow(row) ?? refuse(row, i + 1)
    anchors[name] = [...(anchors[name] ?? []), ds]
  }
  return anchors
}

/** Writes the same records, one per line. */
export function anchorsToText(anchors: TrustAnchors): string {
  const line = (zone: string, { keyTag, algorithm, digestType, digest }: Ds) =>
    `${zone} IN DS ${keyTag} ${algorithm} ${digestType} ${toHex(digest).toUpperCase()}\n`
  return Object.entries(anchors)
    .flatMap(([zone, rows]) => rows.map((row) => line(zone, row)))
    .join('')
}

function readRow(row: string): readonly [name: string, ds: Ds] | undefined {
  const [, zone, keyTag, algorithm, digestType, hex] = ROW.exec(row) ?? []
  const digest = hex && fromHex(hex.replace(/\s/g, '').toLowerCase())
  if (zone === undefined || !digest) return undefined
  try {
    const ds = { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType), digest }
    return [readName(zone), ds]
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return undefined
  }
}

function refuse(row: string, line: number): never {
  throw new TypeError(`expected DS records, found "${row.slice(0, 60)}" in line ${line}`)
}
