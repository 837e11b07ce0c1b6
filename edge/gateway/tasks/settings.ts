// The operator's settings for the tasks of an agent.
import { refuseAddress } from 'blazon/discover'
import type { TaskSettings } from '../../contracts/gateway.ts'
import { refuseOtherMembers } from '../../http/body.ts'
import { parseUrl } from '../../http/origins.ts'
import { Problem } from '../../http/problem.ts'
import type { Values } from '../../platform/types.ts'

const DEFAULTS: TaskSettings = { anonymous: false, origins: [], taker: null }
export const SERVICE = 'service'

const MOST_ORIGINS = 100
const LONGEST_URL = 2048

export const settingsIn = (kv: Values): TaskSettings => kv.get<TaskSettings>('tasks') ?? DEFAULTS

export function keepSettings(kv: Values, settings: TaskSettings): TaskSettings {
  kv.put('tasks', settings)
  return settings
}

export function readSettings(members: Readonly<Record<string, unknown>>): TaskSettings {
  refuseOtherMembers(members, Object.keys(DEFAULTS))
  const { anonymous, origins, taker } = { ...DEFAULTS, ...members }
  if (typeof anonymous !== 'boolean')
    throw new Problem('bad-request', 'Expected true or false as the member anonymous.')
  if (!Array.isArray(origins) || origins.length > MOST_ORIGINS || !origins.every(isOrigin))
    throw new Problem(
      'bad-request',
      `Expected a list of at most ${MOST_ORIGINS} public origins, https://HOST, as the member origins.`,
    )
  if (taker !== null && taker !== SERVICE && !isAddress(taker))
    throw new Problem('bad-request', 'Expected service, a public https address, or null as the member taker.')
  return { anonymous, origins, taker }
}

const isOrigin = (text: unknown) => isAddress(text) && parseUrl(text)!.origin === text

function isAddress(text: unknown): text is string {
  const url = typeof text === 'string' && text.length <= LONGEST_URL ? parseUrl(text) : undefined
  return url?.protocol === 'https:' && refuseAddress(url.hostname) === undefined
}
