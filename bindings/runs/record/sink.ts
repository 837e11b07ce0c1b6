// Where the lines of runs go.
import { membersOf } from '../../document/parse.ts'
import { decodeBase64, encodeBase64 } from '../../keys/base64.ts'
import type { Key } from '../../keys/key.ts'
import type { KeySource } from '../../keys/read.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { isLoopback } from '../../net/guard.ts'
import { joinBytes, joinLines, toHex } from '../../text/bytes.ts'
import { isText, type JsonObject, member } from '../../text/members.ts'
import { isBearerToken } from '../../text/moment.ts'
import type { Line } from '../stream/lines.ts'
import { joinNotes, originOf, signCheckpoint } from '../stream/note.ts'
import { Frontier, type Hash, type TreeHead } from '../stream/tree.ts'
import type { redactRun } from './redact-run.ts'

/** A place that keeps lines. It may keep those of many runs. */
export interface RunSink {
  /** Adds whole lines after the first `size` lines of a run. Resolves when they are safe; a repetition does nothing. */
  append(runId: string, size: number, lines: readonly Uint8Array[]): Promise<void>
  /** Adds a signed checkpoint. Recorders sign none for a sink without this. */
  checkpoint?(runId: string, note: Uint8Array): Promise<void>
  /** Adds values that the lines commit to. */
  openings?(runId: string, rows: Uint8Array): Promise<void>
}

export declare namespace memorySink {
  /** A sink in memory, and what it holds of each run. */
  interface Result extends Required<RunSink> {
    /** The stream of a run, its checkpoints, and the values that it commits to; empty for an unknown run. */
    read(runId: string): Readonly<Record<'stream' | 'checkpoints' | 'openings', Uint8Array<ArrayBuffer>>>
  }
}

/**
 * Keeps runs in memory, for tests and short runs.
 *
 * @example
 * const sink = memorySink()
 * await verifyStream(sink.read(runId).stream, { checkpoints: sink.read(runId).checkpoints, keys: [recorder] })
 */
export function memorySink(): memorySink.Result {
  const runs = new Map<string, Record<'stream' | 'checkpoints' | 'openings', Uint8Array[]>>()
  const of = (runId: string) => {
    const run = runs.get(runId) ?? { stream: [], checkpoints: [], openings: [] }
    runs.set(runId, run)
    return run
  }
  return {
    async append(runId, size, lines) {
      const { stream } = of(runId)
      if (size > stream.length) throw new RangeError(`size: the sink holds ${stream.length} lines, got ${size}`)
      for (const one of lines.slice(stream.length - size)) stream.push(one)
    },
    async checkpoint(runId, note) {
      of(runId).checkpoints.push(note)
    },
    async openings(runId, rows) {
      of(runId).openings.push(rows)
    },
    read(runId) {
      const { stream, checkpoints, openings } = runs.get(runId) ?? { stream: [], checkpoints: [], openings: [] }
      return { stream: joinBytes(stream), checkpoints: joinNotes(checkpoints), openings: joinBytes(openings) }
    },
  }
}

export declare namespace urlSink {
  interface Options {
    /** A token with the scope `write`. */
    readonly token?: string
    /** Default: the platform's. */
    readonly fetch?: GuardedFetch
    /** Milliseconds for each request; default: 10,000. */
    readonly timeout?: number
  }
}

/**
 * Sends runs to a server: `POST /runs` with the first line, then `POST /runs/{id}/records` with the size held so far.
 *
 * @example
 * createRecorder(head, { sink: urlSink('https://runs.example.com', { token }) })
 *
 * @throws {TypeError} for a URL that is neither https nor on this machine, and for an invalid token.
 */
