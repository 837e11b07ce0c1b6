// ADP/1.1 metadata as a specification of the frame.
import { shapeRules, type Words } from '../frame/explain.ts'
import { severityOf } from '../frame/rule.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import type { Specification } from '../frame/specification.ts'
import { isObject } from '../text/members.ts'
import * as FINDINGS from './findings.ts'
import type { Metadata } from './metadata.ts'
import { METADATA_READING } from './reading.ts'
import { RULES } from './rules/index.ts'
import { isOtherProtocol, protocolVersion } from './rules/protocol.ts'
import { metadataShape } from './shape.ts'

const WORDS: Words = {
  name: 'metadata documents',
  rules: shapeRules([
    FINDINGS.KEY_ALGORITHM,
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.EMPTY_VALUE,
    FINDINGS.NUMBER_RANGE,
  ]),
  byFormat: {},
  grammar: {},
  // Unknown members are ignored (section 9.4), so no member is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that the draft does not define are ignored' }),
}

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
