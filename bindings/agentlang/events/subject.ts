import { type Reading, RootSubject } from '../../frame/subject.ts'
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

/** A log of events. */
export class EventLog extends RootSubject {
  readonly events: readonly Event[] = elements(this.root, 'events', isObject).map((event) => new Event(event))
}

export const EVENTS_READING: Reading<EventLog> = {
  kind: 'events',
  rootObject: ROOT_OBJECT,
  subject: (document) => new EventLog(document),
}
