import { readTape } from '../wasm/json.ts'
import { Document, LARGEST_DOCUMENT, type ParseResult, type parse, prepare } from './parse.ts'
import { Tape } from './tape.ts'

const LF = 0x0a
/** The object, its name, and the list stand for the whole text. */
const FIRST_LINE = 3

/** Reads a text in which anything may stand. Its value is `{ lines }`, and each line has its place. */
export function parseProse(source: Uint8Array | string, options: parse.Options = {}): ParseResult {
  const { bytes, lines, maxDepth, diagnostics, refused } = prepare(source, options, LARGEST_DOCUMENT)
  if (refused) return { document: undefined, diagnostics }
  const texts = new TextDecoder().decode(bytes).split('\n')
  const json = new TextEncoder().encode(JSON.stringify({ lines: texts }))
  const places = new Uint32Array(2 * (FIRST_LINE + texts.length))
  for (let entry = 0; entry < FIRST_LINE; entry++) places[2 * entry + 1] = bytes.length
  for (let i = 0, from = 0; i < texts.length; i++) {
    const end = bytes.indexOf(LF, from)
    places.set([from, end < 0 ? bytes.length : end], 2 * (FIRST_LINE + i))
    from = end + 1
  }
  // JSON that was just written has no fault.
  const { words } = readTape(json) as Exclude<ReturnType<typeof readTape>, { readonly code: unknown }>
  const tape = new Tape(json, words, places)
  return { document: new Document(tape, 'yaml', lines, maxDepth, options.file, () => diagnostics), diagnostics }
}
