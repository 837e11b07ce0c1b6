// The reasons not to fetch. The place of such a finding is the URL.
import type { FindingKind } from '../document/finding.ts'

const severity = 'error'

export const ADDRESS: FindingKind = {
  id: 'fetch/address',
  code: 'DOC-180',
  title: 'Address that is not read',
  section: 'ADL section 18.7',
  severity,
}
export const FAILED: FindingKind = {
  id: 'fetch/failed',
  code: 'DOC-181',
  title: 'Cannot be fetched',
  section: 'ADL section 6.4',
  severity,
}
export const STATUS: FindingKind = {
  id: 'fetch/status',
  code: 'DOC-182',
  title: 'Answer that is not the document',
  section: 'ADL section 6.4',
  severity,
}
export const REDIRECT: FindingKind = {
  id: 'fetch/redirect',
  code: 'DOC-183',
  title: 'Redirect that is not followed',
  section: 'ADL section 18.7',
  severity,
}
export const ANSWER_TOO_LARGE: FindingKind = {
  id: 'fetch/too-large',
  code: 'DOC-184',
  title: 'Answer too large',
  section: 'ADL section 18.5',
  severity,
}
export const TIMEOUT: FindingKind = {
  id: 'fetch/timeout',
  code: 'DOC-185',
  title: 'No answer in time',
  section: 'ADL section 18.5',
  severity,
}

export const FETCH_FINDINGS: readonly FindingKind[] = [ADDRESS, FAILED, STATUS, REDIRECT, ANSWER_TOO_LARGE, TIMEOUT]
