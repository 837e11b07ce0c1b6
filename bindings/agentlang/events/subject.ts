import type { Document } from '../../document/parse.ts'
import { objectAtRoot, type Reading } from '../../frame/subject.ts'
import { timeOf } from '../../schema/times.ts'
import { elements, isObject, isText, member, type PlacedObject } from '../../text/members.ts'
import { ROOT_OBJECT } from './findings.ts'

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
export class EventLog {
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

export const EVENTS_READING: Reading<EventLog> = {
  kind: 'events',
  rootObject: ROOT_OBJECT,
  subject: (document) => new EventLog(document),
}
