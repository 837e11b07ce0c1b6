// Compares TLSA records with a server's certificates (RFC 6698 sections 2.1 and 4, RFC 7671).
//
//     _443._tcp.www.example.com. IN TLSA 0 0 1 d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971

import { attempt } from '../../keys/base64.ts'
import { spkiOf } from '../../keys/certificate.ts'
import { type PlatformOptions, subtleOf } from '../../keys/platform.ts'
import { compareBytes, sameBytes } from '../../text/bytes.ts'
import { sha256 } from '../../wasm/sha256.ts'
import type { Tlsa } from './message.ts'
import type { Name } from './name.ts'

const USAGES = ['PKIX-TA', 'PKIX-EE', 'DANE-TA', 'DANE-EE']
const SELECTORS = ['Cert', 'SPKI']
const MATCHING_TYPES = ['Full', 'SHA2-256', 'SHA2-512']
/** The most records of a name to compare: each costs a digest of a certificate. */
const MOST_TLSA = 32

/** Records with known numbers, sorted by their data: servers return them in any order. */
export const usableTlsa = (records: readonly Tlsa[]): readonly Tlsa[] =>
  records
    .filter(
      ({ usage, selector, matchingType, data }) =>
        USAGES[usage] !== undefined &&
        SELECTORS[selector] !== undefined &&
        MATCHING_TYPES[matchingType] !== undefined &&
        data.length > 0,
    )
    .sort((a, b) => compareBytes(a.data, b.data))

/** Says that only some records are compared; undefined if all are. */
export const uncomparedTlsa = (name: Name, usable: readonly Tlsa[]): string | undefined =>
  usable.length > MOST_TLSA ? `${name} has ${usable.length} records, and only ${MOST_TLSA} are compared` : undefined

/** Writes `DANE-EE SPKI SHA2-256`, as in RFC 7218. */
export const tlsaWords = ({ usage, selector, matchingType }: Tlsa): string =>
  `${USAGES[usage]} ${SELECTORS[selector]} ${MATCHING_TYPES[matchingType]}`

/**
 * Finds the first record that one of a server's certificates matches: its own, or for an authority one above it. PKIX
 * and DANE usages are the same here, because the certificate was validated before.
 *
 * @param records the first 32 are compared.
 * @param certificates from the server's own up, each signed by the next.
 */
export async function matchingTlsa(
  records: readonly Tlsa[],
  certificates: readonly Uint8Array<ArrayBuffer>[],
  options: PlatformOptions,
): Promise<Tlsa | undefined> {
  for (const record of records.slice(0, MOST_TLSA)) {
    const candidates = record.usage % 2 === 1 ? certificates.slice(0, 1) : certificates.slice(1)
    for (const certificate of candidates) {
      const selected = record.selector === 0 ? certificate : attempt(() => spkiOf(certificate))
      if (selected !== undefined && sameBytes(await digestOf(selected, record, options), record.data)) return record
    }
  }
  return undefined
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>, { matchingType }: Tlsa, options: PlatformOptions) {
  if (matchingType === 0) return bytes
  // The platform's digest would take a quarter of a millisecond, twice per connection.
  return matchingType === 1 ? sha256(bytes) : new Uint8Array(await subtleOf(options).digest('SHA-512', bytes))
}
