import type { VerifyOptions } from '../../../bindings/adl/signing.ts'
import { sign, verify } from '../../../bindings/adl/verbs.ts'
import type { Proof, StepOutcome } from '../../../bindings/frame/source.ts'
import { encodeBase64, exportKey, importKey, type Key } from '../../../bindings/keys/index.ts'
import { CLEAN, NOW } from '../support.ts'

/** The key of RFC 8032 section 7.1, test 1. */
export const KEY: Key = await importKey(
  Uint8Array.from(Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')),
  { format: 'raw-private' },
)

export const OTHER_KEY: Key = await importKey(new Uint8Array(32).fill(1), { format: 'raw-private' })

/** A public key as documents hold it. */
export async function keyMember(key: Key, algorithm: string = key.algorithms[0]!) {
  return { algorithm, value: encodeBase64(await exportKey(key, 'spki')) }
}

export const ID = 'https://acme.example.com/agents/scout'
export const DID = 'did:web:acme.example.com:agents:scout'

/** A document with these members, signed with the key that it contains. */
export async function signed(members: object = {}, key: Key = KEY, options: object = {}): Promise<string> {
  const document = { ...CLEAN, id: ID, ...members }
  const { bytes, diagnostics } = await sign(JSON.stringify(document), key, { embedKey: true, force: true, ...options })
  if (bytes === undefined) throw new Error(JSON.stringify(diagnostics))
  return new TextDecoder().decode(bytes)
}

export function check(source: string | Uint8Array, options: VerifyOptions = {}): Promise<Proof> {
  return verify(source, { now: NOW, ...options })
}

/** The outcomes of a proof by step name; of two with the same name, the last one. */
export function outcomes({ steps }: Proof): Record<string, StepOutcome> {
  return Object.fromEntries(steps.map(({ name, outcome }) => [name, outcome]))
}

/** `code pointer` of each finding. */
export function findings({ steps }: Proof): string[] {
  return steps.flatMap(({ diagnostic }) => (diagnostic ? [`${diagnostic.code} ${diagnostic.source.pointer}`] : []))
}

/** The document with a change to its parsed form, so that its signature no longer matches. */
export function changed(source: string, change: (document: Record<string, never>) => unknown): string {
  const document = JSON.parse(source)
  change(document)
  return JSON.stringify(document)
}
