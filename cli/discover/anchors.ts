// DS records as dnssec-dsfromkey, dig and IANA's files of the root have them.
import type { TrustAnchors } from '../../bindings/discover/dns/dnssec/anchors.ts'
import { readName } from '../../bindings/discover/dns/name.ts'
import type { Ds } from '../../bindings/discover/dns/rdata.ts'
import { fromHex } from '../../bindings/text/bytes.ts'
import { UsageError } from '../usage.ts'

const ROW = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?DS\s+(\d{1,5})\s+(\d{1,3})\s+(\d{1,3})\s+([0-9A-Fa-f\s]+)$/

/** The keys that are trusted in place of the root's. */
export function readAnchors(text: string, file: string): TrustAnchors {
  const anchors: Record<string, Ds[]> = {}
  for (const line of text.split('\n').map((one) => one.replace(/;.*/, '').trim())) {
    if (line === '') continue
    const [, zone, keyTag, algorithm, digestType, hex] = ROW.exec(line) ?? []
    const digest = hex && fromHex(hex.replace(/\s/g, '').toLowerCase())
    if (zone === undefined || !digest) {
      const hint = 'as in ". IN DS 20326 8 2 E06D44B8…"'
      throw new UsageError('invalid-value', `${file}: expected DS records, found "${line.slice(0, 60)}"`, hint)
    }
    const row = { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType), digest }
    const name = readName(zone)
    anchors[name] = [...(anchors[name] ?? []), row]
  }
  return anchors
}
