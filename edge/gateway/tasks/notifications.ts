import { Outbox } from '../../../bindings/agp/outbox.ts'
import { SqlOutbox } from '../outbox.ts'

const DAY_MS = 86_400_000
/** A try is over before the alarm runs again; only one that died with the object is repeated after a second. */
const DELIVERY = { resend: { afterMs: 1000, forMs: DAY_MS }, longestPauseMs: 3_600_000 }
const MOST_LISTED = 100

export interface Notification {
  /** `result`: to the caller that gave a task. `task`: to another agent. `told`: a task or a result for the agent's own program. */
  readonly kind: 'result' | 'task' | 'told'
  /** The id of the task. Each task has at most one notification of a kind. */
  readonly about: string
  readonly url: string
}

/** Each notification is its own recipient: one that fails does not hold up others. */
export class Notifications extends SqlOutbox<null> {
  readonly outbox = new Outbox(this, DELIVERY)

  put({ kind, about, url }: Notification, now: number): void {
    const id = `${kind} ${about}`
    this.add({ id, to: `${id} ${url}`, content: null, until: now + DAY_MS }, now)
  }

  get state() {
    const failed = this.givenUp('undelivered', MOST_LISTED).map(({ to, tries, detail }) => {
      return { ...notificationIn(to), tries, last: detail }
    })
    const waiting = this.recipients(MOST_LISTED).map(({ recipient, due, failures, reason }) => {
      const next = new Date(due).toISOString()
      return { ...notificationIn(recipient), tries: failures, next, ...(reason !== null && { last: reason }) }
    })
    const letters = [...failed, ...waiting].slice(0, MOST_LISTED)
    return { waiting: this.size, undelivered: this.failures, letters }
  }
}

export function notificationIn(recipient: string): Notification {
  const [kind, about = '', ...url] = recipient.split(' ')
  return { kind: kind as Notification['kind'], about, url: url.join(' ') }
}
