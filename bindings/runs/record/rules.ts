// What no schema can say about a run record.
import type { Document } from '../../document/parse.ts'
import { type Rule, rule } from '../../frame/subject.ts'
import { isIso8601 } from '../../schema/formats/time.ts'
import { isDateTime } from '../../schema/formats.ts'
import { elements, isText, member, objectMember, parsePointer, textMember, valueAt } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { canonicalizeBytes } from '../../wasm/json.ts'
import { parseCapability } from '../identity/capability.ts'
import * as FINDINGS from './findings.ts'
import { CONTENT_DIGEST, digestOfBytes, isHidden, listsRemovedOutputs, type Run } from './subject.ts'

const TRACE_IDS = { trace_id: /^[0-9a-f]{32}$/, span_id: /^[0-9a-f]{16}$/, parent_span_id: /^[0-9a-f]{16}$/ }

export const FINGERPRINT = /^sha256:[0-9a-f]{64}$/

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** One finding for all steps that lack a member: a long record has thousands of them. */
function lacking(finding: typeof FINDINGS.STEP_REFLECTION, name: 'reflection' | 'metadata'): Rule<Run> {
  return rule(finding, ({ steps }, report) => {
    const without = steps.filter((step) => step.part(name) === undefined)
    if (without.length > 0) report(without[0]!.pointer, `${without.length} of ${steps.length} steps have no ${name}`)
  })
}

/** Steps with a digest of the draft that was judged; whether it is the draft of the step, if the step still has one. */
const boundDrafts = (run: Run) =>
  run.steps.flatMap((step) => {
    const expected = member(step.part('metadata'), CONTENT_DIGEST)
    if (!isText(expected)) return []
    const pointer = `${step.pointer}/action/input/draft_output`
    return [{ step, draft: valueAt(run.root.value, pointer), isSame: digestAt(run.document, pointer) === expected }]
  })

function digestAt({ tape, bytes, maxDepth }: Document, pointer: string): string | undefined {
  const entry = tape.find(parsePointer(pointer)!)
  const canonical =
    entry < 0 ? undefined : canonicalizeBytes(bytes.subarray(tape.start(entry), tape.end(entry)), maxDepth)
  return canonical instanceof Uint8Array ? digestOfBytes(canonical) : undefined
}

const LONGEST_CAPABILITY = 256

