// What is wrong with signatures, keys and denials. The place of such a finding is the name.
import type { FindingKind } from '../../../document/finding.ts'

const severity = 'error'

export const SIGNATURE: FindingKind = {
  id: 'dnssec/signature',
  code: 'DNS-110',
  title: 'DNSSEC signature that does not hold',
  section: 'RFC 4035 section 5.3.3',
  severity,
}
export const STRIPPED: FindingKind = {
  id: 'dnssec/missing',
  code: 'DNS-111',
  title: 'Signed zone, answer without a signature',
  section: 'RFC 4035 section 5.2',
  severity,
}
export const NOT_CURRENT: FindingKind = {
  id: 'dnssec/not-current',
  code: 'DNS-112',
  title: 'DNSSEC signature of another time',
  section: 'RFC 4035 section 5.3.1',
  severity,
}
export const OTHER_SIGNER: FindingKind = {
  id: 'dnssec/signer',
  code: 'DNS-113',
  title: 'Signed by a zone that the name is not in',
  section: 'RFC 4035 section 5.3.1',
  severity,
}
export const NO_KEY: FindingKind = {
  id: 'dnssec/key',
  code: 'DNS-114',
  title: 'No key of the zone is vouched for',
  section: 'RFC 4035 section 5.2',
  severity,
}
export const NOT_DENIED: FindingKind = {
  id: 'dnssec/denial',
  code: 'DNS-115',
  title: 'Absence that is not shown',
  section: 'RFC 4035 section 5.4, RFC 5155 section 8',
  severity,
}
export const EFFORT: FindingKind = {
  id: 'dnssec/effort',
  code: 'DNS-116',
  title: 'Too many keys, signatures or hashes to try',
  section: 'RFC 4035 section 5.3.3',
  severity,
}
export const DNSSEC_FINDINGS: readonly FindingKind[] = [
  SIGNATURE,
  STRIPPED,
  NOT_CURRENT,
  OTHER_SIGNER,
  NO_KEY,
  NOT_DENIED,
  EFFORT,
]
