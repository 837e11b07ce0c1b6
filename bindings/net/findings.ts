// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'DOC-180' | 'DOC-181' | 'DOC-182' | 'DOC-183' | 'DOC-184' | 'DOC-185'

const T0 = 'ADL section 6.4'
const T1 = 'ADL section 18.7'
const T2 = 'ADL section 18.5'
export const FETCH_ADDRESS = /* @__PURE__ */ finding('fetch/address', 'DOC-180', 'Address that is not fetched', T1)
export const FETCH_FAILED = /* @__PURE__ */ finding('fetch/failed', 'DOC-181', 'Cannot be fetched', T0)
export const FETCH_STATUS = /* @__PURE__ */ finding('fetch/status', 'DOC-182', 'Answer that is not the document', T0)
export const FETCH_REDIRECT = /* @__PURE__ */ finding('fetch/redirect', 'DOC-183', 'Redirect that is not followed', T1)
export const FETCH_TOO_LARGE = /* @__PURE__ */ finding('fetch/too-large', 'DOC-184', 'Answer too large', T2)
export const FETCH_TIMEOUT = /* @__PURE__ */ finding('fetch/timeout', 'DOC-185', 'No answer in time', T2)

export const ALL: readonly FindingKind[] = [FETCH_ADDRESS, FETCH_FAILED, FETCH_STATUS, FETCH_REDIRECT, FETCH_TOO_LARGE, FETCH_TIMEOUT]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...FETCH_ADDRESS, why: 'A document could make its reader fetch addresses inside a private network. Only https is fetched, and never from a host of this network.', bad: 'http://169.254.169.254/latest/meta-data/', good: 'https://acme.example.com/agents/scout/adl.json' },
  { ...FETCH_FAILED, why: 'The name has no address, nothing answers there, or the certificate is invalid.', bad: 'https://nobody.example/agent.json', good: 'https://acme.example.com/agent.json' },
  { ...FETCH_STATUS, why: 'With another status than 200, the server sends something other than the document, or nothing.', bad: 'HTTP/1.1 404 Not Found', good: 'HTTP/1.1 200 OK' },
  { ...FETCH_REDIRECT, why: 'Every target is checked like the first address. Too many redirects are refused, and so are targets that the host does not show.', bad: 'https://acme.example.com/agent.json redirects to http://10.0.0.1/', good: 'https://acme.example.com/agent.json answers directly' },
  { ...FETCH_TOO_LARGE, why: 'An endless answer would fill the memory. Bytes are counted as they arrive, whatever the server announces.', bad: 'an answer of 2 MiB with a limit of 1 MiB', good: 'an answer within the limit, which is an option' },
  { ...FETCH_TIMEOUT, why: 'A server that sends one byte a minute would keep its reader waiting forever.', bad: 'an answer that takes a minute with a limit of 10 seconds', good: 'an answer in time; the limit is an option' },
]
