import type { Rule } from '../../frame/rule.ts'
import { isUrn } from '../../schema/formats.ts'
import { isText, member, type PlacedValue, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'

const PART = '[a-z0-9][a-z0-9-]*'
const VERSION = '\\d+(\\.\\d+){1,2}'
/**
 * `urn:adl:{type}:{namespace}:{name}:{version}` (17.3), the same without a type (6.1), and the profiles of 17.2, which
 * have no namespace and a version of two numbers. Appendix D lacks the production adl-urn that should define it.
 */
const FORMS = [
  new RegExp(`^urn:adl:(agent|profile):${PART}:${PART}:${VERSION}$`),
  new RegExp(`^urn:adl:(?!agent:)(?!profile:)${PART}:${PART}:${VERSION}$`),
  new RegExp(`^urn:adl:profile:${PART}:${VERSION}$`),
]

const isAdlUrn = (text: string) => /^urn:adl:/i.test(text)

export const adlUrns: Rule<Agent> = {
  id: 'adl-urn',
  code: 'BADL-124',
  title: 'URN with another form',
  section: 'ADL 17.3',
  severity: 'warning',
  why: 'Catalogs take such a name apart, and do not find one of another form.',
  bad: '{"id": "urn:adl:agent:Acme:Invoices"}',
  good: '{"id": "urn:adl:agent:acme:invoices:1.0.0"}',
  check({ root, lifecycle, profiles }, report) {
    const places: (PlacedValue<string> | undefined)[] = [textMember(root, 'id'), textMember(lifecycle, 'successor')]
    for (const place of [...places, ...profiles]) {
      if (place === undefined || !/^urn:/i.test(place.value) || place.value.length > 1024) continue
      if (!isUrn(place.value)) {
        report(place.pointer, `${quoted(place.value)} is no URN: expected urn:, a namespace and a name (RFC 8141)`)
        continue
      }
      if (!isAdlUrn(place.value)) continue
      if (FORMS.some((form) => form.test(place.value))) continue
      report(place.pointer, `${quoted(place.value)} has not the form urn:adl:{type}:{namespace}:{name}:{version}`)
    }
  },
}

export const urnPrimary: Rule<Agent> = {
  id: 'urn-primary',
  code: 'BADL-125',
  title: 'URN in place of an identifier that can be resolved',
  section: 'ADL 6.1',
  severity: 'info',
  why: 'A URN only names: who owns it cannot be verified, and nothing leads from it to the document.',
  bad: '{"id": "urn:adl:agent:acme:invoices:1.0.0", "cryptographic_identity": {"did": "did:web:acme.example.com:agents:invoices"}}',
  good: '{"id": "did:web:acme.example.com:agents:invoices", "cryptographic_identity": {"did": "did:web:acme.example.com:agents:invoices"}}',
  check({ root, identity }, report) {
    const id = textMember(root, 'id')
    const did = member(identity?.value, 'did')
    if (id === undefined || !/^urn:/i.test(id.value) || !isText(did)) return
    report(id.pointer, `${quoted(id.value)} cannot be resolved, and the agent has a DID that can`, {
      related: [{ pointer: '/cryptographic_identity/did', message: 'the DID' }],
      fix: { hint: 'put the DID into id, and the URN into metadata' },
    })
  },
}
