/**
 * RFC 8785: canonical bytes of JSON documents.
 * @module
 */

import { faultToDiagnostic, tooLarge } from '../document/faults.ts'
import { DocumentError } from '../document/finding.ts'
import { parsePointer } from '../text/members.ts'
import { MOST_INPUT, utf8Length } from '../wasm/instance.ts'
import { canonicalizeBytes, Fault, isCanonicalBytes, withoutBytes } from '../wasm/json.ts'

export interface ReadOptions {
  /** The nesting limit of containers; default 1024. */
  readonly maxDepth?: number
}

export declare namespace canonicalizeWithout {
  /** The result of `canonicalizeWithout`. */
  interface Result {
    /** The canonical bytes without the removed values. */
    readonly payload: Uint8Array<ArrayBuffer>
    /**
     * The removed values as written in the document, in the order of the pointers; undefined for one that was missing.
     */
    readonly removed: readonly (Uint8Array<ArrayBuffer> | undefined)[]
  }
}

function unwrap<T>(input: Uint8Array | string, outcome: T | Fault): T {
  if (outcome instanceof Fault) throw new DocumentError([faultToDiagnostic(input, outcome)])
  return outcome
}

function checkJson(json: unknown): void {
  if (typeof json !== 'string' && !(json instanceof Uint8Array)) {
    throw new TypeError(`json: expected a string or Uint8Array, got ${json === null ? 'null' : typeof json}`)
  }
  // A UTF-16 unit takes at most three bytes, so hardly any text needs an exact count.
  if (3 * json.length <= MOST_INPUT) return
  const length = typeof json === 'string' ? utf8Length(json) : json.length
  if (length > MOST_INPUT) throw new DocumentError([tooLarge(length, MOST_INPUT)])
}

export function depthOf(options: ReadOptions | undefined): number | undefined {
  const depth = options?.maxDepth
  if (depth !== undefined && !(Number.isInteger(depth) && depth >= 0 && depth <= 0xffffffff)) {
    throw new RangeError(`maxDepth: expected an integer from 0 to 4294967295, got ${depth}`)
  }
  return depth
}

/**
 * The canonical bytes of a JSON document.
 *
 * @example
 * new TextDecoder().decode(canonicalize('{ "b": 1.0, "a": "\\u0041" }')) // '{"a":"A","b":1}'
 *
 * @throws {DocumentError} when the document is not strict JSON, with the place and the reason.
 */
export function canonicalize(json: Uint8Array | string, options?: ReadOptions): Uint8Array<ArrayBuffer> {
  checkJson(json)
  return unwrap(json, canonicalizeBytes(json, depthOf(options)))
}

/**
 * True when a JSON document is already in canonical form, byte for byte.
 *
 * @example
 * isCanonical('{"a":1}') // true
 * isCanonical('{"a":1.0}') // false
 *
 * @throws {DocumentError} when the document is not strict JSON.
 */
export function isCanonical(json: Uint8Array | string, options?: ReadOptions): boolean {
  checkJson(json)
  return unwrap(json, isCanonicalBytes(json, depthOf(options)))
}

/**
 * The canonical bytes without some values, and those values: what a signature covers, and the signature itself, in one
 * pass.
 *
 * @example
 * const { payload, removed } = canonicalizeWithout(bytes('{"b":1,"signature":"x","a":2}'), ['/signature'])
 * text(payload) // '{"a":2,"b":1}'
 * text(removed[0]) // '"x"'
 *
 * @param pointers up to 32 JSON Pointers (RFC 6901) of up to 64 tokens; a pointer without a value gives undefined.
 * @throws {DocumentError} when the document is not strict JSON.
 * @throws {RangeError} for a pointer that is malformed, too long or refers to the whole document.
 */
export function canonicalizeWithout(
  json: Uint8Array | string,
  pointers: readonly string[],
  options?: ReadOptions,
): canonicalizeWithout.Result {
  checkJson(json)
  if (pointers.length > 32) throw new RangeError(`pointers: expected 32 at the most, got ${pointers.length}`)
  for (const pointer of pointers) {
    const tokens = parsePointer(pointer)
    if (pointer === '' || tokens === undefined) {
      throw new RangeError(`pointers: expected a JSON Pointer such as "/signature", got ${JSON.stringify(pointer)}`)
    }
    if (tokens.length > 64) throw new RangeError(`pointers: expected 64 tokens at the most, got ${tokens.length}`)
  }
  return unwrap(json, withoutBytes(json, pointers, depthOf(options)))
}
