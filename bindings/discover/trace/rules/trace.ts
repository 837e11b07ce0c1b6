import type { Rule, RuleInfo } from '../../../frame/rule.ts'
import { isDomain } from '../../../text/host-name.ts'
import { quoted } from '../../../text/words.ts'
import { TRACE_VERSION } from '../../trust/trace.ts'
import { bytesOf, invitationFault, isBase64, missingIn, type RecordedDiscovery } from '../recorded.ts'

const section = 'docs/guide/discovery.md'
const DNS_STEP = '"kind": "dns", "after": 0, "took": 1, "section": "ADP/1.1 section 4.1", "by": "recorder"'

export const traceRoot: RuleInfo = {
  id: 'trace-root',
  code: 'WK-170',
  title: 'Trace that is no JSON object',
  section,
  severity: 'error',
  why: 'A trace is one JSON object: nothing else has members to read.',
  bad: '[]',
  good: `{"trace": "${TRACE_VERSION}"}`,
}

export const traceVersion: Rule<RecordedDiscovery> = {
  id: 'trace-version',
  code: 'WK-171',
  title: 'Trace of another version',
  section,
  severity: 'error',
  why: 'The member says how all others are to be read.',
  bad: '{"trace": "blazon/discovery/2"}',
  good: `{"trace": "${TRACE_VERSION}"}`,
  check({ version }, report) {
    if (version === undefined || version.value === '' || version.value === TRACE_VERSION) return
    report(version.pointer, `Expected ${TRACE_VERSION}, found ${quoted(version.value)}`)
  },
}

export const traceDomain: Rule<RecordedDiscovery> = {
  id: 'trace-domain',
  code: 'WK-178',
  title: 'Domain that is none',
  section,
  severity: 'error',
  why: 'It is what was asked about: a whole name in ASCII and lower case.',
  bad: '{"domain": "https://alice.example.com/"}',
  good: '{"domain": "alice.example.com"}',
  check({ domain }, report) {
    if (domain === undefined || domain.value === '') return
    if (!isDomain(domain.value) || domain.value !== domain.value.toLowerCase()) {
      report(domain.pointer, `${quoted(domain.value)} is not a domain name in lower case`)
    }
  },
}

export const traceInvitation: Rule<RecordedDiscovery> = {
  id: 'trace-invitation',
  code: 'WK-186',
  title: 'Invitation that says too little',
  section,
  severity: 'error',
  why: 'It stood in for the DNS: without agent, address, key and end nothing can be judged. Its code is a secret, and does not belong here.',
  bad: '{"invitation": {"agent": "agent:alice.example.com"}}',
  good: '{"invitation": {"agent": "agent:alice.example.com", "wellKnown": "https://alice.example.com/.well-known/agent.json", "pubkey": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "expires": "2026-12-31T00:00:00Z"}}',
  check({ invitation }, report) {
    if (invitation === undefined) return
    const fault = invitationFault(invitation.value)
    if (fault !== undefined) report(invitation.pointer, `Incomplete: ${fault}`)
    if (Object.hasOwn(invitation.value, 'code'))
      report(`${invitation.pointer}/code`, 'Expected no code, which is a secret')
  },
}

export const traceStep: Rule<RecordedDiscovery> = {
  id: 'trace-step',
  code: 'WK-179',
  title: 'Step that says too little',
  section,
  severity: 'error',
  why: 'A step has what was asked, and what was answered or why not: name and type with an answer, or a URL with a body.',
  bad: `{"steps": [{${DNS_STEP}, "name": "alice.example.com"}]}`,
  good: `{"steps": [{${DNS_STEP}, "name": "alice.example.com", "type": 64, "answer": "AAAB"}]}`,
  check({ steps }, report) {
    for (const { pointer, value } of steps) {
      const missing = missingIn(value)
      if (missing !== undefined) report(pointer, `Expected ${missing}, found none`)
    }
  },
}

export const traceBytes: Rule<RecordedDiscovery> = {
  id: 'trace-bytes',
  code: 'WK-180',
  title: 'Bytes that are none',
  section,
  severity: 'error',
  why: 'Messages, bodies and certificates stand in base64 with padding: what cannot be read proves nothing.',
  bad: `{"steps": [{${DNS_STEP}, "name": "alice.example.com", "type": 64, "answer": "?"}]}`,
  good: `{"steps": [{${DNS_STEP}, "name": "alice.example.com", "type": 64, "answer": "AAAB"}]}`,
  check({ steps }, report) {
    for (const part of steps.flatMap(bytesOf)) {
      if (!isBase64(part)) report(part.pointer, `Expected base64 with padding, found ${quoted(part.value)}`)
    }
  },
}
