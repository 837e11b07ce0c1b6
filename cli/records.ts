import type { RecordRead } from '../bindings/policy/trust.ts'
import { Unreadable } from './outcome.ts'
import type { Reader } from './reader.ts'

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