export function urlSink(url: string, options: urlSink.Options = {}): RunSink {
  const { token, fetch: send = globalThis.fetch as GuardedFetch, timeout = 10_000 } = options
  const base = serverAt(url)
  if (token !== undefined && !isBearerToken(token)) throw new TypeError('token: expected visible ASCII characters')
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const post = async (path: string, lines: readonly Uint8Array[], size?: number) => {
    const response = await send(new URL(path, base).href, {
      method: 'POST',
      headers: { ...headers, ...(size !== undefined && { 'blazon-size': String(size) }) },
      body: joinBytes(lines),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    return { status: response.status, ...answerIn(await response.text()) }
  }
  return {
    async append(runId, from, lines) {
      const end = from + lines.length
      let held = from
      if (from === 0) {
        const answer = await post('runs', lines.slice(0, 1))
        held = answer.size ?? (answer.status === 201 ? 1 : refuse(answer))
      }
      // Another size means that an answer was lost: the server has a part of these lines already.
      for (let attempt = 0; held < end && attempt < 3; attempt++) {
        const answer = await post(`runs/${runId}/records`, lines.slice(held - from), held)
        const { status, size } = answer
        held = size === undefined || size < from || (status !== 200 && status !== 409) ? refuse(answer) : size
      }
      if (held < end) throw new Error(`the server holds ${held} lines of ${end}`)
    },
  }
}

function refuse({ status, detail }: ServerAnswer): never {
  throw new Error(`the server answered ${status}${detail === undefined ? '' : `: ${detail.slice(0, 200)}`}`)
}

function serverAt(url: string): URL {
  const base = URL.canParse(url) ? new URL(url.endsWith('/') ? url : `${url}/`) : undefined
  if (base?.protocol === 'https:' || (base?.protocol === 'http:' && isLoopback(base.hostname))) return base
  throw new TypeError(`url: expected one with https, got ${JSON.stringify(url)}`)
}

interface ServerAnswer {
  readonly status: number
  /** How many lines the server has. */
  readonly size: number | undefined
  /** Why it refused. */
  readonly detail: string | undefined
}

function answerIn(body: string): Omit<ServerAnswer, 'status'> {
  const members = body.length > 10_000 ? {} : membersOf(body)
  const [size, detail] = [member(members, 'size'), member(members, 'detail')]
  return {
    size: Number.isSafeInteger(size) ? (size as number) : undefined,
    detail: isText(detail) ? detail : undefined,
  }
}

// What a recorder is given.

export const ACTIONS = ['tool_call', 'message', 'plan_update', 'model_inference', 'other'] as const
export const OBSERVATIONS = ['tool_result', 'environment', 'user_input', 'error', 'none'] as const

/** What a run record says before its first step. */
export interface RunHead {
  /** A UUID. Default: random. */
  readonly run_id?: string
  readonly tenant_id: string
  readonly agent: JsonObject & { readonly agent_id: string }
  /** Default: a new trace. */
  readonly trace?: JsonObject
  readonly context?: JsonObject
}

/** A certificate of the agent in PEM or DER, and its issuers. */
export interface CertificateChain {
  readonly certificate: string | Uint8Array
  readonly chain?: readonly (string | Uint8Array)[]
}

export interface RecorderOptions extends Partial<CertificateChain> {
  readonly sink: RunSink
  /** Signs the checkpoints: an Ed25519 key, or the P-256 key of the certificate. */
  readonly signer?: KeySource
  /** The domain of the recorder, for the name of the checkpoints. */
  readonly domain?: string
  /** Gives the next certificate of the same key, a minute before the current one expires. */
  readonly renew?: () => Promise<CertificateChain>
  /** What to take out before anything is written. Default: texts that look like credentials. False: nothing. */
  readonly redact?: redactRun.Policy | false
  /** Values to commit to; they go to `openings` of the sink. */
  readonly commit?: readonly string[]
  /** A checkpoint after this many lines; default: 100. One at the end as well. */
  readonly checkpointEvery?: number
  /** Bytes that may wait for the sink; default: 8 MiB. What comes beyond is dropped and counted. */
  readonly bufferBytes?: number
  /** Milliseconds that an action waits for its intent to be safe; default: 5,000. */
  readonly patience?: number
  readonly clock?: () => Date
}

/** An action. An input that is not an object is wrapped as `{"value": ...}`. */
export interface ActionDraft {
  readonly type: (typeof ACTIONS)[number]
  readonly name?: string
  readonly input?: unknown
}

export interface ObservationDraft {
  readonly type: (typeof OBSERVATIONS)[number]
  readonly output?: unknown
  readonly error?: unknown
}

export interface StepDetails {
  readonly reflection?: { readonly thought?: string; readonly next_action_hint?: string; readonly uncertainty?: number }
  readonly metadata?: JsonObject
  /** The index of the step that this one belongs to. */
  readonly parent?: number | undefined
}

export interface RunEnd {
  /** The content of the final output: a text, or another value as JSON. */
  readonly output?: unknown
  readonly metadata?: JsonObject
}

export interface RecordedRun {
  readonly runId: string
  /** Lines that the sink has. */
  readonly size: number
  readonly dropped: number
}

export const randomHex = (bytes: number): string => toHex(crypto.getRandomValues(new Uint8Array(bytes)))

// Lines in transit from a recorder to its sink: in order, bounded, and repeated until the sink has them.

interface QueuedLine {
  readonly bytes: Uint8Array
  /** The values that the line commits to. */
  readonly openings: readonly Uint8Array[]
  /** The tree after this line, if a checkpoint is due. */
  readonly head: TreeHead | undefined
}

interface OutboxOptions {
  readonly sink: RunSink
  readonly signer: Key | undefined
  readonly domain: string | undefined
  /** Bytes that may wait. */
  readonly most: number
  /** Milliseconds that a caller waits. */
  readonly patience: number
}

export class Outbox {
  readonly #runId: string
  readonly #options: OutboxOptions
  readonly #waiting: QueuedLine[] = []
  #bytes = 0
  #stored: number
  #writing: Promise<void> | undefined
  #isSlow = false
  /** The largest tree whose checkpoint is due, until the sink has it. */
  #due: TreeHead | undefined

  constructor(runId: string, stored: number, options: OutboxOptions) {
    this.#runId = runId
    this.#stored = stored
    this.#options = options
  }

  /** Lines that the sink has. */
  get stored(): number {
    return this.#stored
  }

  get waiting(): number {
    return this.#waiting.length
  }

  hasRoom(line: Uint8Array): boolean {
    return this.#bytes + line.length <= this.#options.most
  }

  /** Takes a line. Resolves once the sink has it, or refused it, or the patience is over. */
  async put(line: QueuedLine): Promise<void> {
    this.#waiting.push(line)
    this.#bytes += line.bytes.length
    const flushing = this.#flush()
    // After one timeout, nobody waits until the sink answers again.
    if (!this.#isSlow) this.#isSlow = !(await endsWithin(this.#options.patience, flushing))
  }

  /** Tries to write what is left. */
  async finish(): Promise<void> {
    const isLeft = () => this.#waiting.length > 0 || this.#due !== undefined
    for (let attempt = 0; isLeft() && attempt < 3; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 50 * 4 ** attempt))
      await endsWithin(this.#options.patience, this.#flush())
    }
  }

  async #flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
    if (this.#waiting.length === 0 && this.#due === undefined) return
    this.#writing = this.#write([...this.#waiting]).catch(() => undefined)
    await this.#writing
    this.#writing = undefined
  }

  async #write(batch: readonly QueuedLine[]): Promise<void> {
    const { sink } = this.#options
    const lines = batch.map(({ bytes }) => joinLines([bytes]))
    if (lines.length > 0) await sink.append(this.#runId, this.#stored, lines)
    this.#isSlow = false
    this.#stored += batch.length
    this.#waiting.splice(0, batch.length)
    for (const { bytes, head } of batch) {
      this.#bytes -= bytes.length
      this.#due = head ?? this.#due
    }
    for (const rows of batch.flatMap(({ openings }) => openings)) await sink.openings?.(this.#runId, rows)
    if (this.#due !== undefined) await this.#sign(this.#due)
    this.#due = undefined
  }

  async #sign(head: TreeHead): Promise<void> {
    const { sink, signer, domain } = this.#options
    if (signer === undefined || sink.checkpoint === undefined) return
    await sink.checkpoint(this.#runId, await signCheckpoint({ origin: originOf(this.#runId, domain), ...head }, signer))
  }
}

/** True when work ends within some milliseconds. */
async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true as const), late])
  } finally {
    clearTimeout(timer)
  }
}

