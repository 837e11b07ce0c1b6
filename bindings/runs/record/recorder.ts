// Records a run while it happens: an intent before each action, a step after it, and checkpoints over the lines.
import { canonicalizeValue } from '../../core/value.ts'
import { parse } from '../../document/parse.ts'
import { LINE_BYTES } from '../../document/split-lines.ts'
import { encodeBase64 } from '../../keys/base64.ts'
import { certificateFingerprint, derOfCertificate } from '../../keys/certificate.ts'
import { importKey } from '../../keys/import.ts'
import type { Key } from '../../keys/key.ts'
import { formatPointer, type JsonObject, member } from '../../text/members.ts'
import { withoutSecrets } from '../../text/secret-shapes.ts'
import { readAgentCertificate, UUID } from '../identity/certificates.ts'
import { faultOfLine, type Line, type LineType } from '../stream/lines.ts'
import { originOf } from '../stream/note.ts'
import { writeOpenings } from '../stream/openings.ts'
import { verdictStep } from '../verdict/create.ts'
import { asObject, errorOf, fitToJson, fittedText } from './content.ts'
import type { redactRun } from './redact-run.ts'
import { type RemovedContent, redactPart } from './redaction.ts'
import {
  ACTIONS,
  type ActionDraft,
  type CertificateChain,
  OBSERVATIONS,
  type ObservationDraft,
  Outbox,
  type RecordedRun,
  type RecorderOptions,
  type RunEnd,
  type RunHead,
  RunState,
  randomHex,
  type StepDetails,
} from './sink.ts'
import { canEndWith, faultOfHead, isStep } from './specification.ts'
import { CONTENT_DIGEST, digestOf, REDACTED } from './subject.ts'

const WRAPPED = { 'adp.wrapped': true }
/** Members of the wrong type, which would make the record invalid. */
const MALFORMED = 'adp.malformed'

export declare namespace Recorder {
  type Action = ActionDraft
  type Observation = ObservationDraft
  type Details = StepDetails
  type End = RunEnd
  type Certificates = CertificateChain
}

/** Records one run. No method throws, whatever the agent passes; what cannot be recorded is counted. */
export class Recorder {
  readonly #state: RunState
  readonly #head: RunHead
  readonly #options: CheckedOptions
  readonly #redactor: Redactor
  readonly #outbox: Outbox
  readonly #fingerprints: string[] = []
  #dropped = 0
  #expires = Number.POSITIVE_INFINITY

  /** For `createRecorder`, and for a process that continues a run. */
  constructor(state: RunState, head: RunHead, options: CheckedOptions) {
    const { sink, signer, domain, redact = { pointers: [] }, commit } = options
    const { bufferBytes: most = 8 << 20, patience = 5000 } = options
    this.#state = state
    this.#head = head
    this.#options = options
    this.#redactor = new Redactor(state.runId, redact, commit)
    this.#outbox = new Outbox(state.runId, state.size, { sink, signer, domain, most, patience })
  }

  get runId(): string {
    return this.#state.runId
  }

  /** Lines that were dropped: the buffer was full, the run was over, or the value has no form in JSON. */
  get dropped(): number {
    return this.#dropped
  }

