import type { RecordRead } from '../bindings/adl/record.ts'
import type { Result } from './context.ts'
import type { Reader } from './reader.ts'

/** What a file of the operator holds, or the result that says why nobody can tell. */
export type RecordFile<Value> = { readonly value: Value | undefined } | { readonly result: Result }

/** Reads an inventory or a trust file; an option that is absent names none. */
export async function readRecord<Value>(
  name: string | undefined,
  reader: Reader,
  parse: (bytes: Uint8Array, file: string) => RecordRead<Value>,
): Promise<RecordFile<Value>> {
  if (name === undefined) return { value: undefined }
  const read = await reader.bytes(name)
  const { file } = read
  if (read.bytes === undefined) return { result: { file, kind: null, valid: false, diagnostics: [read.diagnostic] } }
  const { value, diagnostics } = parse(read.bytes, file)
  return value === undefined ? { result: { file, kind: null, valid: false, diagnostics } } : { value }
}
