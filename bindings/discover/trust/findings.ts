// What keeps an agent that was found from being trusted.
import type { FindingKind } from '../../document/finding.ts'

const severity = 'error'

export const KEY_MISMATCH: FindingKind = {
  id: 'trust/fingerprint',
  code: 'WK-160',
  title: 'Another key than the DNS says',
  section: 'ADP/1.1 section 8.1.2',
  severity,
}
export const OF_SPKI: FindingKind = {
  id: 'trust/spki',
  code: 'WK-187',
  title: 'Fingerprint of the SPKI in the DNS',
  section: 'ADP/1.1 section 5.1',
  severity,
}
export const NO_FINGERPRINT: FindingKind = {
  id: 'trust/no-fingerprint',
  code: 'WK-161',
  title: 'No fingerprint in the DNS',
  section: 'ADP/1.1 section 8.1.2',
  severity: 'warning',
}
export const NO_FULL_KEY: FindingKind = {
  id: 'trust/no-key',
  code: 'WK-162',
  title: 'No key to compare',
  section: 'ADP/1.1 section 8.1',
  severity: 'warning',
}
export const MEDIA_TYPE: FindingKind = {
  id: 'trust/media-type',
  code: 'WK-163',
  title: 'Other content type',
  section: 'ADP/1.1 section 6.2',
  severity: 'warning',
}
export const OLD_TLS: FindingKind = {
  id: 'trust/tls-version',
  code: 'WK-164',
  title: 'TLS that is too old',
  section: 'ADP/1.1 section 8.2',
  severity,
}
export const ELSEWHERE: FindingKind = {
  id: 'trust/well-known',
  code: 'WK-165',
  title: 'Metadata of another place',
  section: 'ADP/1.1 section 6.3.3',
  severity,
}
export const BELOW: FindingKind = {
  id: 'trust/level',
  code: 'WK-166',
  title: 'Less than what is required',
  section: 'ADP/1.1 section 8.1',
  severity,
}
export const TLS_HIDDEN: FindingKind = {
  id: 'trust/tls-hidden',
  code: 'WK-167',
  title: 'TLS that this host does not show',
  section: 'ADP/1.1 section 8.2',
  severity: 'warning',
}
export const SELF_SIGNED: FindingKind = {
  id: 'trust/self-signed',
  code: 'WK-168',
  title: 'Certificate signed by itself',
  section: 'ADP/1.1 section 8.2',
  severity: 'warning',
}
export const NO_CHAT: FindingKind = {
  id: 'trust/no-chat',
  code: 'WK-169',
  title: 'Nobody to speak with',
  section: 'ADP/1.1 section 7.2.2',
  severity,
}

export const TRUST_FINDINGS: readonly FindingKind[] = [
  KEY_MISMATCH,
  OF_SPKI,
  NO_FINGERPRINT,
  NO_FULL_KEY,
  MEDIA_TYPE,
  OLD_TLS,
  ELSEWHERE,
  BELOW,
  TLS_HIDDEN,
  SELF_SIGNED,
  NO_CHAT,
]
