import { verify } from '../bindings/adl/verify.ts'
import type { Document, Proof } from '../bindings/document/index.ts'
import type { Context } from './context.ts'
import { readKeys } from './keys.ts'

/** Verifies the signatures of documents with the keys that `--key` names, or else with those that the documents bring. */
export async function verifier(context: Context): Promise<(document: Document) => Promise<Proof>> {
  const keys = await readKeys(context)
  const expect = keys.length === 0 ? {} : { keys: keys.map(({ publicKey }) => publicKey) }
  return (document) => verify(document, { expect })
}
