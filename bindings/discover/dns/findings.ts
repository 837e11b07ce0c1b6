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
export const DROPPED: FindingKind = {
  id: 'dnssec/dropped',
  code: 'DNS-117',
  title: 'Resolver that drops DNSSEC signatures',
  section: 'RFC 4035 section 3.2.1',
  severity,
}
/** Codes after which nothing is known of a domain. */
export const UNANSWERED: readonly string[] = [REFUSED, NO_ANSWER, RESOLVER, DROPPED].map(({ code }) => code)

export const SVCB_FORM: FindingKind = {
  id: 'svcb/form',
  code: 'DNS-120',
  title: 'SVCB record that cannot be read',
  section: 'RFC 9460 section 2.2',
  severity,
}
export const PASSED_OVER: FindingKind = {
  id: 'svcb/passed-over',
  code: 'DNS-121',
  title: 'No SVCB record that can be used',
  section: 'RFC 9460 section 8',
  severity,
}
export const WELL_KNOWN_PATH: FindingKind = {
  id: 'svcb/well-known',
  code: 'DNS-122',
  title: 'Path of metadata that is none',
  section: 'ADP/1.1 section 4.1.1',
  severity,
}
export const NOT_HERE: FindingKind = {
  id: 'dns/not-here',
  code: 'DNS-123',
  title: 'The domain says that it has no agent',
  section: 'RFC 9460 section 2.5.1',
  severity,
}
export const TXT_FORM: FindingKind = {
  id: 'txt/form',
  code: 'DNS-130',
  title: 'TXT record that cannot be used',
  section: 'ADP/1.1 section 5.1',
  severity,
}
export const TXT_JOINED: FindingKind = {
  id: 'txt/joined',
  code: 'DNS-131',
  title: 'TXT record in pieces',
  section: 'ADP/1.1 section 5.1',
  severity: 'warning',
}
export const NO_AGENT: FindingKind = {
  id: 'dns/no-agent',
  code: 'DNS-132',
  title: 'No agent at this domain',
  section: 'ADP/1.1 section 5.3',
  severity,
}
export const FALLBACK: FindingKind = {
  id: 'dns/fallback',
  code: 'DNS-133',
  title: 'Found by the weaker way',
  section: 'ADP/1.1 section 5.3',
  severity: 'info',
}
export const NO_ADDRESS: FindingKind = {
  id: 'dns/no-address',
  code: 'DNS-134',
  title: 'Host without an address',
  section: 'ADP/1.1 section 4.1',
  severity,
}
export const TLSA_MISMATCH: FindingKind = {
  id: 'tlsa/mismatch',
  code: 'DNS-140',
  title: 'Another certificate than the DNS says',
  section: 'ADP/1.1 section 4.2',
  severity,
}
export const TLSA_NOT_SHOWN: FindingKind = {
  id: 'tlsa/not-shown',
  code: 'DNS-141',
  title: 'TLSA record that nobody signed',
  section: 'ADP/1.1 section 4.3',
  severity: 'warning',
}
export const TLSA_UNUSABLE: FindingKind = {
  id: 'tlsa/unusable',
  code: 'DNS-142',
  title: 'TLSA records that nobody can use',
  section: 'RFC 6698 section 4.1',
  severity: 'warning',
}
export const TLSA_HIDDEN: FindingKind = {
  id: 'tlsa/hidden',
  code: 'DNS-143',
  title: 'Certificate that this host does not show',
  section: 'ADP/1.1 section 4.2',
  severity: 'warning',
}
export const TLSA_MANY: FindingKind = {
  id: 'tlsa/many',
  code: 'DNS-147',
  title: 'More TLSA records than are compared',
  section: 'RFC 6698 section 4.1',
  severity: 'warning',
}
export const WEAK_PATH: FindingKind = {
  id: 'tlsa/weak-path',
  code: 'DNS-144',
  title: 'Way to the server less well shown than its certificate',
  section: 'ADP/1.1 section 8.1',
  severity: 'warning',
}

export const CAP_OTHER: FindingKind = {
  id: 'svcb/cap-sha256',
  code: 'DNS-145',
  title: 'Another descriptor than the DNS says',
  section: 'ADP/1.1 section 4.1.1',
  severity,
}
export const CAP_OPEN: FindingKind = {
  id: 'svcb/cap',
  code: 'DNS-146',
  title: 'Descriptor that is not compared',
  section: 'ADP/1.1 section 4.1.1',
  severity: 'warning',
}