// What a recorder remembers of its run between two lines. Another process can continue from it.

/** The state as JSON. */
export interface SavedState {
  readonly run: string
  readonly size: number
  /** The hashes of the tree, in base64. */
  readonly tree: readonly string[]
  readonly next: number
  readonly open: readonly JsonObject[]
  readonly tokens: number
  readonly models: readonly string[]
}

export class RunState {
  readonly runId: string
  /** The intents of steps that have not ended, by index. */
  readonly open: Map<number, JsonObject>
  readonly models: Set<string>
  readonly #tree: Frontier
  #next: number
  #tokens: number
  #isComplete = false

  constructor(runId: string, saved?: SavedState) {
    this.runId = runId
    this.open = new Map(saved?.open.map((intent) => [Number(intent['index']), intent]))
    this.models = new Set(saved?.models)
    this.#tree = saved
      ? new Frontier(
          saved.tree.map((hash) => decodeBase64(hash) as Hash),
          saved.size,
        )
      : new Frontier()
    this.#next = saved?.next ?? 0
    this.#tokens = saved?.tokens ?? 0
  }

  /** How many lines there are. */
  get size(): number {
    return this.#tree.size
  }

  /** The index of the next step. */
  get next(): number {
    return this.#next
  }

  /** The sum of the tokens of all steps. */
  get tokens(): number {
    return this.#tokens
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  get head(): TreeHead {
    return { size: this.#tree.size, root: this.#tree.root }
  }

  /** Takes a line into account, which is written now or was found in the file. */
  take({ type, intent, step }: Line, bytes: Uint8Array): void {
    this.#tree.appendLeaf(bytes)
    if (type === 'run_completed') this.#isComplete = true
    if (type === 'step_started') this.open.set(this.#count(intent as JsonObject), intent as JsonObject)
    if (type !== 'step') return
    this.open.delete(this.#count(step as JsonObject))
    const {
      prompt_tokens: prompt,
      completion_tokens: completion,
      model,
    } = ((step as JsonObject)['metadata'] ?? {}) as JsonObject
    for (const tokens of [prompt, completion]) if (Number.isSafeInteger(tokens)) this.#tokens += tokens as number
    if (isText(model)) this.models.add(model)
  }

  save(): SavedState {
    const { runId: run, size, next, tokens } = this
    const tree = this.#tree.subtrees.map(encodeBase64)
    return { run, size, tree, next, open: [...this.open.values()], tokens, models: [...this.models] }
  }

  #count({ index }: JsonObject): number {
    this.#next = Math.max(this.#next, Number(index) + 1)
    return Number(index)
  }
}