  /** Writes what the agent is about to do. Resolves with the index of the step once that is safe. */
  begin(action: ActionDraft, details: StepDetails = {}): Promise<number | undefined> {
    return this.#guarded(async () => {
      const { intent, openings } = this.#intent(action, details)
      await this.#put('step_started', { intent }, openings)
      return intent.index
    })
  }

  /** Writes what came of an action. */
  async end(index: number | undefined, observation: ObservationDraft, details: StepDetails = {}): Promise<void> {
    await this.#guarded(() => this.#end(this.#state.open.get(index!)!, observation, details))
  }

  /** Writes a whole step, for an action that is over. Resolves with its index. */
  step(
    step: StepDetails & { readonly action: ActionDraft; readonly observation?: ObservationDraft },
  ): Promise<number | undefined> {
    return this.#guarded(async () => {
      const { intent, openings } = this.#intent(step.action, step)
      await this.#end(intent, step.observation ?? { type: 'none' }, step, openings)
      return intent.index
    })
  }

  /** Writes a verdict on a draft (ADP-1 section 5). Its digest covers the draft as the record has it. */
  verdict(
    verdict: JsonObject,
    draft: unknown,
    options: Partial<Omit<verdictStep.Options, 'index'>> = {},
  ): Promise<number | undefined> {
    return this.#guarded(async () => {
      const index = this.#state.next
      const step = verdictStep(verdict, fitToJson(draft) ?? null, { at: this.#now(), ...options, index })
      const { value, openings } = this.#redactor.rewrite(step, ['steps', String(index)])
      const judged = member((value['action'] as JsonObject)['input'] as JsonObject | undefined, 'draft_output')
      const digest = judged === undefined ? undefined : digestOf(judged)
      const metadata = { ...(value['metadata'] as JsonObject), [CONTENT_DIGEST]: digest }
      await this.#put('step', { step: { ...value, metadata } }, openings)
      return index
    })
  }

  /** Writes that the agent changed its plan. */
  plan(plan: unknown, details: StepDetails = {}): Promise<number | undefined> {
    return this.step({ ...details, action: { type: 'plan_update', input: plan } })
  }

  /** A recorder for a run that this one starts: in the same trace, with this run as its parent. */
  async child(head: RunHead, options: Partial<RecorderOptions> = {}): Promise<Recorder> {
    const { trace_id, span_id } = this.#head.trace!
    const trace = { trace_id, span_id: randomHex(8), parent_span_id: span_id }
    const { certificate: _, chain: __, renew: ___, ...shared } = this.#options
    const child = await createRecorder({ ...head, trace }, { ...shared, ...options })
    const action: ActionDraft = { type: 'other', name: head.agent.agent_id, input: { run_id: child.runId } }
    await this.step({ action, metadata: { action_subtype: 'delegate' } })
    return child
  }

  complete({ output, metadata }: RunEnd = {}): Promise<RecordedRun> {
    const final = output === undefined ? {} : { final_output: { type: 'message', content: fittedText(output) } }
    return this.#close('succeeded', final, metadata)
  }

  fail(error: unknown, metadata?: JsonObject): Promise<RecordedRun> {
    return this.#close('failed', { error: errorOf(error) }, metadata)
  }

  cancel(reason: string, metadata?: JsonObject): Promise<RecordedRun> {
    return this.#close('cancelled', { cancellation: { reason: fittedText(reason) } }, metadata)
  }

  timeOut(reason: string, metadata?: JsonObject): Promise<RecordedRun> {
    return this.#close('timeout', { error: { message: fittedText(reason) } }, metadata)
  }

  /** Writes the first line. */
  async open(): Promise<void> {
    const { certificate, chain } = this.#options
    const { agent, ...others } = this.#head
    const linked = certificate === undefined ? undefined : await this.#certify({ certificate, ...(chain && { chain }) })
    const aip = { cert_fingerprint: 'none', ...linked?.aip, ...(agent['aip'] as JsonObject | undefined) }
    const started = { started_at: this.#now().toISOString() }
    const run = fitToJson({ version: 'adp-1', ...others, run_id: this.runId, agent: { ...agent, aip }, ...started })
    const fault = faultOfHead(run as JsonObject) ?? faultOfLine({ type: 'run_started', run_id: this.runId, run })
    if (fault !== undefined) throw new TypeError(`head: ${fault}`)
    const { value, openings } = this.#redactor.part(run as JsonObject, [])
    await this.#put('run_started', { run: value, ...(linked && { chain: linked.chain }) }, openings)
  }

  async #certify(chain: CertificateChain) {
    const linked = await readChain(chain)
    if (this.#options.renew) this.#expires = linked.expires
    this.#fingerprints.push(linked.aip.cert_fingerprint)
    return linked
  }

  /** Runs a part of a method. A fault is counted and never reaches the agent. */
  async #guarded<Made>(work: () => Promise<Made>): Promise<Made | undefined> {
    try {
      if (this.#now().getTime() >= this.#expires) await this.#renew()
      return await work()
    } catch {
      this.#dropped++
      return undefined
    }
  }

  async #renew(): Promise<void> {
    // Other calls go on with the old certificate meanwhile.
    this.#expires = Number.POSITIVE_INFINITY
    const { chain } = await this.#certify(await this.#options.renew!())
    await this.#put('certificate', { chain }, [])
  }

  #now(): Date {
    return (this.#options.clock ?? (() => new Date()))()
  }

  #intent({ type, name, input }: ActionDraft, { parent, metadata }: StepDetails) {
    const index = this.#state.next
    const { value: plain, isWrapped } = asObject(input)
    const isKnown = ACTIONS.includes(type)
    const action = {
      type: isKnown ? type : 'other',
      ...(name !== undefined && { name: fittedText(name) }),
      ...(plain !== undefined && { input: plain }),
    }
    const { value, openings } = this.#redactor.part({ action, ...optionalMember('metadata', metadata) }, [
      'steps',
      String(index),
    ])
    const own = {
      ...(!isKnown && { action_subtype: fittedText(type) }),
      ...(value['metadata'] as JsonObject | undefined),
      ...ownOf(metadata),
      ...(isWrapped && WRAPPED),
    }
    const from = Number.isSafeInteger(parent) ? { parent_step_index: parent } : {}
    return { intent: { index, timestamp: this.#now().toISOString(), ...from, ...value, metadata: own }, openings }
  }

  async #end(intent: JsonObject, draft: ObservationDraft, details: StepDetails, before: readonly Uint8Array[] = []) {
    const { value: output, isWrapped } = asObject(draft.output)
    const observation = {
      type: OBSERVATIONS.includes(draft.type) ? draft.type : 'environment',
      ...(output !== undefined && { output }),
      ...(draft.error !== undefined && { error: errorOf(draft.error) }),
    }
    const parts = {
      observation,
      ...optionalMember('reflection', details.reflection),
      ...optionalMember('metadata', details.metadata),
    }
    const { value, openings } = this.#redactor.part(parts, ['steps', String(intent['index'])])
    const metadata = {
      latency_ms: Math.max(0, this.#now().getTime() - Date.parse(String(intent['timestamp']))),
      ...(intent['metadata'] as JsonObject),
      ...(value['metadata'] as JsonObject | undefined),
      ...ownOf(details.metadata),
      ...(isWrapped && WRAPPED),
    }
    const { reflection } = value
    const step = { ...intent, ...value, metadata }
    const sound = isStep(step)
      ? step
      : {
          ...intent,
          observation: value['observation'],
          metadata: { ...ownOf(metadata), [MALFORMED]: { reflection, metadata } },
        }
    await this.#put('step', { step: sound }, [...before, ...openings])
  }

  async #close(status: string, end: JsonObject, metadata: JsonObject | undefined): Promise<RecordedRun> {
    await this.#guarded(async () => {
      // A step without an end would leave a gap in the record.
      for (const intent of this.#state.open.values())
        await this.#end(intent, { type: 'none' }, { metadata: { 'adp.unfinished': true } })
      const { tokens, models } = this.#state
      const own = fitToJson(metadata) as JsonObject | undefined
      const sums = {
        ...(tokens > 0 && { total_tokens: tokens }),
        ...(models.size > 0 && { models_used: [...models] }),
        ...(canEndWith({ metadata: own ?? {} }) ? own : { [MALFORMED]: own }),
        ...(this.#fingerprints.length > 1 && { 'aip.rotated_fingerprints': this.#fingerprints.slice(1) }),
        ...(this.#dropped > 0 && { 'adp.dropped': this.#dropped }),
      }
      const whole = { status, ...end, completed_at: this.#now().toISOString(), metadata: sums }
      const { value, openings } = this.#redactor.part(whole, [])
      const { removed } = this.#redactor
      const listed = { ...(value['metadata'] as JsonObject), ...(removed.length > 0 && { [REDACTED]: removed }) }
      await this.#put('run_completed', { end: { ...value, metadata: listed } }, openings)
    })
    await this.#outbox.finish()
    return { runId: this.runId, size: this.#outbox.stored, dropped: this.#dropped + this.#outbox.waiting }
  }

  /** Writes a line, and waits until it is safe. */
  async #put(type: LineType, members: JsonObject, openings: readonly Uint8Array[]): Promise<void> {
    const line: Line = { type, run_id: this.runId, seq: this.#state.size, ...members }
    const bytes = canonicalizeValue(line)
    if (this.#state.isComplete || bytes.length > LINE_BYTES || !this.#outbox.hasRoom(bytes))
      throw new RangeError('The run is over, or there is no room for the line')
    this.#state.take(line, bytes)
    const isDue = this.#state.isComplete || this.#state.size % (this.#options.checkpointEvery ?? 100) === 0
    await this.#outbox.put({ bytes, openings, head: isDue ? this.#state.head : undefined })
  }
}

const optionalMember = (name: string, value: unknown) => (value === undefined ? {} : { [name]: fitToJson(value) })

/** Members that stay as they are: an identifier of a call can look like a credential. */
const ownOf = (metadata: JsonObject = {}) =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => name.startsWith('adp.')))

/**
 * Starts the record of a run.
 *
 * @example
 * const recorder = await createRecorder({ tenant_id: 'local', agent: { agent_id: 'coach' } }, { sink: memorySink() })
 * const step = await recorder.begin({ type: 'tool_call', name: 'search', input: { query: 'ADP-1' } })
 * await recorder.end(step, { type: 'tool_result', output: await search('ADP-1') })
 * await recorder.complete({ output: 'Done' })
 *
 * @throws {TypeError} for an invalid head or certificate, {RangeError} for an invalid option, {KeyError} for a key.
 */
export async function createRecorder(head: RunHead, options: RecorderOptions): Promise<Recorder> {
  const { run_id = crypto.randomUUID(), trace = { trace_id: randomHex(16), span_id: randomHex(8) } } = head
  if (!UUID.test(run_id)) throw new TypeError(`run_id: expected a UUID, got ${JSON.stringify(run_id)}`)
  const recorder = new Recorder(new RunState(run_id), { ...head, trace }, await checkedOptions(options))
  await recorder.open()
  return recorder
}

// What the policy of the recorder takes out of the content of lines.

/** Takes out of each part what the policies name. */
class Redactor {
  readonly #runId: string
  readonly #policies: readonly redactRun.Policy[]
  readonly #removed = new Map<string, RemovedContent>()

  /** @throws {RangeError} for a pointer to something that every record needs. */
  constructor(runId: string, redact: redactRun.Policy | false, commit: readonly string[] = []) {
    this.#runId = runId
    this.#policies = [
      ...(redact === false ? [] : [redact]),
      ...(commit.length === 0 ? [] : [{ pointers: commit, mode: 'digest', secrets: false } as const]),
    ]
    this.part({}, [])
  }

  /** What was taken out so far. */
  get removed(): readonly RemovedContent[] {
    return [...this.#removed.values()]
  }

  /**
   * Redacts the members of the object at a place, which are JSON; `openings` are the values that were replaced by
   * commitments.
   */
  part(members: JsonObject, place: readonly string[]) {
    const isKept = this.#policies.every(({ pointers, secrets }) => pointers?.length === 0 && secrets === undefined)
    return isKept && !holdsSecret(members) ? { value: members, openings: [] } : this.rewrite(members, place)
  }

  /** The same for a value that may have other parts than JSON: what has no form in JSON makes it throw. */
  rewrite(members: JsonObject, place: readonly string[]) {
    const openings: Uint8Array[] = []
    let document = parse(canonicalizeValue(members)).document!
    for (const policy of this.#policies) {
      const { document: after, removed, salts } = redactPart(document, place, this.#runId, policy)
      if (Object.keys(salts).length > 0) openings.push(writeOpenings(document, salts, formatPointer(place)))
      document = after
      for (const row of removed) this.#count(row)
    }
    return { value: document.value as JsonObject, openings }
  }

  #count(row: RemovedContent): void {
    const key = `${row.mode} ${row.pointer}`
    this.#removed.set(key, { ...row, count: row.count + (this.#removed.get(key)?.count ?? 0) })
  }
}

/** True when the default policy changes a text of a value. */
function holdsSecret(value: unknown): boolean {
  if (typeof value === 'string') return withoutSecrets(value) !== value
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsSecret)
}