/** In the order of the document. */
export const RULES: readonly Rule<Run>[] = [
  rule(FINDINGS.RUN_TIME_ZONE, ({ root, steps }, report) => {
    const places = [['started_at', root] as const, ['completed_at', root] as const]
    for (const [name, of] of [...places, ...steps.map((step) => ['timestamp', step] as const)]) {
      const time = member(of.value, name)
      // Another text is not a time at all, which the schema reports.
      if (isText(time) && !isDateTime(time) && isIso8601(time))
        report(`${of.pointer}/${name}`, `Expected a time such as 2025-12-10T19:00:00Z, found ${quoted(time)}`)
    }
  }),
  rule(FINDINGS.RUN_ID_FORM, (run, report) => {
    const id = run.get('run_id')
    if (isText(id) && id !== '' && !UUID.test(id)) report('/run_id', `Expected a UUID, found ${quoted(id)}`)
  }),
  rule(FINDINGS.TRACE_IDS, ({ root }, report) => {
    const trace = objectMember(root, 'trace')
    for (const [name, form] of Object.entries(TRACE_IDS)) {
      const id = textMember(trace, name)
      if (id !== undefined && !form.test(id.value))
        report(
          id.pointer,
          `Expected ${name === 'trace_id' ? 32 : 16} hexadecimal digits in small letters, found ${quoted(id.value)}`,
        )
    }
  }),
  rule(FINDINGS.RUN_FINGERPRINT, ({ aip }, report) => {
    const fingerprint = textMember(aip, 'cert_fingerprint')
    if (fingerprint === undefined || FINGERPRINT.test(fingerprint.value)) return
    const detail =
      fingerprint.value === 'none'
        ? 'The run had no certificate, so the record does not show which agent it was'
        : `Expected sha256: and 64 hexadecimal digits in small letters, found ${quoted(fingerprint.value)}`
    report(fingerprint.pointer, detail)
  }),
  rule(FINDINGS.RUN_TENANT, (run, report) => {
    const [own, certified] = [run.get('tenant_id'), textMember(run.aip, 'tenant_id')]
    if (isText(own) && certified !== undefined && certified.value !== own)
      report(certified.pointer, `Expected ${quoted(own)}, found ${quoted(certified.value)}`)
  }),
  rule(FINDINGS.CAPABILITY_FORM, ({ capabilities }, report) => {
    for (const { pointer, value } of capabilities)
      if (parseCapability(value) === undefined)
        report(pointer, `Expected words such as perm:files:read, found ${quoted(value)}`)
  }),
  rule(FINDINGS.CAPABILITY_LENGTH, ({ capabilities }, report) => {
    for (const { pointer, value } of capabilities)
      if (value.length > LONGEST_CAPABILITY)
        report(pointer, `Expected at most ${LONGEST_CAPABILITY} characters, found ${value.length}`)
  }),
  rule(FINDINGS.STEP_INDEX, ({ steps }, report) => {
    const first = new Map<number, string>()
    for (const { index, pointer } of steps) {
      if (index === undefined) continue
      const seen = first.get(index)
      if (seen === undefined) first.set(index, `${pointer}/index`)
      else
        report(`${pointer}/index`, `Step ${index} is there already`, {
          related: [{ pointer: seen, message: 'the first' }],
        })
    }
  }),
  rule(FINDINGS.STEP_ORDER, ({ steps }, report) => {
    const seen = new Set<number>()
    let expected = 0
    for (const { index, pointer } of steps) {
      if (index === undefined || seen.has(index)) continue
      if (index !== expected) report(`${pointer}/index`, `Expected step ${expected}, found step ${index}`)
      seen.add(index)
      expected = index + 1
    }
  }),
  rule(FINDINGS.STEP_PARENT, ({ steps }, report) => {
    const known = new Set(steps.map(({ index }) => index))
    for (const { index, parent, pointer } of steps) {
      if (parent === undefined || index === undefined) continue
      if (parent >= index)
        report(`${pointer}/parent_step_index`, `Expected a step before ${index}, found step ${parent}`)
      else if (!known.has(parent)) report(`${pointer}/parent_step_index`, `The record has no step ${parent}`)
    }
  }),
  rule(FINDINGS.TIME_ORDER, (run, report) => {
    const [start, end] = [run.time('started_at'), run.time('completed_at')]
    if (start !== undefined && end !== undefined && end < start)
      report('/completed_at', 'The run completes before it starts')
    const latest = new Map<number | undefined, number>()
    for (const { time, parent, pointer } of run.steps) {
      if (time === undefined) continue
      const place = `${pointer}/timestamp`
      if (start !== undefined && time < start) report(place, 'The step is earlier than the start of the run')
      else if (end !== undefined && time > end) report(place, 'The step is later than the end of the run')
      else if (time < (latest.get(parent) ?? time)) report(place, 'The step is earlier than the one before it')
      latest.set(parent, Math.max(time, latest.get(parent) ?? time))
    }
  }),
  rule(FINDINGS.ACTION_SUBTYPE, ({ steps }, report) => {
    for (const step of steps)
      if (
        member(step.part('action'), 'type') === 'other' &&
        member(step.part('metadata'), 'action_subtype') === undefined
      )
        report(`${step.pointer}/action/type`, 'metadata.action_subtype does not say what was done')
  }),
  rule(FINDINGS.OBSERVATION_ERROR, ({ steps }, report) => {
    for (const step of steps) {
      const observation = step.part('observation')
      if (member(observation, 'type') === 'error' && (member(observation, 'error') ?? null) === null)
        report(`${step.pointer}/observation`, 'The observation has no details of the error')
    }
  }),
  rule(FINDINGS.STEP_VERDICT, (run, report) => {
    const isRemoved = listsRemovedOutputs(run.metadata?.value)
    for (const step of run.steps)
      if (
        step.isVerdict &&
        !step.isOutputRedacted &&
        step.verdict(run) === undefined &&
        !(isRemoved && step.isOutputMissing)
      )
        report(`${step.pointer}/observation`, 'Expected the verdict in output')
  }),
  rule(FINDINGS.VERDICT_DRAFT, (run, report) => {
    for (const { step, draft, isSame } of boundDrafts(run))
      if (!isSame && !isHidden(draft))
        report(`${step.pointer}/action/input/draft_output`, 'The verdict is bound to a draft with another digest')
  }),
  rule(FINDINGS.DRAFT_HIDDEN, (run, report) => {
    for (const { step, draft, isSame } of boundDrafts(run))
      if (!isSame && isHidden(draft))
        report(`${step.pointer}/action`, 'The draft was removed, so its digest cannot be compared')
  }),
  lacking(FINDINGS.STEP_REFLECTION, 'reflection'),
  lacking(FINDINGS.STEP_METADATA, 'metadata'),
  rule(FINDINGS.STATUS_REASON, (run, report) => {
    const status = run.get('status')
    const isNamed = status === 'failed' || status === 'cancelled' || status === 'timeout'
    if (isNamed && (run.get('error') ?? run.get('cancellation') ?? null) === null)
      report('/status', `The run ended as ${status}, and neither error nor cancellation says why`)
  }),
  rule(FINDINGS.TOTAL_TOKENS, ({ steps, metadata }, report) => {
    const total = member(metadata?.value, 'total_tokens')
    if (typeof total !== 'number') return
    const counts = steps.flatMap((step) =>
      ['prompt_tokens', 'completion_tokens'].map((name) => member(step.part('metadata'), name)),
    )
    const numbers = counts.filter((count) => typeof count === 'number')
    const sum = numbers.reduce((before, count) => before + count, 0)
    if (numbers.length > 0 && sum !== total)
      report('/metadata/total_tokens', `The steps add up to ${sum}, found ${total}`)
  }),
  rule(FINDINGS.MODELS_USED, ({ steps, metadata }, report) => {
    if (!Array.isArray(member(metadata?.value, 'models_used'))) return
    const named = new Set(elements(metadata, 'models_used', isText).map(({ value }) => value))
    for (const step of steps) {
      const model = member(step.part('metadata'), 'model')
      if (!isText(model) || named.has(model)) continue
      report(`${step.pointer}/metadata/model`, `metadata.models_used does not name ${quoted(model)}`)
      named.add(model)
    }
  }),
]
