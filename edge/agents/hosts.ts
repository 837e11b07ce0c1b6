// The table of hosts. It names the agent that owns a host's `/`, well-known documents and /agent/*. The setting HOSTS
// takes precedence over what the operator has stored. A host in neither is not served.
import { isAgentName } from 'blazon/adl'
import type { AgentOn } from '../contracts/documents.ts'
import { documents, type Env } from '../env.ts'
import { atOrigin, isLocal, ownUrl, parseUrl, publicOrigins } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'

/** The longest host (RFC 1035), with room for a port. */
const LONGEST_HOST = 259

let known: { readonly setting: string; readonly hosts: ReadonlyMap<string, string> } | undefined

/**
 * The agent of a host, with what it publishes, which nearly all requests need; undefined when the host is not in the
 * table.
 */
export async function agentOn(env: Env, host: string): Promise<AgentOn | undefined> {
  const named = inSetting(env).get(host)
  if (named !== undefined) return { agent: named }
  return host.length > LONGEST_HOST ? undefined : ((await documents(env).agentOn(host)) ?? undefined)
}

/**
 * The agent that an address of this deployment belongs to: by the path `own` at the agent's host, or by the name that
 * `hosted` finds at the deployment's host. Needed because a Worker cannot fetch from itself.
 */
export async function agentAt(env: Env, url: URL, paths: { readonly own: string; readonly hosted: RegExp }) {
  const named = publicOrigins(env).includes(url.origin) ? paths.hosted.exec(url.pathname)?.[1] : undefined
  return named ?? (url.pathname === paths.own ? (await agentOn(env, url.host))?.agent : undefined)
}

/** The host that the setting gives an agent; undefined when it gives none. */
export function hostInSetting(env: Env, name: string): string | undefined {
  return [...inSetting(env)].find(([, agent]) => agent === name)?.[0]
}

function inSetting({ HOSTS: setting = '' }: Env): ReadonlyMap<string, string> {
  if (known?.setting !== setting) known = { setting, hosts: new Map(setting.split(/[\s,]+/).flatMap(readEntry)) }
  return known.hosts
}

/** Reads `HOST=NAME`. An invalid entry is reported and ignored. */
function readEntry(text: string): readonly (readonly [host: string, name: string])[] {
  if (text === '') return []
  const [host = '', name = ''] = text.split('=')
  if (isHost(host) && isAgentName(name)) return [[host, name]]
  console.error(`HOSTS: expected HOST=NAME, as in alice.example.com=alice, got ${text}`)
  return []
}

/** True for a host as URLs write it: in lower case, with its port unless that is the default of the scheme. */
export function isHost(text: string): boolean {
  if (text === '' || text.length > LONGEST_HOST || text.endsWith('.')) return false
  return parseUrl(originOf(text))?.origin === originOf(text)
}

/** The public address of a host of the table. */
function originOf(host: string): string {
  return `${isLocal(host.replace(/:\d+$/, '')) ? 'http' : 'https'}://${host}`
}

/** Where a request arrived. */
export interface Place {
  /** The public address. */
  readonly url: URL
  /** The agent of the host; undefined at a host of the deployment itself, whose agent is looked up when needed. */
  readonly on: AgentOn | undefined
}

/** The place of a request. Refuses a host that is not served here, and never repeats it in an answer. */
export async function placeOf(url: URL, env: Env): Promise<Place> {
  const origins = publicOrigins(env)
  if (origins.length === 0) {
    throw new Problem('unavailable', 'This server has no public address: its operator must set PUBLIC_ORIGIN.')
  }
  const own = ownUrl(url, env)
  if (own !== undefined) return { url: own, on: undefined }
  const on = await agentOn(env, url.host)
  if (on !== undefined) return { url: atOrigin(url, originOf(url.host)), on }
  throw new Problem('misdirected', `This host is not served here; ${origins[0]} is.`)
}
