import { formatOf } from './format.ts'
import { type Format, type ParseResult, parse } from './parse.ts'
import { parseYaml } from './yaml/parse.ts'

export declare namespace read {
  interface Options extends parse.Options {
    /** The format of the source; default: detected by the file name, otherwise by the first character. */
    readonly format?: Format
  }
}

/**
 * Reads a document in JSON or YAML 1.2, strictly, and records the place of every value. The file name selects the
 * format (`.json`, `.yaml`, `.yml`); without one, a document that begins with `{` or `[` is JSON.
 *
 * @example
 * read('{"a": [1, 2]}').document.range('/a/1') // { start: 10, end: 11 }
 * read('a:\n  - 1\n  - 2\n', { file: 'a.yaml' }).document.source('/a/1').line // 3
 *
 * @throws {TypeError} when the source is neither text nor bytes, {RangeError} for an invalid option.
 */
export function read(source: Uint8Array | string, options: read.Options = {}): ParseResult {
  return formatOf(source, options) === 'json' ? parse(source, options) : parseYaml(source, options)
}
