// What no schema can say about a run record.
import type { Document } from '../../document/parse.ts'
import type { Rule } from '../../frame/subject.ts'
import { isIso8601 } from '../../schema/formats/time.ts'
import { isDateTime } from '../../schema/formats.ts'
import { elements, isText, member, objectMember, parsePointer, textMember, valueAt } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { canonicalizeBytes } from '../../wasm/json.ts'
import { parseCapability } from '../identity/capability.ts'
import * as FINDINGS from './findings.ts'
import { CONTENT_DIGEST, digestOfBytes, isHidden, listsRemovedOutputs, type Run } from './subject.ts'

const stepIndex: Rule<Run> = {
  ...FINDINGS.STEP_INDEX,
  check({ steps }, report) {
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
  },
}

const stepOrder: Rule<Run> = {
  ...FINDINGS.STEP_ORDER,
  check({ steps }, report) {
    const seen = new Set<number>()
    let expected = 0
    for (const { index, pointer } of steps) {
      if (index === undefined || seen.has(index)) continue
      if (index !== expected) report(`${pointer}/index`, `Expected step ${expected}, found step ${index}`)
      seen.add(index)
      expected = index + 1
    }
  },
}

const stepParent: Rule<Run> = {
  ...FINDINGS.STEP_PARENT,
  check({ steps }, report) {
    const known = new Set(steps.map(({ index }) => index))
    for (const { index, parent, pointer } of steps) {
      if (parent === undefined || index === undefined) continue
      if (parent >= index)
        report(`${pointer}/parent_step_index`, `Expected a step before ${index}, found step ${parent}`)
      else if (!known.has(parent)) report(`${pointer}/parent_step_index`, `The record has no step ${parent}`)
    }
  },
}

const timeOrder: Rule<Run> = {
  ...FINDINGS.TIME_ORDER,
  check(run, report) {
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
  },
}

const runTimeZone: Rule<Run> = {
  ...FINDINGS.RUN_TIME_ZONE,
  check({ root, steps }, report) {
    const places = [['started_at', root] as const, ['completed_at', root] as const]
    for (const [name, of] of [...places, ...steps.map((step) => ['timestamp', step] as const)]) {
      const time = member(of.value, name)
      // Another text is not a time at all, which the schema reports.
      if (isText(time) && !isDateTime(time) && isIso8601(time))
        report(`${of.pointer}/${name}`, `Expected a time such as 2025-12-10T19:00:00Z, found ${quoted(time)}`)
    }
  },
}

const statusReason: Rule<Run> = {
  ...FINDINGS.STATUS_REASON,
  check(run, report) {
    const status = run.get('status')
    const isNamed = status === 'failed' || status === 'cancelled' || status === 'timeout'
    if (isNamed && (run.get('error') ?? run.get('cancellation') ?? null) === null)
      report('/status', `The run ended as ${status}, and neither error nor cancellation says why`)
  },
}

const observationError: Rule<Run> = {
  ...FINDINGS.OBSERVATION_ERROR,
  check({ steps }, report) {
    for (const step of steps) {
      const observation = step.part('observation')
      if (member(observation, 'type') === 'error' && (member(observation, 'error') ?? null) === null)
        report(`${step.pointer}/observation`, 'The observation has no details of the error')
    }
  },
}

const actionSubtype: Rule<Run> = {
  ...FINDINGS.ACTION_SUBTYPE,
  check({ steps }, report) {
    for (const step of steps)
      if (
        member(step.part('action'), 'type') === 'other' &&
        member(step.part('metadata'), 'action_subtype') === undefined
      )
        report(`${step.pointer}/action/type`, 'metadata.action_subtype does not say what was done')
  },
}

const TRACE_IDS = { trace_id: /^[0-9a-f]{32}$/, span_id: /^[0-9a-f]{16}$/, parent_span_id: /^[0-9a-f]{16}$/ }

const traceIds: Rule<Run> = {
  ...FINDINGS.TRACE_IDS,
  check({ root }, report) {
    const trace = objectMember(root, 'trace')
    for (const [name, form] of Object.entries(TRACE_IDS)) {
      const id = textMember(trace, name)
      if (id !== undefined && !form.test(id.value))
        report(
          id.pointer,
          `Expected ${name === 'trace_id' ? 32 : 16} hexadecimal digits in small letters, found ${quoted(id.value)}`,
        )
    }
  },
}

const totalTokens: Rule<Run> = {
  ...FINDINGS.TOTAL_TOKENS,
  check({ steps, metadata }, report) {
    const total = member(metadata?.value, 'total_tokens')
    if (typeof total !== 'number') return
    const counts = steps.flatMap((step) =>
      ['prompt_tokens', 'completion_tokens'].map((name) => member(step.part('metadata'), name)),
    )
    const numbers = counts.filter((count) => typeof count === 'number')
    const sum = numbers.reduce((before, count) => before + count, 0)
    if (numbers.length > 0 && sum !== total)
      report('/metadata/total_tokens', `The steps add up to ${sum}, found ${total}`)
  },
}

