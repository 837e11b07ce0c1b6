// Where keys come from on the command line, and the file of what is made with one.
import { isObject, member } from '../bindings/document/members.ts'
import { parse } from '../bindings/document/parse.ts'
import { type ImportOptions, importKey, type Key, KeyError } from '../bindings/keys/index.ts'
import type { KeySource } from '../bindings/keys/read.ts'
import type { Arguments } from './arguments.ts'
import type { Context } from './context.ts'
import type { Host } from './host.ts'
import type { Reader } from './reader.ts'
import { UsageError } from './usage.ts'

const SEQUENCE = 0x30

/** The key that an option names: in a file, in a variable of the environment (`env:NAME`), or in stdin (`-`). */
export async function readKey(
  option: string,
  name: string,
  host: Host,
  reader: Reader,
  options?: ImportOptions,
): Promise<Key> {
  return usable(option, keySource(await keyBytes(option, name, host, reader)), options)
}

/** The keys of every `--key`: one each, or all of a JWK Set (RFC 7517 section 5). */
export async function readKeys({ options, host, reader }: Context): Promise<readonly Key[]> {
  const read = async (name: string) => {
    const source = keySource(await keyBytes('key', name, host, reader))
    const set = typeof source === 'string' && source.startsWith('{') ? keySet(source) : undefined
    return set === undefined ? [await usable('key', source)] : keysOfSet(name, set)
  }
  return (await Promise.all(options.list('key').map(read))).flat()
}

/** DER begins with a byte that no text of a key begins with. */
const keySource = (bytes: Uint8Array): KeySource =>
  bytes[0] === SEQUENCE ? bytes : new TextDecoder().decode(bytes).trim()

async function usable(option: string, source: KeySource, options?: ImportOptions): Promise<Key> {
  try {
    return await importKey(source, options)
  } catch (error) {
    if (error instanceof KeyError)
      throw new UsageError('unusable-key', `--${option}: ${error.message} (${error.code})`, HINT)
    throw error
  }
}

/** The keys of a JWK Set; undefined of what is none. */
function keySet(text: string): readonly unknown[] | undefined {
  const { document } = parse(text)
  const keys = isObject(document?.value) ? member(document.value, 'keys') : undefined
  return Array.isArray(keys) ? keys : undefined
}

/** Of a set, keys of kinds that are not known here are passed over, as RFC 7517 section 5 has it; one has to be left. */
async function keysOfSet(name: string, set: readonly unknown[]): Promise<readonly Key[]> {
  const keys = await Promise.all(
    set.filter(isObject).map((jwk) =>
      importKey(jwk as JsonWebKey).catch((error: unknown) => {
        if (error instanceof KeyError) return undefined
        throw error
      }),
    ),
  )
  const known = keys.filter((key) => key !== undefined)
  if (known.length > 0) return known
  throw new UsageError('unusable-key', `--key: none of the ${set.length} keys in ${name} can be used`, HINT)
}

const HINT = 'a key is PEM, DER, a JWK or base64: blazon keygen makes one, docs/keys.md has the codes'

async function keyBytes(option: string, name: string, host: Host, reader: Reader): Promise<Uint8Array> {
  if (name.startsWith('env:')) {
    const text = host.env[name.slice(4)]
    if (text) return new TextEncoder().encode(text)
    throw new UsageError('missing-key', `--${option}: the environment has no ${name.slice(4)}`, 'put the key into it')
  }
  const read = await reader.bytes(name)
  if (read.bytes !== undefined) return read.bytes
  throw new UsageError('missing-key', `--${option}: ${read.diagnostic.detail}`, 'name a file, env:NAME, or - for stdin')
}

/** The file of --out for what is JSON, whatever it was made of. */
export function jsonFile(options: Arguments['options']): string | undefined {
  const out = options.text('out')
  if (out === undefined || !/\.ya?ml$/i.test(out)) return out
  const hint = 'what is written is JSON, whatever it was made of'
  throw new UsageError('invalid-value', `--out: expected a JSON file, got ${out}`, hint)
}