// The beginning of a record: checks of what the recorder was given, and what the certificate says.

/** A certificate is renewed this long before it expires. */
const RENEWED_BEFORE_MS = 60_000

/** What a record says of a certificate (ADP-1 section 4), and its chain for the stream. */
async function readChain({ certificate, chain = [] }: CertificateChain) {
  const { agent, diagnostics } = await readAgentCertificate(certificate, { lenient: true })
  if (agent === undefined) throw new TypeError(`certificate: ${diagnostics[0]!.detail}`)
  const { tenant, capabilities } = agent
  return {
    aip: {
      cert_fingerprint: certificateFingerprint(certificate),
      ...(tenant !== undefined && { tenant_id: tenant }),
      ...(capabilities !== undefined && { capabilities }),
    },
    chain: [certificate, ...chain].map((one) => encodeBase64(derOfCertificate(one))),
    expires: agent.certificate.notAfter.getTime() - RENEWED_BEFORE_MS,
  }
}

type CheckedOptions = RecorderOptions & { readonly signer?: Key }

/** Checks options, and reads the key once: reading it for every checkpoint would take longer than signing. */
async function checkedOptions({ signer, ...options }: RecorderOptions): Promise<CheckedOptions> {
  for (const name of ['checkpointEvery', 'bufferBytes', 'patience'] as const)
    if (!((options[name] ?? 1) > 0)) throw new RangeError(`${name}: expected a number above 0, got ${options[name]}`)
  if (options.commit !== undefined && options.sink.openings === undefined)
    throw new RangeError('commit: the sink does not keep the values that are committed to')
  originOf('', options.domain)
  return signer === undefined ? options : { ...options, signer: await importKey(signer) }
}
