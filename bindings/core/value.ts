/**
 * RFC 8785: canonical bytes of values in memory.
 * @module
 */
import { DocumentError } from '../document/finding.ts'
import { DEFAULT_DEPTH } from '../wasm/json.ts'
import { depthOf, type ReadOptions } from './json.ts'
import { valueToDiagnostic } from './value-faults.ts'
import { walk } from './value-walk.ts'
import { Writer } from './value-writer.ts'

/**
 * The canonical bytes of a value in memory. Follows JSON.stringify: calls `toJSON` and leaves out undefined members.
 * Refuses whatever JSON.stringify would silently drop or change.
 *
 * @example
 * new TextDecoder().decode(canonicalizeValue({ b: 1, a: [-0, 'é'] })) // '{"a":[0,"é"],"b":1}'
 *
 * @throws {DocumentError} when a part has no form in JSON, with the pointer to it and the reason; `cause` is the error
 * that a getter or `toJSON` threw.
 */
export function canonicalizeValue(value: unknown, options?: ReadOptions): Uint8Array<ArrayBuffer> {
  const maxDepth = depthOf(options) ?? DEFAULT_DEPTH
  const writer = new Writer()
  try {
    const fault = walk(value, maxDepth, writer)
    if (fault !== undefined) throw new DocumentError([valueToDiagnostic(fault)], { cause: fault.cause })
    return writer.result()
  } finally {
    writer.release()
  }
}