const modelsUsed: Rule<Run> = {
  ...FINDINGS.MODELS_USED,
  check({ steps, metadata }, report) {
    if (!Array.isArray(member(metadata?.value, 'models_used'))) return
    const named = new Set(elements(metadata, 'models_used', isText).map(({ value }) => value))
    for (const step of steps) {
      const model = member(step.part('metadata'), 'model')
      if (!isText(model) || named.has(model)) continue
      report(`${step.pointer}/metadata/model`, `metadata.models_used does not name ${quoted(model)}`)
      named.add(model)
    }
  },
}

const runTenant: Rule<Run> = {
  ...FINDINGS.RUN_TENANT,
  check(run, report) {
    const [own, certified] = [run.get('tenant_id'), textMember(run.aip, 'tenant_id')]
    if (isText(own) && certified !== undefined && certified.value !== own)
      report(certified.pointer, `Expected ${quoted(own)}, found ${quoted(certified.value)}`)
  },
}

export const FINGERPRINT = /^sha256:[0-9a-f]{64}$/

const runFingerprint: Rule<Run> = {
  ...FINDINGS.RUN_FINGERPRINT,
  check({ aip }, report) {
    const fingerprint = textMember(aip, 'cert_fingerprint')
    if (fingerprint === undefined || FINGERPRINT.test(fingerprint.value)) return
    const detail =
      fingerprint.value === 'none'
        ? 'The run had no certificate, so the record does not show which agent it was'
        : `Expected sha256: and 64 hexadecimal digits in small letters, found ${quoted(fingerprint.value)}`
    report(fingerprint.pointer, detail)
  },
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const runIdForm: Rule<Run> = {
  ...FINDINGS.RUN_ID_FORM,
  check(run, report) {
    const id = run.get('run_id')
    if (isText(id) && id !== '' && !UUID.test(id)) report('/run_id', `Expected a UUID, found ${quoted(id)}`)
  },
}

/** One finding for all steps that lack a member: a long record has thousands of them. */
function lacking(finding: typeof FINDINGS.STEP_REFLECTION, name: 'reflection' | 'metadata'): Rule<Run> {
  return {
    ...finding,
    check({ steps }, report) {
      const without = steps.filter((step) => step.part(name) === undefined)
      if (without.length > 0) report(without[0]!.pointer, `${without.length} of ${steps.length} steps have no ${name}`)
    },
  }
}

const stepVerdict: Rule<Run> = {
  ...FINDINGS.STEP_VERDICT,
  check(run, report) {
    const isRemoved = listsRemovedOutputs(run.metadata?.value)
    for (const step of run.steps)
      if (
        step.isVerdict &&
        !step.isOutputRedacted &&
        step.verdict(run) === undefined &&
        !(isRemoved && step.isOutputMissing)
      )
        report(`${step.pointer}/observation`, 'Expected the verdict in output')
  },
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

const verdictDraft: Rule<Run> = {
  ...FINDINGS.VERDICT_DRAFT,
  check(run, report) {
    for (const { step, draft, isSame } of boundDrafts(run))
      if (!isSame && !isHidden(draft))
        report(`${step.pointer}/action/input/draft_output`, 'The verdict is bound to a draft with another digest')
  },
}

const draftHidden: Rule<Run> = {
  ...FINDINGS.DRAFT_HIDDEN,
  check(run, report) {
    for (const { step, draft, isSame } of boundDrafts(run))
      if (!isSame && isHidden(draft))
        report(`${step.pointer}/action`, 'The draft was removed, so its digest cannot be compared')
  },
}

const capabilityForm: Rule<Run> = {
  ...FINDINGS.CAPABILITY_FORM,
  check({ capabilities }, report) {
    for (const { pointer, value } of capabilities)
      if (parseCapability(value) === undefined)
        report(pointer, `Expected words such as perm:files:read, found ${quoted(value)}`)
  },
}

const LONGEST_CAPABILITY = 256

const capabilityLength: Rule<Run> = {
  ...FINDINGS.CAPABILITY_LENGTH,
  check({ capabilities }, report) {
    for (const { pointer, value } of capabilities)
      if (value.length > LONGEST_CAPABILITY)
        report(pointer, `Expected at most ${LONGEST_CAPABILITY} characters, found ${value.length}`)
  },
}

/** In the order of the document. */
export const RULES: readonly Rule<Run>[] = [
  runTimeZone,
  runIdForm,
  traceIds,
  runFingerprint,
  runTenant,
  capabilityForm,
  capabilityLength,
  stepIndex,
  stepOrder,
  stepParent,
  timeOrder,
  actionSubtype,
  observationError,
  stepVerdict,
  verdictDraft,
  draftHidden,
  lacking(FINDINGS.STEP_REFLECTION, 'reflection'),
  lacking(FINDINGS.STEP_METADATA, 'metadata'),
  statusReason,
  totalTokens,
  modelsUsed,
]
