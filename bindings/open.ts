import { read } from './document/read.ts'
import { READERS } from './form-readers.ts'
import { type OpenOptions, type OpenResult, open as openWith } from './frame/open.ts'
import type { Source } from './frame/source.ts'

/**
 * Reads a document in JSON or YAML within the limits of its kind, and detects the kind. All verbs read documents this
 * way.
 *
 * @example
 * open('{"adl_spec": "0.1.0"}').kind // 'adl'
 *
 * @throws {TypeError} when the source is not text, bytes or a document, {RangeError} for an invalid option.
 */
export function open(source: Source, options: OpenOptions = {}): OpenResult {
  return openWith(read, source, options, READERS)
}
