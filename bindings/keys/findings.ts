// The faults of keys and of their identifiers.
import type { FindingKind } from '../document/finding.ts'

const severity = 'error'
const PAGE = 'docs/guide/keys.md'
const DID = 'ADL section 6.3'

export const KEY_KINDS = [
  { id: 'key/algorithm', code: 'KEY-101', title: 'Unsupported algorithm', section: PAGE, severity },
  { id: 'key/malformed', code: 'KEY-102', title: 'Malformed key', section: PAGE, severity },
  { id: 'key/other', code: 'KEY-103', title: 'Key that does not fit', section: PAGE, severity },
  { id: 'key/weak', code: 'KEY-104', title: 'Weak key', section: 'ADL section 6.3', severity },
  { id: 'key/private', code: 'KEY-105', title: 'No private key', section: PAGE, severity },
  { id: 'key/host', code: 'KEY-106', title: 'Not possible in this host', section: PAGE, severity },
  { id: 'key/base64', code: 'KEY-107', title: 'Malformed base64', section: 'RFC 4648 section 3', severity },
  { id: 'key/halves', code: 'KEY-108', title: 'Halves of different keys', section: PAGE, severity },
] as const satisfies readonly FindingKind[]

export const DID_KINDS = [
  { id: 'key/did', code: 'KEY-110', title: 'Malformed DID', section: DID, severity },
  { id: 'key/did', code: 'KEY-111', title: 'Unsupported DID', section: DID, severity },
  { id: 'key/did', code: 'KEY-112', title: 'DID document without a usable key', section: DID, severity },
] as const satisfies readonly FindingKind[]

export type KeyErrorCode = (typeof KEY_KINDS | typeof DID_KINDS)[number]['code']
