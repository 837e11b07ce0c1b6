import type { FindingKind } from '../../document/finding.ts'
import { DNSSEC_FINDINGS } from './dnssec/findings.ts'
import * as DNS from './findings.ts'

/** All faults between a question and a credible answer. */
export const DNS_FINDINGS: readonly FindingKind[] = [
  DNS.MALFORMED,
  DNS.OTHER_QUESTION,
  DNS.REFUSED,
  DNS.NO_ANSWER,
  DNS.ALIASES,
  DNS.QUESTIONS,
  DNS.RESOLVER,
  DNS.NAME,
  ...DNSSEC_FINDINGS,
  DNS.DROPPED,
  DNS.SVCB_FORM,
  DNS.PASSED_OVER,
  DNS.WELL_KNOWN_PATH,
  DNS.NOT_HERE,
  DNS.TXT_FORM,
  DNS.TXT_JOINED,
  DNS.NO_AGENT,
  DNS.FALLBACK,
  DNS.NO_ADDRESS,
  DNS.TLSA_MISMATCH,
  DNS.TLSA_NOT_SHOWN,
  DNS.TLSA_UNUSABLE,
  DNS.TLSA_HIDDEN,
  DNS.WEAK_PATH,
  DNS.CAP_OTHER,
  DNS.CAP_OPEN,
  DNS.TLSA_MANY,
]
