import { ADL_VERIFYING } from '../bindings/adl/signing.ts'
import type { Document } from '../bindings/document/parse.ts'
import type { Conformance, Proof } from '../bindings/frame/source.ts'
import { verifyParsed } from '../bindings/frame/verify.ts'
import { type Kind, rowOf } from '../bindings/kinds.ts'
import type { RecordRead } from '../bindings/policy/trust.ts'
import { visible } from '../bindings/text/hidden.ts'
import { type Option, type Tools, Unreadable, UsageError } from './command.ts'
import { expected, readKeys } from './keys.ts'
import { openAs } from './open.ts'
import type { Readable, Reader } from './reader.ts'

export const RESOLVE = { about: 'fetch the keys of a did:web from its domain' } as const satisfies Option

/** Lets verification use the network if the user asked for it. */
export const resolving = (wanted: boolean, { host }: Tools) => wanted && { resolve: { fetch: host.fetch } }

/** Verifies the signatures of definitions with the keys of `--key`, or else with the keys that they contain. */
export async function verifier(
  keyNames: readonly string[],
  resolves: boolean,
  tools: Tools,
): Promise<(document: Document) => Promise<Proof>> {
  const options = { expect: expected(await readKeys(keyNames, tools)), ...resolving(resolves, tools) }
  return async (document) => verifyParsed(ADL_VERIFYING, await openAs('adl', document), options)
}

/** A proof for people: its verdict, its steps, and what it shows. */
export function describeProof(file: string, proof: Proof): string {
  const { verdict, steps, shows = [], doesNotShow = [], conformance } = proof
  const list = (title: string, lines: readonly string[]) => lines.map((line) => `  ${title} ${visible(line)}`)
  const rows = steps.map(({ outcome, title, detail }) => `  ${outcome.padEnd(7)}  ${title}: ${visible(detail)}`)
  const level = conformance === undefined ? [] : levelLines(conformance)
  const conclusions = [...level, ...list('shows', shows), ...list('does not show', doesNotShow)]
  return `${[`${visible(file)}: ${verdict}`, ...rows, ...conclusions].join('\n')}\n`
}

/** The level that is shown, and what is missing for the next one. */
function levelLines({ specification, level, demands }: Conformance): readonly string[] {
  const missing = demands.filter((demand) => demand.level === level + 1 && demand.outcome !== 'met')
  const rows = missing.map(({ level: of, title, detail }) => `  for level ${of}  ${title}: ${visible(detail)}`)
  return [`  level ${level} of ${specification}`, ...rows]
}

// `sign` and `verify` treat each document by its kind. An option for another kind is a usage error.

/** Refuses options for other kinds of documents. `own` maps each option of a single kind to that kind. */
export function expectOptionsFor({ kind, file }: Readable, options: object, own: Readonly<Record<string, Kind>>): void {
  if (kind === undefined) return
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== false)
  const wrong = given.map(([name]) => name).find((name) => own[name] !== undefined && own[name] !== kind)
  if (wrong === undefined) return
  const message = `--${wrong} is for ${rowOf(own[wrong]!).plural}, but ${file} is one of the ${rowOf(kind).plural}`
  throw new UsageError('wrong-kind', message, `leave out --${wrong}`)
}

/** Reads an inventory or a trust file, if the option is given. */
export async function readRecord<Value>(
  name: string | undefined,
  reader: Reader,
  parse: (bytes: Uint8Array, options: { readonly file: string }) => RecordRead<Value>,
): Promise<Value | undefined> {
  if (name === undefined) return undefined
  const { file, bytes } = await reader.bytes(name)
  const { value, diagnostics } = parse(bytes, { file })
  if (value === undefined) throw new Unreadable({ file, diagnostics })
  return value
}
