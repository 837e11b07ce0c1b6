// Sends notifications: signed by the agent, never to an internal address, without following redirects.
import { type AgentRequest, type RequestSignature, type Sending, type SendOutcome, sendRequest } from 'blazon/agp'
import { canonicalizeValue } from 'blazon/core'
import { parseJson } from 'blazon/document'
import { type Env, numberOf } from '../../env.ts'
import { type DelegatedTasks, shownGiven } from './delegated-tasks.ts'
import type { Notification, NotificationResult } from './outbox.ts'
import { SERVICE } from './settings.ts'
import { isOver, type TaskRow } from './store.ts'
import { shown, shownInside, type Tasks } from './tasks.ts'

const GONE = 410
const ANSWER_BYTES = 262_144
/** The most bytes that a message may have, with its signatures. */
const MESSAGE_BYTES = 260_000

interface DeliveryOptions {
  readonly env: Env
  readonly tasks: () => Tasks
  readonly given: () => DelegatedTasks
  readonly row: (id: string) => TaskRow | undefined
  readonly sign: (request: AgentRequest) => Promise<RequestSignature>
  /** Where the agent takes results; undefined when its metadata doesn't say. */
  readonly webhook: () => Promise<string | undefined>
  /** Queues a message for an agent; returns false when there is no room for it. */
  readonly say: (to: string, message: Sending) => Promise<boolean>
}

const DELETED: NotificationResult = { failure: 'the task was deleted', isFinal: true }

export class Delivery {
  readonly #options: DeliveryOptions

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  deliver(notification: Notification): Promise<NotificationResult> {
    if (notification.kind === 'task') return this.#task(notification)
    if (notification.kind === 'told') return this.#told(notification)
    const row = this.#options.row(notification.about)
    if (row === undefined) return Promise.resolve(DELETED)
    return notification.kind === 'message' ? this.#message(row) : this.#result(notification, row)
  }

  async #result({ url }: Notification, row: TaskRow): Promise<NotificationResult> {
    return outcomeOf(await this.#post(url, { of: row.id, ...shown(row) }))
  }

  /** Sends the result in a conversation with the agent whose message brought the task. */
  async #message({ caller, message, outcome }: TaskRow): Promise<NotificationResult> {
    const content = new TextDecoder().decode(canonicalizeValue({ ...JSON.parse(outcome!), of: message }))
    if (JSON.stringify(content).length > MESSAGE_BYTES)
      return { failure: 'the result is too large for a message', isFinal: true }
    const said = await this.#options.say(caller, { type: 'task', content, contentType: 'application/json' })
    return said ? {} : { failure: `${caller} has no open conversation`, isFinal: false }
  }

  async #task({ url, about }: Notification): Promise<NotificationResult> {
    const given = this.#options.given()
    const row = given.one(about)
    if (row === undefined) return DELETED
    const webhook = await this.#options.webhook()
    const body = {
      task: row.task,
      input: JSON.parse(row.input),
      ...(webhook !== undefined && { callback: `${webhook}?task=${row.id}` }),
    }
    const sent = await this.#post(url, body, { 'idempotency-key': row.id })
    const delivered = outcomeOf(sent)
    if (delivered.failure === undefined && sent.ok) given.arrived(row.id, sent.bytes)
    else if (sent.ok && isRefusal(sent.status)) {
      given.refused(row.id)
      return { failure: `the server answered ${sent.status}`, isFinal: true }
    }
    return delivered
  }

  /**
   * Notifies the agent's program of a new task, which may answer with the result, or of the result of a task that the
   * agent gave.
   */
  async #told({ url, about }: Notification): Promise<NotificationResult> {
    const { tasks, given, row } = this.#options
    const own = row(about)
    const other = given().one(about)
    if (own === undefined && other === undefined) return DELETED
    const body =
      own === undefined ? { event: 'result', given: shownGiven(other!) } : { event: 'task', task: shownInside(own) }
    const sent = await this.#post(url, body)
    const delivered = outcomeOf(sent)
    const now = row(about)
    if (delivered.failure !== undefined || !sent.ok || now === undefined || isOver(now.state)) return delivered
    const outcome = resultIn(sent.bytes)
    if (outcome !== undefined) tasks().move(about, 'error' in outcome ? 'failed' : 'completed', outcome)
    else if (now.state === 'queued') tasks().move(about, 'taken', null)
    return delivered
  }

  async #post(url: string, value: object, more: Readonly<Record<string, string>> = {}): Promise<SendOutcome> {
    const body = JSON.stringify(value)
    const { env } = this.#options
    const service = url === SERVICE ? env.TASKS : undefined
    const address = url === SERVICE ? 'https://tasks.invalid/' : url
    const signature = await this.#options.sign({ method: 'POST', url: address, body })
    const headers = { 'content-type': 'application/json', ...more, ...signature }
    if (url !== SERVICE) {
      const timeoutMs = numberOf(env, 'STEP_PATIENCE_MS')
      return sendRequest(address, { method: 'POST', headers, body, timeoutMs, maxBytes: ANSWER_BYTES })
    }
    if (service === undefined) throw new Error('the tasks need a service, but the Worker has no binding TASKS')
    const response = await service.fetch(address, { method: 'POST', headers, body })
    return { ok: true, status: response.status, headers: response.headers, bytes: await response.bytes() }
  }
}

/** True for a status that another try would get again. */
const isRefusal = (status: number) => status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)

function outcomeOf(sent: SendOutcome): NotificationResult {
  if (!sent.ok) return { failure: sent.diagnostic.detail, isFinal: sent.diagnostic.code === 'DOC-180' }
  const isTaken = sent.status >= 200 && sent.status < 300
  return isTaken ? {} : { failure: `the server answered ${sent.status}`, isFinal: sent.status === GONE }
}

/** `{ "result": ... }` or `{ "error": "..." }`. */
function resultIn(bytes: Uint8Array): { readonly result: unknown } | { readonly error: string } | undefined {
  const value = bytes.length === 0 ? undefined : parseJson(bytes).document?.value
  if (typeof value !== 'object' || value === null) return undefined
  const { result, error } = value as Record<string, unknown>
  if (typeof error === 'string') return { error }
  return result === undefined ? undefined : { result }
}
