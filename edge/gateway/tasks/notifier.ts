// What an agent sends over HTTP, with retries until it arrives: results, tasks for others, notices to its own program.
// Notifications are signed by the agent, never go to an internal address, and follow no redirects.
import { type SendOutcome, sendRequest } from 'blazon/agp'
import { parseJson } from 'blazon/document'
import { AGP_UNTAKEN } from '../../../bindings/agp/findings.ts'
import { type Env, numberOf } from '../../env.ts'
import type { Self } from '../self.ts'
import { type DelegatedTasks, shownGiven } from './delegated-tasks.ts'
import { type Notification, type Notifications, notificationIn } from './notifications.ts'
import { SERVICE } from './settings.ts'
import { isOver, type TaskStore } from './store.ts'
import { shown, shownInside, type Tasks } from './tasks.ts'

const AT_ONCE = 8
const GONE = 410
const ANSWER_BYTES = 262_144
const LONGEST_REASON = 200

/** Why a try failed. */
interface Failure {
  readonly reason: string
  readonly isFinal: boolean
}

const DELETED: Failure = { reason: 'the task was deleted', isFinal: true }

interface Sources {
  readonly notifications: Notifications
  readonly self: Self
  readonly store: TaskStore
  readonly tasks: Tasks
  readonly delegated: DelegatedTasks
}

export class Notifier {
  readonly #env: Env
  readonly #sources: Sources

  constructor(env: Env, sources: Sources) {
    this.#env = env
    this.#sources = sources
  }

  async run(now: number): Promise<void> {
    const { notifications } = this.#sources
    notifications.outbox.expire(now)
    await Promise.all(notifications.due(now, AT_ONCE).map((to) => this.#try(to, now)))
  }

  async #try(to: string, now: number): Promise<void> {
    const { outbox } = this.#sources.notifications
    const [message] = outbox.batch(to, undefined, now)
    if (message === undefined) return
    const failure = await this.#deliver(notificationIn(to))
    if (failure === undefined) return void outbox.acked(to, message.id)
    const [at, detail] = [Date.now(), failure.reason.slice(0, LONGEST_REASON)]
    outbox.failed(to, detail, at)
    if (failure.isFinal) outbox.end(to, { outcome: 'undelivered', at, code: AGP_UNTAKEN.code, detail })
  }

  async #deliver(notification: Notification): Promise<Failure | undefined> {
    try {
      if (notification.kind === 'result') return await this.#result(notification)
      return await (notification.kind === 'task' ? this.#task(notification) : this.#told(notification))
    } catch (error) {
      console.error(error)
      return { reason: 'it could not be sent; the log has the reason', isFinal: false }
    }
  }

  async #result({ url, about }: Notification): Promise<Failure | undefined> {
    const row = this.#sources.store.one(about)
    return row === undefined ? DELETED : failureOf(await this.#post(url, { of: row.id, ...shown(row) }))
  }

  async #task({ url, about }: Notification): Promise<Failure | undefined> {
    const { delegated, self } = this.#sources
    const row = delegated.one(about)
    if (row === undefined) return DELETED
    const webhook = await self.webhook()
    const callback = webhook !== undefined && { callback: `${webhook}?task=${row.id}` }
    const body = { task: row.task, input: JSON.parse(row.input), ...callback }
    const sent = await this.#post(url, body, { 'idempotency-key': row.id })
    const failure = failureOf(sent)
    if (!sent.ok || (failure !== undefined && !isRefusal(sent.status))) return failure
    if (failure === undefined) delegated.arrived(row.id, sent.bytes)
    else delegated.refused(row.id)
    return failure && { ...failure, isFinal: true }
  }

  /**
   * Notifies the agent's program of a new task, which may answer with the result, or of the result of a task that the
   * agent gave.
   */
  async #told({ url, about }: Notification): Promise<Failure | undefined> {
    const { tasks, delegated, store } = this.#sources
    const [own, other] = [store.one(about), delegated.one(about)]
    if (own === undefined && other === undefined) return DELETED
    const body =
      own === undefined ? { event: 'result', given: shownGiven(other!) } : { event: 'task', task: shownInside(own) }
    const sent = await this.#post(url, body)
    const failure = failureOf(sent)
    const now = store.one(about)
    if (failure !== undefined || !sent.ok || now === undefined || isOver(now.state)) return failure
    const outcome = resultIn(sent.bytes)
    if (outcome !== undefined) tasks.move(about, 'error' in outcome ? 'failed' : 'completed', outcome)
    else if (now.state === 'queued') tasks.move(about, 'taken', null)
    return undefined
  }

  async #post(url: string, value: object, more: Readonly<Record<string, string>> = {}): Promise<SendOutcome> {
    const body = JSON.stringify(value)
    const address = url === SERVICE ? 'https://tasks.invalid/' : url
    const signature = await this.#sources.self.signRequest({ method: 'POST', url: address, body })
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...more, ...signature }, body }
    if (url !== SERVICE) {
      const timeoutMs = numberOf(this.#env, 'STEP_PATIENCE_MS')
      return sendRequest(address, { ...request, timeoutMs, maxBytes: ANSWER_BYTES })
    }
    const { TASKS: service } = this.#env
    if (service === undefined) throw new Error('the tasks need a service, but the Worker has no binding TASKS')
    const response = await service.fetch(address, request)
    return { ok: true, status: response.status, headers: response.headers, bytes: await response.bytes() }
  }
}

/** True for a status that another try would get again. */
const isRefusal = (status: number) => status >= 400 && status < 500 && ![401, 408, 425, 429].includes(status)

function failureOf(sent: SendOutcome): Failure | undefined {
  if (!sent.ok) return { reason: sent.diagnostic.detail, isFinal: sent.diagnostic.code === 'DOC-180' }
  const isTaken = sent.status >= 200 && sent.status < 300
  return isTaken ? undefined : { reason: `the server answered ${sent.status}`, isFinal: sent.status === GONE }
}

/** `{ "result": ... }` or `{ "error": "..." }`. */
function resultIn(bytes: Uint8Array): { readonly result: unknown } | { readonly error: string } | undefined {
  const value = bytes.length === 0 ? undefined : parseJson(bytes).document?.value
  if (typeof value !== 'object' || value === null) return undefined
  const { result, error } = value as Record<string, unknown>
  if (typeof error === 'string') return { error }
  return result === undefined ? undefined : { result }
}
