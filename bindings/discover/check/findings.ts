// What a check of a domain finds that no single discovery tells.
import type { FindingKind } from '../../document/finding.ts'

export const MISSING: FindingKind = {
  id: 'check/missing',
  code: 'WK-190',
  title: 'Record that is missing',
  section: 'ADP/1.1 section 4',
  severity: 'warning',
}
export const LEFT_OVER: FindingKind = {
  id: 'check/left-over',
  code: 'WK-191',
  title: 'Record that is left over',
  section: 'ADP/1.1 section 5.1',
  severity: 'warning',
}
export const DISAGREES: FindingKind = {
  id: 'check/disagrees',
  code: 'WK-192',
  title: 'Record that says something else than the metadata',
  section: 'ADP/1.1 section 6.3.3',
  severity: 'error',
}
export const OTHER_FORM: FindingKind = {
  id: 'check/form',
  code: 'WK-193',
  title: 'Record or document that cannot be used',
  section: 'docs/guide/dns.md',
  severity: 'error',
}
export const OTHER_KEY: FindingKind = {
  id: 'check/key',
  code: 'WK-194',
  title: 'Published with another key',
  section: 'docs/guide/dns.md',
  severity: 'error',
}
export const STALE: FindingKind = {
  id: 'check/stale',
  code: 'WK-195',
  title: 'Signature that has ended',
  section: 'docs/guide/dns.md',
  severity: 'error',
}
export const UNSIGNED: FindingKind = {
  id: 'check/unsigned',
  code: 'WK-196',
  title: 'Domain whose DNS is not shown to be signed',
  section: 'ADP/1.1 section 4.3',
  severity: 'warning',
}
export const OLD_TLS_TAKEN: FindingKind = {
  id: 'check/old-tls',
  code: 'WK-197',
  title: 'TLS below 1.3 is still taken',
  section: 'ADP/1.1 section 8.2',
  severity: 'warning',
}

export const UNSHOWN: FindingKind = {
  id: 'check/unshown',
  code: 'WK-198',
  title: 'Signed zone that cannot show what is absent',
  section: 'RFC 9276 section 3',
  severity: 'warning',
}

export const CHECK_FINDINGS: readonly FindingKind[] = [
  MISSING,
  LEFT_OVER,
  DISAGREES,
  OTHER_FORM,
  OTHER_KEY,
  STALE,
  UNSIGNED,
  OLD_TLS_TAKEN,
  UNSHOWN,
]
