// What is found on another way than that of the first record of the DNS: by an invitation, or at a host that stands by. Loaded
// with those.
import type { FindingKind } from '../../document/finding.ts'

export const SILENT_HOST: FindingKind = {
  id: 'trust/silent-host',
  code: 'WK-188',
  title: 'Host that does not answer',
  section: 'ADP/1.1 section 4.1',
  severity: 'warning',
}
export const UNINVITED: FindingKind = {
  id: 'trust/invitation',
  code: 'WK-184',
  title: 'Invitation that invites nobody',
  section: 'ADP/1.1 section 8.3.1',
  severity: 'error',
}
export const INVITED_MISMATCH: FindingKind = {
  id: 'trust/invited-key',
  code: 'WK-185',
  title: 'Another key than the invitation says',
  section: 'ADP/1.1 section 8.3.1',
  severity: 'error',
}

export const DETOUR_FINDINGS: readonly FindingKind[] = [SILENT_HOST, UNINVITED, INVITED_MISMATCH]
