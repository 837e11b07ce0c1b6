// Events of AgentLang as a specification of the frame.
import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { type Shape, shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import { isObject } from '../../text/members.ts'
import { LITERAL_SECRET } from '../findings.ts'
import { literalSecret } from '../words.ts'
import * as FINDINGS from './findings.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { EVENTS_READING, type EventLog } from './subject.ts'

const WORDS: Words = {
  name: 'AgentLang',
  rules: shapeRules([
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.EMPTY_VALUE,
    FINDINGS.VALUE_PATTERN,
    FINDINGS.NUMBER_RANGE,
  ]),
  byFormat: {},
  grammar: { 'date-time': 'a time such as 2025-01-29T10:00:00Z' },
  // Unknown members are ignored, so none is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'unknown members are ignored' }),
}

const shape = shapeOnce(schema)
const eventShape = shapeOnce(schema.$defs.event)
const SHAPES: ReadonlyMap<string, () => Shape> = new Map(
  Object.entries(schema.$defs).map(([type, part]) => [type, shapeOnce(part)]),
)

export const EVENTS: Specification<EventLog> = {
  ...EVENTS_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ document, events }) => [
    ...(isObject(document.value)
      ? [{ shape: shape(), value: document.value, pointer: '' }]
      : events.map(({ value, pointer }) => ({ shape: eventShape(), value, pointer }))),
    ...events.flatMap(({ type, value, pointer }) => {
      const fields = type === undefined ? undefined : SHAPES.get(type)?.()
      return fields === undefined ? [] : [{ shape: fields, value, pointer }]
    }),
  ],
  rules: [...RULES, literalSecret],
  names: () => [...FINDINGS.names(), LITERAL_SECRET.id, LITERAL_SECRET.code],
}
