// A trace in the form that rules and verbs read.

import type { Document } from '../../document/parse.ts'
import { hasShape, shapeOnce } from '../../frame/shape.ts'
import { objectAtRoot, type Reading } from '../../frame/subject.ts'
import { readBase64 } from '../../keys/base64.ts'
import { isDomain } from '../../text/host-name.ts'
import {
  elements,
  isObject,
  isText,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textMember,
} from '../../text/members.ts'
import { invitedBy } from '../trust/invitation.ts'
import { TRACE_VERSION, type Trace } from '../trust/trace.ts'
import { TRACE_ROOT } from './findings.ts'
import schema from './schema.json' with { type: 'json' }

export const traceShape = shapeOnce(schema)

export class RecordedDiscovery {
  readonly document: Document
  readonly root: PlacedObject
  readonly version: PlacedValue<string> | undefined
  readonly domain: PlacedValue<string> | undefined
  readonly invitation: PlacedObject | undefined
  readonly steps: readonly PlacedObject[]

  /** @throws {TypeError} if the document is not a JSON object. */
  constructor(document: Document) {
    const root = objectAtRoot(document)
    this.document = document
    this.root = root
    this.version = textMember(root, 'trace')
    this.domain = textMember(root, 'domain')
    this.invitation = objectMember(root, 'invitation')
    this.steps = elements(root, 'steps', isObject)
  }
}

/** The members of a step that are bytes. */
export function bytesOf({ pointer, value }: PlacedObject): PlacedValue<string>[] {
  const connection = member(value, 'connection')
  const step = { pointer, value }
  const certificates = isObject(connection)
    ? elements({ pointer: `${pointer}/connection`, value: connection }, 'certificates', isText)
    : []
  return [textMember(step, 'answer'), textMember(step, 'body'), ...certificates].filter((part) => part !== undefined)
}

export const isBase64 = ({ value }: PlacedValue<string>): boolean => readBase64(value) !== undefined

/** The further members that a step of each kind needs: what was asked, and the outcome. */
export function missingIn(step: JsonObject): string | undefined {
  const has = (name: string) => Object.hasOwn(step, name)
  const [asked, answer] = step['kind'] === 'dns' ? [['name', 'type'], 'answer'] : [['url'], 'body']
  return asked.find((name) => !has(name)) ?? (has(answer) || has('refused') ? undefined : `${answer} or refused`)
}

/** The fault of an invitation that cannot be followed and gives no reason; undefined for a valid one. */
export function invitationFault(invitation: object): string | undefined {
  const read = 'refused' in invitation ? undefined : invitedBy(invitation)
  return typeof read === 'string' ? read : undefined
}

/** True for a trace in which nothing has to be guessed. */
export function isTrace(value: unknown): value is Trace {
  if (!isObject(value) || !hasShape(traceShape(), value, () => false)) return false
  const { trace, domain, invitation, steps } = value as unknown as Trace
  return (
    trace === TRACE_VERSION &&
    isDomain(domain) &&
    (invitation === undefined || invitationFault(invitation) === undefined) &&
    steps.every((step) => isStep({ pointer: '', value: { ...step } }))
  )
}

const isStep = (step: PlacedObject) => missingIn(step.value) === undefined && bytesOf(step).every(isBase64)

/** How traces are read. */
export const TRACE_READING: Reading<RecordedDiscovery> = {
  kind: 'trace',
  rootObject: TRACE_ROOT,
  subject: (document) => new RecordedDiscovery(document),
}
