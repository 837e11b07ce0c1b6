import type { Rule } from '../../frame/rule.ts'
import { isUrn } from '../../schema/formats.ts'
import { isText, member, type PlacedValue, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { ADL_URN, URN_PRIMARY } from '../findings.ts'

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
  ...ADL_URN,
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
  ...URN_PRIMARY,
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
