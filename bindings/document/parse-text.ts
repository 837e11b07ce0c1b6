import { parseTextWith } from './front-matter.ts'
import type { ParseResult, parse } from './parse.ts'
import { parseYaml } from './yaml/parse.ts'

/** Reads Markdown with YAML front matter. */
export function parseText(source: Uint8Array | string, options: parse.Options = {}): ParseResult {
  return parseTextWith(parseYaml, source, options)
}
