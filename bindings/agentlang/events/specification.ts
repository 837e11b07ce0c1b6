import type { FindingKind } from '../../document/finding.ts'
import type { Document } from '../../document/parse.ts'
import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { type Shape, shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import { objectAtRoot, type Rule, rule } from '../../frame/subject.ts'
import { timeOf } from '../../schema/times.ts'
import { elements, isObject, isText, member, type PlacedObject } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { LITERAL_SECRET } from '../findings.ts'
import { literalSecret } from '../words.ts'
import * as FINDINGS from './findings.ts'
import { ROOT_OBJECT } from './findings.ts'
import schema from './schema.json' with { type: 'json' }

/** An event as rules read it: only its well-typed values. */
export class Event {
  readonly pointer: string
  readonly value: PlacedObject['value']
  readonly type: string | undefined

  constructor({ pointer, value }: PlacedObject) {
    this.pointer = pointer
    this.value = value
    this.type = this.text('type')
  }

  text(name: string): string | undefined {
    const value = member(this.value, name)
    return isText(value) ? value : undefined
  }

  /** In milliseconds; undefined unless it is a moment. */
  get time(): number | undefined {
    const timestamp = this.text('timestamp')
    return timestamp === undefined ? undefined : timeOf(timestamp)
  }
}

/** A log of events: a mapping with a list, or an event in each line. */
class EventLog {
  readonly document: Document
  readonly events: readonly Event[]

  constructor(document: Document) {
    const { value } = document
    const found = Array.isArray(value)
      ? value.flatMap((line, i) => (isObject(line) ? { pointer: `/${i}`, value: line } : []))
      : elements(objectAtRoot(document), 'events', isObject)
    this.document = document
    this.events = found.map((event) => new Event(event))
  }
}

// What no schema can say about events.

/** The types of AgentLang. */
export const EVENT_TYPES: ReadonlySet<string> = new Set(Object.keys(schema.$defs).filter((name) => name !== 'event'))

/** The default of `max_delegation_depth`. */
const MOST_DEPTH = 3

const isCall = ({ type }: Event) => type === 'tool.call'
const isResult = ({ type }: Event) => type === 'tool.result'

/** The first event of each call id. */
function byCall({ events }: EventLog, fits: (event: Event) => boolean): ReadonlyMap<string, Event> {
  const first = new Map<string, Event>()
  for (const event of events) {
    const id = fits(event) ? event.text('call_id') : undefined
    if (id !== undefined && !first.has(id)) first.set(id, event)
  }
  return first
}

/** Reports each call id of one type of event that no event of the other type has. */
function unpaired(finding: FindingKind, fits: typeof isCall, other: typeof isCall, name: string): Rule<EventLog> {
  return rule(finding, (log, report) => {
    const others = byCall(log, other)
    for (const [id, { pointer }] of byCall(log, fits))
      if (!others.has(id)) report(`${pointer}/call_id`, `No ${name} has the id ${quoted(id)}`)
  })
}

export const RULES: readonly Rule<EventLog>[] = [
  rule(FINDINGS.DUPLICATE_CALL, (log, report) => {
    for (const fits of [isCall, isResult]) {
      const first = byCall(log, fits)
      for (const event of log.events.filter(fits)) {
        const id = event.text('call_id')
        const before = id === undefined ? undefined : first.get(id)
        if (before === undefined || before === event) continue
        report(`${event.pointer}/call_id`, `Expected another id than ${quoted(id!)}: an earlier ${event.type} has it`, {
          related: [{ pointer: `${before.pointer}/call_id`, message: 'the first one' }],
        })
      }
    }
  }),
  unpaired(FINDINGS.MISSING_CALL, isResult, isCall, 'tool.call'),
  unpaired(FINDINGS.MISSING_RESULT, isCall, isResult, 'tool.result'),
  rule(FINDINGS.MISSING_OUTCOME, ({ events }, report) => {
    for (const { pointer, value } of events.filter(isResult))
      if (!Object.hasOwn(value, 'output') && !Object.hasOwn(value, 'error'))
        report(pointer, 'Expected output, or error if the tool failed')
  }),
  rule(FINDINGS.EVENT_ORDER, ({ events }, report) => {
    let latest = Number.NEGATIVE_INFINITY
    for (const { time, pointer } of events) {
      if (time === undefined) continue
      if (time < latest) report(`${pointer}/timestamp`, 'The event is earlier than one before it')
      latest = Math.max(latest, time)
    }
  }),

  /** The first delegation to an agent decides its depth: tasks that go back and forth do not count again. */
  rule(FINDINGS.DELEGATION_DEPTH, ({ events }, report) => {
    const depths = new Map<string, number>()
    for (const event of events) {
      const [from, to] = [event.text('from'), event.text('to')]
      if (event.type !== 'agent.delegate' || from === undefined || to === undefined) continue
      const above = depths.get(from) ?? 0
      depths.set(from, above)
      if (depths.has(to)) continue
      depths.set(to, above + 1)
      if (above + 1 > MOST_DEPTH)
        report(event.pointer, `${quoted(to)} is delegation ${above + 1} of a chain; the default limit is ${MOST_DEPTH}`)
    }
  }),
  rule(FINDINGS.UNKNOWN_TYPE, ({ events }, report) => {
    const seen = new Set(EVENT_TYPES)
    for (const { type, pointer } of events) {
      if (type === undefined || type === '' || seen.has(type)) continue
      report(`${pointer}/type`, `${quoted(type)} is not a type of AgentLang`)
      seen.add(type)
    }
  }),
]

// Events of AgentLang as a specification of the frame.

const WORDS: Words = {
  name: 'AgentLang',
  rules: shapeRules(FINDINGS.ALL),
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
  kind: 'events',
  rootObject: ROOT_OBJECT,
  subject: (document) => new EventLog(document),
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
