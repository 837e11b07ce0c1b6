// The specification of traces, for the frame.

import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import type { Specification } from '../../frame/specification.ts'
import * as FINDINGS from './findings.ts'
import { RULES } from './rules.ts'
import { type RecordedDiscovery, TRACE_READING, traceShape } from './subject.ts'

const WORDS: Words = {
  name: 'traces',
  rules: shapeRules([
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.EMPTY_VALUE,
    FINDINGS.NUMBER_RANGE,
    FINDINGS.ENUM_VALUE,
    FINDINGS.VALUE_PATTERN,
  ]),
  byFormat: {},
  grammar: { 'date-time': 'a time such as 2026-11-23T10:00:00Z' },
  // Unknown members are ignored, so none is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'unknown members are ignored' }),
}

export const TRACE: Specification<RecordedDiscovery> = {
  ...TRACE_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: traceShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
}
