// Finds published documents: first in storage, then among those of edge/site/agents/, which are part of the build.
import type { DiscoveryEntry } from 'blazon/discover'
import site from '../../dist/agents.js'
import type { PublishedDefinition } from '../contracts/documents.ts'
import { documents, type Env } from '../env.ts'
import { etagOf } from '../http/published.ts'
import { describe } from './describe.ts'

/** The document of a name, as a reader finds it. */
export interface StoredDocument extends PublishedDefinition {
  /** True if only readers with a token get the document. */
  readonly isPrivate: boolean
}

/** The document of a name, or null. Readers who may not see a private document get null as well. */
export async function find(env: Env, name: string, mayReadPrivate: boolean): Promise<StoredDocument | null> {
  const { published, isPrivate } = await documents(env).read(name)
  const found = published ?? (await ofSite()).get(name)
  return found === undefined || (isPrivate && !mayReadPrivate) ? null : { ...found, isPrivate }
}

let built: Promise<ReadonlyMap<string, PublishedDefinition>> | undefined

/** The documents of the build, prepared once. */
function ofSite(): Promise<ReadonlyMap<string, PublishedDefinition>> {
  built ??= Promise.all([...site].map(prepare)).then(
    (list) => new Map(list.map((published) => [published.name, published])),
  )
  return built
}

async function prepare([name, text]: readonly [string, string]): Promise<PublishedDefinition> {
  const bytes = new Uint8Array(new TextEncoder().encode(text))
  return { name, bytes: bytes.buffer, etag: await etagOf(bytes), updated: 0, ...describe(JSON.parse(text)) }
}

/** The entries of this origin's discovery document, by name. */
export async function listAll(env: Env, origin: string): Promise<DiscoveryEntry[]> {
  const entries = new Map([...(await ofSite()).values()].map(({ name, entry }) => [name, entry]))
  const stored = await documents(env).list()
  for (const { name, entry } of stored.entries) entries.set(name, entry)
  for (const name of stored.hidden) entries.delete(name)
  return [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => {
      const id = `${origin}/agents/${name}`
      return { id, ...JSON.parse(entry), adl_document: `${id}/adl.json` }
    })
}
