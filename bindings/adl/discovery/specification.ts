// The discovery documents of ADL section 6.4 in the frame.

import { ruleSettings } from '../../frame/rule-settings.ts'
import type { Specification } from '../../frame/specification.ts'
import { severityOf } from '../../frame/subject.ts'
import type { JsonObject } from '../../text/members.ts'
import { DISCOVERY_READING, judgeDiscovery } from './document.ts'
import { names } from './findings.ts'

export const ADL_DISCOVERY: Specification<JsonObject> = {
  ...DISCOVERY_READING,
  // schema.json, for editors, is not used here: one function checks everything.
  words: {
    name: 'discovery documents',
    rules: new Map(),
    byFormat: {},
    grammar: {},
    isExtension: () => true,
    adviseOn: () => ({ hint: 'members that nobody defines are ignored' }),
  },
  settings: ruleSettings,
  shapes: () => [],
  check(members, findings, { ruleset, rules }) {
    judgeDiscovery(members, (rule, pointer, detail, severity) =>
      findings.add(rule, severity ?? severityOf(rule, ruleset, rules), pointer, detail),
    )
  },
  rules: [],
  names,
}
