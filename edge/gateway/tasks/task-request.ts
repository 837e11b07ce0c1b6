// Reads and checks a request that gives a task (ADP/1.1 section 7.3.1).
import { addressFault } from 'blazon/agp'
import { toHex } from '../../../bindings/text/bytes.ts'
import type { TaskSettings } from '../../contracts/gateway.ts'
import { objectIn } from '../../http/body.ts'
import { parseUrl } from '../../http/origins.ts'
import { Problem } from '../../http/problem.ts'
import { sha256 } from '../../http/published.ts'
import type { SentRequest } from '../../http/relay.ts'
import type { Caller } from '../callers.ts'
import type { NewTask } from './store.ts'

const LONGEST_NAME = 256
const LONGEST_URL = 2048
const CALLBACK_CODE = 'AGP-158'
const KEY = /^[\x21-\x7e]{1,255}$/

/** The members that a task has in a request and in a message. */
export interface TaskRequest {
  readonly task: string
  /** JSON. */
  readonly input: string
  readonly callback: string | undefined
}

/**
 * Reads a task; returns undefined if its members are invalid. Other members are ignored, as everywhere in the draft.
 */
export function givenIn({ task, input = null, callback }: Readonly<Record<string, unknown>>): TaskRequest | undefined {
  const isRight =
    typeof task === 'string' &&
    task !== '' &&
    task.length <= LONGEST_NAME &&
    (callback === undefined || typeof callback === 'string')
  return isRight ? { task, input: JSON.stringify(input), callback } : undefined
}

export async function newTaskIn(sent: SentRequest, caller: Caller, settings: TaskSettings): Promise<NewTask> {
  const members = objectIn(sent.body)
  const given = givenIn(members)
  if (given === undefined)
    throw new Problem(
      'bad-request',
      `Expected a text of at most ${LONGEST_NAME} characters as the member task, and an address as callback.`,
    )
  const { task, input, callback = null } = given
  const fault = callback === null ? undefined : callbackFault(callback, caller, settings.origins)
  if (fault !== undefined) throw new Problem('bad-request', `${fault}.`, { members: { code: CALLBACK_CODE } })
  const digest = toHex(await sha256(sent.body))
  const place = sent.url.replace(/\?.*$/, '')
  return { caller: caller.name, task, input, callback, message: null, key: keyIn(sent, caller), digest, place }
}

/** The caller's Idempotency-Key. Keys belong to one caller each, so anonymous callers cannot use them. */
function keyIn({ headers }: SentRequest, { name }: Caller): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (name === 'anyone') throw new Problem('bad-request', 'Anonymous callers cannot use an Idempotency-Key.')
  if (KEY.test(key)) return key
  throw new Problem('bad-request', 'Expected an Idempotency-Key of 1 to 255 printable characters.')
}

/**
 * Why no result of this caller may go to this address; undefined if it may. A server that sends anywhere could be used to
 * attack others.
 */
function callbackFault(callback: string, { peer }: Caller, origins: readonly string[]): string | undefined {
  const url = callback.length > LONGEST_URL ? undefined : parseUrl(callback)
  if (url === undefined) return 'The callback is not a valid address'
  const why = addressFault(url.href)
  if (why !== undefined) return `The callback is not allowed: ${why}`
  const own = peer === undefined ? [] : [`https://${peer.uri.slice('agent:'.length)}`, ...Object.values(peer.endpoints)]
  const isOwn = own.some((address) => parseUrl(address)?.origin === url.origin)
  if (isOwn || origins.includes(url.origin)) return undefined
  return 'The callback has neither an origin of the caller’s metadata nor one that the operator allows'
}
