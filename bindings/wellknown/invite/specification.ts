// Invitations of ADP/1.1 as a specification of the frame.
import type { Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import type { Specification } from '../../frame/specification.ts'
import { isObject } from '../../text/members.ts'
import { INVITE_NAMES } from '../../verb-names.ts'
import type { Invitation } from './invitation.ts'
import { INVITE_READING } from './reading.ts'
import { RULES } from './rules/index.ts'
import { SCHEMA_RULES } from './rules/schema.ts'
import { inviteShape } from './shape.ts'

const WORDS: Words = {
  name: 'invitations',
  rules: SCHEMA_RULES,
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
  findings: () => [],
  otherNames: INVITE_NAMES,
  // An edit would invalidate the signature.
  isEditable: ({ value }) => !isObject(value) || !Object.hasOwn(value, 'signature'),
}
