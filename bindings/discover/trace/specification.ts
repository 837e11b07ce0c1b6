import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { hasShape, shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import { type Reading, RootSubject, type Rule, rule } from '../../frame/subject.ts'
import { readBase64 } from '../../keys/base64.ts'
import { isDomain } from '../../text/host-name.ts'
import {
  elements,
  isObject,
  isText,
  type JsonObject,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textMember,
} from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { invitedBy } from '../trust/invitation.ts'
import { TRACE_VERSION, type Trace } from '../trust/trace.ts'
import * as FINDINGS from './findings.ts'
import { TRACE_ROOT } from './findings.ts'
import schema from './schema.json' with { type: 'json' }

export const traceShape = shapeOnce(schema)

export class RecordedDiscovery extends RootSubject {
  readonly version = textMember(this.root, 'trace')
  readonly domain = textMember(this.root, 'domain')
  readonly invitation = objectMember(this.root, 'invitation')
  readonly steps = elements(this.root, 'steps', isObject)
}

/** The members of a step that are bytes. */
export function bytesOf(step: PlacedObject): PlacedValue<string>[] {
  const certificates = elements(objectMember(step, 'connection'), 'certificates', isText)
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

/** In the order of the document. */
export const RULES: readonly Rule<RecordedDiscovery>[] = [
  rule(FINDINGS.TRACE_VERSION, ({ version }, report) => {
    if (version === undefined || version.value === '' || version.value === TRACE_VERSION) return
    report(version.pointer, `Expected ${TRACE_VERSION}, found ${quoted(version.value)}`)
  }),
  rule(FINDINGS.TRACE_DOMAIN, ({ domain }, report) => {
    if (domain === undefined || domain.value === '') return
    if (!isDomain(domain.value) || domain.value !== domain.value.toLowerCase()) {
      report(domain.pointer, `${quoted(domain.value)} is not a domain name in lower case`)
    }
  }),
  rule(FINDINGS.TRACE_INVITATION, ({ invitation }, report) => {
    if (invitation === undefined) return
    const fault = invitationFault(invitation.value)
    if (fault !== undefined) report(invitation.pointer, `Incomplete: ${fault}`)
    if (Object.hasOwn(invitation.value, 'code'))
      report(`${invitation.pointer}/code`, 'Expected no code, which is a secret')
  }),
  rule(FINDINGS.TRACE_STEP, ({ steps }, report) => {
    for (const { pointer, value } of steps) {
      const missing = missingIn(value)
      if (missing !== undefined) report(pointer, `Expected ${missing}, found none`)
    }
  }),
  rule(FINDINGS.TRACE_BYTES, ({ steps }, report) => {
    for (const part of steps.flatMap(bytesOf)) {
      if (!isBase64(part)) report(part.pointer, `Expected base64 with padding, found ${quoted(part.value)}`)
    }
  }),
]

// The specification of traces, for the frame.

const WORDS: Words = {
  name: 'traces',
  rules: shapeRules(FINDINGS.ALL),
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
