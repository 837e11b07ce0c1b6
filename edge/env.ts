import type { DirectorySettings } from './directory/settings.ts'
import type { DirectoryMap } from './objects/directory-map.ts'
import type { DirectoryShard } from './objects/directory-shard.ts'
import type { Documents } from './objects/documents.ts'
import type { Sender } from './objects/sender.ts'

/** What wrangler.jsonc binds. */
export interface Env extends DirectorySettings {
  readonly DOCUMENTS: DurableObjectNamespace<Documents>
  readonly DIRECTORY_MAP: DurableObjectNamespace<DirectoryMap>
  readonly DIRECTORY_SHARDS: DurableObjectNamespace<DirectoryShard>
  /** Counts what each sender advertises: within a minute, and what is new within a day. */
  readonly ADVERTISES: RateLimit
  readonly SENDERS: DurableObjectNamespace<Sender>
  /** Where this deployment is reached: `https://agents.example.com`, or several, with spaces between them. */
  readonly PUBLIC_ORIGIN?: string
  /** A secret: `npx wrangler secret put PUBLISH_TOKEN`. */
  readonly PUBLISH_TOKEN?: string
}

/** The one object that has the documents. */
export function documents(env: Env): DurableObjectStub<Documents> {
  return env.DOCUMENTS.get(env.DOCUMENTS.idFromName('documents'))
}

/** The one object that knows which shard has which cards. */
export function directoryMap(env: Env): DurableObjectStub<DirectoryMap> {
  return env.DIRECTORY_MAP.get(env.DIRECTORY_MAP.idFromName('map'))
}

/** The object that counts what an address brings. */
export function senderStub(env: Env, address: string): DurableObjectStub<Sender> {
  return env.SENDERS.get(env.SENDERS.idFromName(address))
}

/** The methods of a shard as they are: the platform's types take what holds JSON of strangers for what cannot be sent. */
export type Shard = Omit<DirectoryShard, keyof DurableObject>

export function shardStub(env: Env, shard: number): Shard {
  const stub: unknown = env.DIRECTORY_SHARDS.get(env.DIRECTORY_SHARDS.idFromName(`shard ${shard}`))
  return stub as Shard
}
