// Reads the keys of a command line, and names the files of signed documents.

import { resolve } from 'node:path'
import { parse } from '../bindings/document/parse.ts'
import { KeyError } from '../bindings/keys/base64.ts'
import { importKey } from '../bindings/keys/import.ts'
import type { Key } from '../bindings/keys/key.ts'
import { pemOrDer } from '../bindings/keys/read.ts'
import { isObject, member } from '../bindings/text/members.ts'
import { isBearerToken } from '../bindings/text/moment.ts'
import { type Option, type Options, type Tools, UsageError } from './command.ts'

export const PRIVATE_KEY = { value: 'KEY', about: 'the private key: a file, env:NAME, or -' } as const satisfies Option

export const TRUSTED_KEYS = {
  value: 'KEY',
  many: true,
  about: 'trust only these keys: a file, env:NAME, or -',
} as const satisfies Option

/** The agent that sends the request, identified by its key. */
export const CALLER = {
  as: { value: 'AGENT', needed: 'as in --as agent:alice.example.com', about: 'your own agent, whose key signs' },
  key: { ...PRIVATE_KEY, needed: 'as in --key alice.key or --key env:AGENT_KEY' },
} as const satisfies Options

/** Only the user who made a key may read it. */
export const PRIVATE_FILE = { create: true, mode: 0o600 }

/** Reads the key that `--key` names: a file, an environment variable (`env:NAME`), or stdin (`-`). */
export async function readKey(name: string, tools: Tools): Promise<Key> {
  return usable(importKey(pemOrDer(await keyBytes(name, tools))))
}

/** Reads the keys of every `--key`: each names one key or a JWK Set (RFC 7517 section 5). */
export async function readKeys(names: readonly string[], tools: Tools): Promise<readonly Key[]> {
  const read = async (name: string) => {
    const source = pemOrDer(await keyBytes(name, tools))
    const set = typeof source === 'string' && source.startsWith('{') ? keySet(source) : undefined
    return set === undefined ? [await usable(importKey(source))] : keysOfSet(name, set)
  }
  return (await Promise.all(names.map(read))).flat()
}

/** Expects a signature by one of these keys; expects nothing if the list is empty. */
export const expected = (keys: readonly Key[]) =>
  keys.length === 0 ? {} : { keys: keys.map(({ publicKey }) => publicKey) }

/** Waits for a signature. A key that cannot sign is a usage error. */
export function signedWith<Made>(signing: Promise<Made>): Promise<Made> {
  return usable(signing, 'blazon explain CODE shows an example')
}

/** Waits for a result that needs the key of `--key`. An unsuitable key is a usage error. */
export async function usable<Made>(making: Promise<Made>, hint = HINT): Promise<Made> {
  try {
    return await making
  } catch (error) {
    if (error instanceof KeyError) throw new UsageError('unusable-key', `--key: ${error.message} (${error.code})`, hint)
    throw error
  }
}

/** The keys of a JWK Set; undefined for anything else. */
function keySet(text: string): readonly unknown[] | undefined {
  const { document } = parse(text)
  const keys = isObject(document?.value) ? member(document.value, 'keys') : undefined
  return Array.isArray(keys) ? keys : undefined
}

/** Skips keys of unknown kinds, as RFC 7517 section 5 requires; at least one key must be left. */
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

const HINT = 'a key is PEM, DER, a JWK or base64: blazon keygen makes one'

/** Reads the token that an option names, in the forms of `--key`. On the command line, every user could see a token. */
export async function readToken(option: string, name: string, tools: Tools): Promise<string> {
  const text = new TextDecoder().decode(await secretBytes(option, name, tools)).trim()
  if (isBearerToken(text)) return text
  throw new UsageError('invalid-value', `--${option}: ${name} is not a token`, 'blazon invite redeem writes one')
}

const keyBytes = (name: string, tools: Tools) => secretBytes('key', name, tools)

/** Reads what a secret option names, in the forms of `--key`. Nothing of this run overwrites the file. */
export async function secretBytes(option: string, name: string, { host, reader }: Tools): Promise<Uint8Array> {
  if (name.startsWith('env:')) {
    const text = host.env[name.slice(4)]
    if (text) return new TextEncoder().encode(text)
    const hint = `put the ${option} into it`
    throw new UsageError('missing-key', `--${option}: the environment has no ${name.slice(4)}`, hint)
  }
  if (name !== '-') reader.secrets.add(resolve(host.cwd, name))
  const read = await reader.tryBytes(name)
  if (read.bytes !== undefined) return read.bytes
  const hint = 'name a file, env:NAME, or - for stdin'
  throw new UsageError('missing-key', `--${option}: ${read.diagnostics[0]!.detail}`, hint)
}

/** Checks the file of --out: signed documents are written as JSON, even those made from YAML. */
export function jsonFile(out: string | undefined): string | undefined {
  if (out === undefined || !/\.ya?ml$/i.test(out)) return out
  const hint = 'the output is JSON, even for a YAML source'
  throw new UsageError('invalid-value', `--out: expected a JSON file, got ${out}`, hint)
}
