import { resolve } from 'node:path'
import { Card } from '../bindings/card/card.ts'
import type { Document } from '../bindings/document/index.ts'
import { isObject } from '../bindings/document/members.ts'
import { parse } from '../bindings/document/parse.ts'
import type { Context } from './context.ts'
import type { Read } from './reader.ts'

/** The card that was signed before: that of --previous, or else the signed one of the same agent that --out would write over. */
export async function previousCard(
  { document, file }: { readonly document: Document; readonly file: string },
  out: string | undefined,
  { options, reader, host }: Context,
): Promise<Read | undefined> {
  const name = options.text('previous')
  if (name !== undefined) return reader.document(name)
  if (out === undefined || resolve(host.cwd, out) === resolve(host.cwd, file)) return undefined
  const { bytes } = await reader.bytes(out)
  const read = bytes && parse(bytes, { file: out })
  if (read?.document === undefined || !isObject(read.document.value)) return undefined
  const [before, after] = [new Card(read.document), new Card(document)]
  const isBefore = before.signature !== undefined && before.id?.value === after.id?.value
  return isBefore ? { file: out, ...read } : undefined
}
