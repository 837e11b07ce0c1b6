import type { Agent } from './objects/agent.ts'
import type { DirectoryMap } from './objects/directory-map.ts'
import type { DirectoryShard } from './objects/directory-shard.ts'
import type { Documents } from './objects/documents.ts'
import type { Gateway } from './objects/gateway.ts'
import type { Moderation } from './objects/moderation.ts'
import type { Sender } from './objects/sender.ts'
import type { Settings } from './settings.ts'

/** The bindings of wrangler.jsonc. */
export interface Env extends Settings {
  readonly DOCUMENTS: DurableObjectNamespace<Documents>
  readonly AGENTS: DurableObjectNamespace<Agent>
  readonly GATEWAYS: DurableObjectNamespace<Gateway>
  readonly DIRECTORY_MAP: DurableObjectNamespace<DirectoryMap>
  readonly DIRECTORY_SHARDS: DurableObjectNamespace<DirectoryShard>
  /** Limit the cards that each sender advertises per minute, and the new ones per day. */
  readonly ADVERTISES: RateLimit
  readonly SENDERS: DurableObjectNamespace<Sender>
  readonly MODERATION: DurableObjectNamespace<Moderation>
  /** Limit the searches and checks of each sender per minute. */
  readonly QUERIES: RateLimit
  readonly CHECKS: RateLimit
  /** The public address of this deployment: `https://agents.example.com`, or several, separated by spaces. */
  readonly PUBLIC_ORIGIN?: string
  /** Who may publish in the directory: `open`, `list`, `queue`, or `domains` followed by domains, separated by spaces. */
  readonly ADMISSION?: string
  readonly ADMISSION_DOMAINS?: string
  /** The name and description of the directory, and the contact of its operator. */
  readonly DIRECTORY_NAME?: string
  readonly DIRECTORY_DESCRIPTION?: string
  readonly DIRECTORY_CONTACT?: string
  /** `HOST=NAME`, separated by spaces: the agents of hosts. They take precedence over the operator's table. */
  readonly HOSTS?: string
  /** `403`: the status for unknown and private agents. Default: 404. */
  readonly NO_AGENT?: string
  /** A secret: the private keys of agents, as JSON `{ "NAME": "-----BEGIN PRIVATE KEY-----..." }`. */
  readonly AGENT_KEYS?: string
  /** A resolver over HTTPS (RFC 8484), to look up the callers of agents here. Without it no caller is accepted. */
  readonly DNS_RESOLVER?: string
  /** DS rows of another DNS root, separated by commas. Default: those of IANA. */
  readonly DNS_ANCHORS?: string
  /** `anyone`: invitations can also be redeemed without a signature. */
  readonly INVITED?: string
  /** A Worker that performs the tasks of agents with this setting. */
  readonly TASKS?: Fetcher
  /** The static files; absent if only the script is deployed. */
  readonly ASSETS?: Fetcher
  /** A secret of at least 32 characters: `npx wrangler secret put TOKEN_SECRET`. Tokens are derived from it. */
  readonly TOKEN_SECRET?: string
  /** `HOLDER=N`, separated by spaces: tokens of a holder below that generation are invalid. */
  readonly TOKEN_GENERATIONS?: string
}

/** The single object with the documents. */
export function documents(env: Env): DurableObjectStub<Documents> {
  return env.DOCUMENTS.get(env.DOCUMENTS.idFromName('documents'))
}

/** The object with the keys of an agent. */
export function agentStub(env: Env, name: string): DurableObjectStub<Agent> {
  return env.AGENTS.get(env.AGENTS.idFromName(name))
}

/** The object with the conversations of an agent. */
export function gatewayStub(env: Env, name: string): DurableObjectStub<Gateway> {
  return env.GATEWAYS.get(env.GATEWAYS.idFromName(name))
}

/** The single object that knows which shard has a card. */
export function directoryMap(env: Env): DurableObjectStub<DirectoryMap> {
  return env.DIRECTORY_MAP.get(env.DIRECTORY_MAP.idFromName('map'))
}

/** The single object with the operator's rules and the waiting cards. */
export function moderation(env: Env): Moderator {
  const stub: unknown = env.MODERATION.get(env.MODERATION.idFromName('moderation'))
  return stub as Moderator
}

/** The object that counts the cards of one sender. */
export function senderStub(env: Env, address: string): DurableObjectStub<Sender> {
  return env.SENDERS.get(env.SENDERS.idFromName(address))
}

/** The methods unchanged: the platform's types reject unknown JSON as not serializable. */
export type Shard = Omit<DirectoryShard, keyof DurableObject>
type Moderator = { [name in keyof Moderation]: Promised<Moderation[name]> }
type Promised<T> = T extends (...given: infer Given) => infer R ? (...given: Given) => Promise<Awaited<R>> : never

export function shardStub(env: Env, shard: number): Shard {
  const stub: unknown = env.DIRECTORY_SHARDS.get(env.DIRECTORY_SHARDS.idFromName(`shard ${shard}`))
  return stub as Shard
}
