// Reads the known keys of agents: a JSON or YAML file that maps ids to a key or a list of keys.
import { isAgentUri } from '../bindings/card/agent-uri.ts'
import type { KeyResolver } from '../bindings/frame/source.ts'
import { KeyError } from '../bindings/keys/base64.ts'
import { importKey } from '../bindings/keys/import.ts'
import type { Key } from '../bindings/keys/key.ts'
import type { KeySource } from '../bindings/keys/read.ts'
import { isObject } from '../bindings/text/members.ts'
import { quoted, shown } from '../bindings/text/words.ts'
import type { Reader } from './reader.ts'
import { UsageError } from './usage.ts'

const HINT = 'as in {"agent://scout": "BASE64 of a public key"}; a key may also be PEM or a JWK, or a list of keys'

/** Reads the file of --keys; undefined without the option. */
export async function readKnownKeys(name: string | undefined, reader: Reader): Promise<KeyResolver | undefined> {
  if (name === undefined) return undefined
  const { file, document, diagnostics } = await reader.tryDocument(name)
  const refuse = (why: string) => new UsageError('unusable-keys', `--keys: ${file}: ${why}`, HINT)
  if (document === undefined) throw refuse(diagnostics[0]!.detail)
  const { value } = document
  if (!isObject(value)) throw refuse(`expected an object, found ${shown(value)}`)
  const known = new Map<string, readonly Key[]>()
  for (const [id, entry] of Object.entries(value)) {
    if (!isAgentUri(id)) throw refuse(`expected the id of an agent, found ${quoted(id)}`)
    const keys: Key[] = []
    for (const source of Array.isArray(entry) ? entry : [entry]) {
      if (typeof source !== 'string' && !isObject(source)) {
        throw refuse(`${quoted(id)}: expected a key, found ${shown(source)}`)
      }
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
