// Where published documents come from: storage, and behind it those of edge/site/agents/, which the build brought along.
import type { DiscoveryEntry } from 'blazon/discover'
import site from '../../dist/agents.js'
import { documents, type Env } from '../env.ts'
import { etagOf } from '../http/digest.ts'
import type { Published } from '../objects/documents.ts'
import { describe } from './describe.ts'

/** What a name of an agent in an address may be. */
export const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$/

/** The document of a name, or null. */
export async function find(env: Env, name: string): Promise<Published | null> {
  const stored = await documents(env).read(name)
  if (stored !== null) return stored
  const text = site.get(name)
  if (text === undefined) return null
  const bytes = new Uint8Array(new TextEncoder().encode(text))
  return { name, bytes: bytes.buffer, etag: await etagOf(bytes), updated: 0, ...describe(JSON.parse(text)) }
}

/** What the discovery document of this origin lists, by name. */
export async function listAll(env: Env, origin: string): Promise<DiscoveryEntry[]> {
  const entries = new Map([...site].map(([name, text]) => [name, describe(JSON.parse(text)).entry]))
  for (const { name, entry } of await documents(env).list()) entries.set(name, entry)
  return [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => {
      const id = `${origin}/agents/${name}`
      return { id, ...JSON.parse(entry), adl_document: `${id}/adl.json` }
    })
}
