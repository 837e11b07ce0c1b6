// Invitations of ADP/1.1 as a specification of the frame.

import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import { isObject } from '../../text/members.ts'
import * as FINDINGS from './findings.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { INVITE_READING, type Invitation } from './subject.ts'

export const inviteShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'invitations',
  rules: shapeRules([FINDINGS.EXPIRES_FORM, FINDINGS.MISSING_MEMBER, FINDINGS.MEMBER_TYPE, FINDINGS.EMPTY_VALUE]),
  byFormat: {},
  grammar: {},
  // Unknown members are ignored (section 9.4), so no member is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that the draft does not define are ignored' }),
}

export const INVITE: Specification<Invitation> = {
  ...INVITE_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: inviteShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
  // An edit would invalidate the signature.
  isEditable: ({ value }) => !isObject(value) || !Object.hasOwn(value, 'signature'),
}
