// The bindings and settings of the Worker, and the objects as their callers see them.

import type { DirectoryMapObject, ModerationObject, SenderObject, ShardObject } from './contracts/directory.ts'
import type { DocumentsObject } from './contracts/documents.ts'
import type { GatewayObject } from './contracts/gateway.ts'
import type { AgentObject, RegistryObject } from './contracts/registry.ts'
import type { RunObject, TenantObject } from './contracts/runs.ts'
import type { Blobs, Objects, RateLimit, Service } from './platform/types.ts'

/** The bindings of wrangler.jsonc. */
export interface Env extends Settings {
  readonly DOCUMENTS: Objects<DocumentsObject>
  readonly AGENTS: Objects<AgentObject>
  readonly GATEWAYS: Objects<GatewayObject & Service>
  readonly DIRECTORY_MAP: Objects<DirectoryMapObject>
  readonly DIRECTORY_SHARDS: Objects<ShardObject>
  /** Limit the cards that each sender advertises per minute, and the new ones per day. */
  readonly ADVERTISES: RateLimit
  readonly SENDERS: Objects<SenderObject>
  readonly MODERATION: Objects<ModerationObject>
  readonly RUNS: Objects<RunObject>
  readonly TENANTS: Objects<TenantObject>
  readonly REGISTRIES: Objects<RegistryObject>
  /** The blobs of the registry. */
  readonly BLOBS: Blobs
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
  /** Certificates in PEM: the authorities whose agents are known, for LEVEL_WANTED. */
  readonly AIP_ANCHORS?: string
  /** A Worker that performs the tasks of agents with this setting. */
  readonly TASKS?: Service
  /** The static files; absent if only the script is deployed. */
  readonly ASSETS?: Service
  /** A secret of at least 32 characters: `npx wrangler secret put TOKEN_SECRET`. Tokens are derived from it. */
  readonly TOKEN_SECRET?: string
  /** `HOLDER=N`, separated by spaces: tokens of a holder below that generation are invalid. */
  readonly TOKEN_GENERATIONS?: string
}

/** The single object with the documents. */
export const documents = (env: Env): DocumentsObject => env.DOCUMENTS.getByName('documents')

/** The object with the keys of an agent. */
export const agentStub = (env: Env, name: string): AgentObject => env.AGENTS.getByName(name)

/** The object with the conversations of an agent. */
export const gatewayStub = (env: Env, name: string) => env.GATEWAYS.getByName(name)

/** The task methods of an agent; an empty name stands for a host that has none. */
export const taskRpcOf = (env: Env, name = '') => gatewayStub(env, name).taskRpc(name)

/** The single object that knows which shard has a card. */
export const directoryMap = (env: Env): DirectoryMapObject => env.DIRECTORY_MAP.getByName('map')

export const shardStub = (env: Env, shard: number): ShardObject => env.DIRECTORY_SHARDS.getByName(`shard ${shard}`)

/** The single object with the operator's rules and the waiting cards. */
export const moderation = (env: Env): ModerationObject => env.MODERATION.getByName('moderation')

/** The object that counts the cards of one sender. */
export const senderStub = (env: Env, address: string): SenderObject => env.SENDERS.getByName(address)

/** The object with a run. A run of another tenant is another object, which has no lines. */
export const runStub = (env: Env, tenant: string, id: string): RunObject => env.RUNS.getByName(`${tenant}/${id}`)

/** The object with the list and the tree of a tenant's runs. */
export const tenantStub = (env: Env, tenant: string): TenantObject => env.TENANTS.getByName(tenant)

/** The object with what a developer has pushed. */
export const registryStub = (env: Env, developer: string): RegistryObject => env.REGISTRIES.getByName(developer)

// The operator's numbers and switches. Invalid values are reported, and the default is used, which is also a limit.
const DAY = 86_400

/** The settings with their defaults. */
const NUMBERS = {
  /**
   * The most bytes of SQLite per shard: a Durable Object has 10 GB, and memory for some 100,000 cards, which take 73
   * MiB.
   */
  SHARD_BYTES: 1 << 30,
  /** Milliseconds after which a shard that has not answered a query is left out of the answer. */
  SHARD_PATIENCE_MS: 2000,
  /** The timeout for looking up a caller of an agent here, in milliseconds. */
  PEER_PATIENCE_MS: 15_000,
  /**
   * The timeout for each step of a conversation, in milliseconds: a caller identifies itself, a call or a request is
   * answered, messages that arrived before the end are processed.
   */
  STEP_PATIENCE_MS: 10_000,
  /** The most cards in a shard signed by one key. */
  SIGNER_CARDS: 100,
  /** The most seconds that a card is served after it was received. */
  MAX_TTL: 30 * DAY,
  /** The most new agents, and bytes of their cards, from one address per day. */
  SENDER_CARDS: 1000,
  SENDER_BYTES: 16 << 20,
  /** The most cards that wait for the operator, in all and from one address per day. */
  WAITING_CARDS: 1000,
  SENDER_WAITING: 20,
  /** The most results of one signer, or with one endpoint host, in an answer. */
  RESULTS_PER_SOURCE: 5,
  /** 2: runs that belong to no certificate of AIP_ANCHORS are left out of lists. */
  LEVEL_WANTED: 0,
  /** The days after which the lines of a run are removed; 0 keeps them. */
  RUN_DAYS: 0,
  /** The most bytes of blobs, and versions, that a developer has in the registry. */
  REGISTRY_BYTES: 1 << 30,
  REGISTRY_VERSIONS: 1000,
} as const

const SWITCHES = {
  /** Asks agents for their cards before these expire. */
  RENEWAL: true,
  /** Shows cards with the same text as one result, and at most RESULTS_PER_SOURCE results per source. */
  GROUPING: true,
  /** Serves the A2A 0.3 card at its former address to clients that do not request metadata by its type. */
  A2A_LEGACY: false,
} as const

/** Settings as the operator has written them. */
export type Settings = Readonly<Partial<Record<keyof typeof NUMBERS | keyof typeof SWITCHES, string>>>

export function numberOf(env: Settings, name: keyof typeof NUMBERS): number {
  const setting = env[name]
  if (setting === undefined || setting === '') return NUMBERS[name]
  if (/^\d{1,15}$/.test(setting)) return Number(setting)
  console.error(`${name}: expected a whole number, got ${setting}`)
  return NUMBERS[name]
}

export function isOn(env: Settings, name: keyof typeof SWITCHES): boolean {
  const setting = env[name]
  if (setting === 'on' || setting === 'off') return setting === 'on'
  if (setting !== undefined && setting !== '') console.error(`${name}: expected on or off, got ${setting}`)
  return SWITCHES[name]
}
