import { LARGEST_DOCUMENT, type ParseResult, parse, prepare } from './parse.ts'

/** A text, a comment, or a comma before the end of a list or an object. An open comment ends with the document. */
const TOKEN =
  /"(?:[^"\\]|\\[\s\S])*"?|\/\/[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|,(?=(?:\s|\/\/[^\r\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*[\]}])/g
const SPACE = 0x20

/**
 * Reads JSON as VS Code reads its configuration: with comments, and with a comma after the last member. Blanks replace
 * both, so places stay the same. Claude Code takes neither in .mcp.json.
 */
export function parseCommented(source: Uint8Array | string, options: parse.Options = {}): ParseResult {
  const { bytes, refused } = prepare(source, options, LARGEST_DOCUMENT)
  if (refused || /(?:^|[\\/])\.mcp\.json$/.test(options.file ?? '')) return parse(source, options)
  // One character a byte.
  const text = new TextDecoder('latin1').decode(bytes)
  let blanked: Uint8Array | undefined
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.startsWith('"')) continue
    blanked ??= bytes.slice()
    for (let at = index; at < index + token.length; at++) if (bytes[at]! > SPACE) blanked[at] = SPACE
  }
  return parse(blanked ?? source, options)
}
