import { read } from './document/read.ts'
import { type Opened, type OpenOptions, open as openWith } from './frame/open.ts'
import type { Source } from './frame/source.ts'

/**
 * Reads a document of any kind, in JSON or YAML, within the bounds of its kind, and tells the kind. Every verb reads so.
 *
 * @example
 * open('{"adl_spec": "0.1.0"}').kind // 'adl'
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document, {RangeError} for a wrong option.
 */
export function open(source: Source, options: OpenOptions = {}): Opened {
  return openWith(read, source, options)
}
