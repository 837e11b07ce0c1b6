// The known keys of agents: a document that maps ids to a key or a list of keys.
import { type GivenDocument, NeedError } from '../frame/needs.ts'
import type { KeyResolver } from '../frame/source.ts'
import { KeyError } from '../keys/base64.ts'
import { importKey } from '../keys/import.ts'
import type { Key } from '../keys/key.ts'
import type { KeySource } from '../keys/read.ts'
import { isObject } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { isAgentUri } from './agent-uri.ts'

const HINT = 'as in {"agent://scout": "BASE64 of a public key"}; a key may also be PEM or a JWK, or a list of keys'

/** @throws {NeedError} for a file with anything else. */
export async function knownKeys({ file, document, diagnostics }: GivenDocument): Promise<KeyResolver> {
  const refuse = (why: string) => new NeedError('keys', `${file}: ${why}`, { code: 'unusable-keys', hint: HINT })
  if (document === undefined) throw refuse(diagnostics[0]!.detail)
  const { value } = document
  if (!isObject(value)) throw refuse(`expected an object, found ${shown(value)}`)
  const known = new Map<string, readonly Key[]>()
  for (const [id, entry] of Object.entries(value)) {
    if (!isAgentUri(id)) throw refuse(`expected the id of an agent, found ${quoted(id)}`)
    const keys: Key[] = []
    for (const source of Array.isArray(entry) ? entry : [entry]) {
      if (typeof source !== 'string' && !isObject(source))
        throw refuse(`${quoted(id)}: expected a key, found ${shown(source)}`)
      try {
        keys.push((await importKey(source as KeySource)).publicKey)
      } catch (error) {
        if (!(error instanceof KeyError)) throw error
        throw refuse(`${quoted(id)}: ${error.message} (${error.code})`)
      }
    }
    known.set(id, keys)
  }
  return (id) => known.get(id)
}
