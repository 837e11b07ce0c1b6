// The faults between a question and a credible answer. The place of such a finding is the name.
import type { FindingKind } from '../../document/finding.ts'

const severity = 'error'

export const MALFORMED: FindingKind = {
  id: 'dns/malformed',
  code: 'DNS-101',
  title: 'DNS answer that cannot be read',
  section: 'RFC 1035 section 4.1',
  severity,
}
export const OTHER_QUESTION: FindingKind = {
  id: 'dns/other-question',
  code: 'DNS-102',
  title: 'Answer to another question',
  section: 'RFC 5452 section 9.1',
  severity,
}
export const REFUSED: FindingKind = {
  id: 'dns/refused',
  code: 'DNS-103',
  title: 'The resolver does not answer',
  section: 'ADP/1.1 section 5',
  severity,
}
export const NO_ANSWER: FindingKind = {
  id: 'dns/no-answer',
  code: 'DNS-104',
  title: 'No DNS answer in time',
  section: 'RFC 1035 section 4.2.1',
  severity,
}
export const ALIASES: FindingKind = {
  id: 'dns/aliases',
  code: 'DNS-105',
  title: 'Aliases that lead nowhere',
  section: 'RFC 9460 section 3.1',
  severity,
}
export const QUESTIONS: FindingKind = {
  id: 'dns/questions',
  code: 'DNS-106',
  title: 'Too many questions',
  section: 'RFC 9520 section 2.2',
  severity,
}
export const RESOLVER: FindingKind = {
  id: 'dns/resolver',
  code: 'DNS-107',
  title: 'The resolver cannot be asked',
  section: 'RFC 8484 section 4.2',
  severity,
}
export const NAME: FindingKind = {
  id: 'dns/name',
  code: 'DNS-108',
  title: 'No domain name',
  section: 'RFC 1035 section 2.3.4',
  severity,
}
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
  section: 'RFC 4035 section 5.4',
  severity,
}
export const EFFORT: FindingKind = {
  id: 'dnssec/effort',
  code: 'DNS-116',
  title: 'Too many keys or signatures to try',
  section: 'RFC 4035 section 5.3.3',
  severity,
}
export const SVCB_FORM: FindingKind = {
  id: 'svcb/form',
  code: 'DNS-120',
  title: 'SVCB record that cannot be read',
  section: 'RFC 9460 section 2.2',
  severity,
}
