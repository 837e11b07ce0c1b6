import { JSON_UTF8 } from '../../wasm/faults.ts'
import { Fault } from '../../wasm/json.ts'

// Checks the characters of a YAML source (YAML 1.2.2 sections 5.1 and 5.2).

/**
 * Characters that YAML never allows unescaped, and the lone carriage return, which YAML allows but the package does not
 * treat as a line end.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f]|\r(?!\n)/

/** Decodes UTF-8; for invalid bytes returns the JSON reader's fault. */
export function decode(bytes: Uint8Array): string | Fault {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new Fault(JSON_UTF8, malformedAt(bytes), -1)
  }
}

/** The offset of the first byte that is not valid UTF-8. */
function malformedAt(bytes: Uint8Array): number {
  const replaced = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  let at = 0
  for (const character of replaced) {
    const code = character.codePointAt(0)!
    if (code === 0xfffd && !(bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd)) return at
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return at
}
