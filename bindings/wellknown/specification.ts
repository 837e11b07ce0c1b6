import { shapeRules, type Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { type Rule, severityOf } from '../frame/subject.ts'
import { isObject } from '../text/members.ts'
import * as FINDINGS from './findings.ts'
import { CAPABILITY_RULES, SECURITY_RULES } from './rules/capabilities.ts'
import { ENDPOINT_RULES, IDENTITY_RULES, isOtherProtocol, protocolVersion } from './rules/endpoints.ts'
import schema from './schema.json' with { type: 'json' }
import { METADATA_READING, type Metadata } from './subject.ts'

// ADP/1.1 metadata as a specification of the frame.

export const metadataShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'metadata documents',
  rules: shapeRules(FINDINGS.ALL),
  // Unknown members are ignored (section 9.4), so no member is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that the draft does not define are ignored' }),
}

/** In the order of the document. */
export const RULES: readonly Rule<Metadata>[] = [
  ...IDENTITY_RULES,
  ...ENDPOINT_RULES,
  ...CAPABILITY_RULES,
  ...SECURITY_RULES,
]

export const METADATA: Specification<Metadata> = {
  ...METADATA_READING,
  words: WORDS,
  settings: ruleSettings,
  gate(metadata, findings, settings) {
    if (!isOtherProtocol(metadata)) return true
    // Section 9.4: another version requires other members, so faults by these rules would be meaningless.
    const severity = severityOf(protocolVersion, settings.ruleset, settings.rules)
    protocolVersion.check(metadata, (...finding) => findings.add(protocolVersion, severity, ...finding), settings)
    return false
  },
  shapes: ({ root }) => [{ shape: metadataShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
  // An edit would invalidate the proof.
  isEditable: (document) => isObject(document.value) && METADATA_READING.subject(document).proof === undefined,
}
