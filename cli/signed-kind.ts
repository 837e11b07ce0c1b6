// sign and verify do with each document what its kind wants; an option that says nothing about that kind is a mistake.
import type { Document, Kind } from '../bindings/document/index.ts'
import { signedKind } from '../bindings/signed-kinds.ts'
import type { Arguments } from './arguments.ts'
import { UsageError } from './usage.ts'

const NAMES: Readonly<Partial<Record<Kind, string>>> = {
  adl: 'agent definitions',
  card: 'Agent Cards',
  a2a: 'A2A cards',
}

/**
 * The kind by whose rules a document is signed.
 *
 * @param own options that only documents of one kind have.
 */
export function kindFor(
  { document, file }: { readonly document: Document; readonly file: string },
  options: Arguments['options'],
  own: Readonly<Record<string, Kind>>,
): ReturnType<typeof signedKind> {
  const kind = signedKind(document, undefined)
  const wrong = Object.keys(own).find((name) => options.has(name) && own[name] !== kind)
  if (wrong === undefined) return kind
  const message = `--${wrong} is for ${NAMES[own[wrong]!]}, and ${file} is one of ${NAMES[kind]}`
  throw new UsageError('wrong-kind', message, `leave out --${wrong}`)
}
