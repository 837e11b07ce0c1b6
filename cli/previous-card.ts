import { resolve } from 'node:path'
import { Card } from '../bindings/card/subject.ts'
import { type Document, parse } from '../bindings/document/parse.ts'
import { isObject } from '../bindings/text/members.ts'
import type { Tools } from './command.ts'
import type { Readable } from './reader.ts'

/** Returns the previously signed card: that of --previous, or a signed one of the same agent that --out overwrites. */
export async function previousCard(
  { document, file }: Readable,
  name: string | undefined,
  out: string | undefined,
  { reader, host }: Tools,
): Promise<Document | undefined> {
  if (name !== undefined) return (await reader.document(name)).document
  if (out === undefined || resolve(host.cwd, out) === resolve(host.cwd, file)) return undefined
  const { bytes } = await reader.tryBytes(out)
  const read = bytes && parse(bytes, { file: out })
  if (read?.document === undefined || !isObject(read.document.value)) return undefined
  const [before, after] = [new Card(read.document), new Card(document)]
  const isBefore = before.signature !== undefined && before.id?.value === after.id?.value
  return isBefore ? read.document : undefined
}
