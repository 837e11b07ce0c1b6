import { Fault, loneSurrogate, readTape, type Warning } from '../../wasm/json.ts'
import { diagnose } from '../diagnose.ts'
import { explainFault, markDiagnostic, warningToDiagnostic } from '../faults.ts'
import { beginsWithMark, Document, type ParseResult, type PreparedInput, type parse, prepare } from '../parse.ts'
import { Tape } from '../tape.ts'
import type { Diagnostic } from '../types.ts'
import { CONTROL, decode, Offsets } from './characters.ts'
import { readQuickly } from './quick.ts'

/** The package takes a second or more for a megabyte, and a tree of a hundred megabytes. */
const LARGEST_YAML = 1 << 22

/** Building the tree is recursive: a stack of 1 MB holds 800 levels before the engine has optimized the code. */
const DEEPEST = 256

/**
 * A token takes the package up to 450 bytes of tree, so this many fit into the 128 MB of a Worker. In ordinary
 * documents that is about 1 MB of text.
 */
export const MOST_TOKENS = 250_000

const encoder = new TextEncoder()

/** A YAML text without its byte order mark. */
export interface YamlText {
  readonly text: string
  /** The same in UTF-8. */
  readonly body: Uint8Array
  readonly prepared: PreparedInput
  /** The nesting limit of containers. */
  readonly maxDepth: number
  readonly file: string | undefined
}

/** The text of a source; for a source that is not one, the refusal. */
export function textOf(source: Uint8Array | string, options: parse.Options): YamlText | ParseResult {
  const prepared = prepare(source, options, LARGEST_YAML)
  const { lines, bytes, bom } = prepared
  const { file } = options
  if (prepared.refused) return { document: undefined, diagnostics: prepared.diagnostics }
  const refuse = (diagnostic: Diagnostic): ParseResult => ({ document: undefined, diagnostics: [diagnostic] })
  if (bom === 0 && beginsWithMark(bytes)) return refuse(markDiagnostic(lines, 'error', file))
  const body = bytes.subarray(bom)
  const text = typeof source === 'string' ? (loneSurrogate(source) ?? source.slice(bom / 3)) : decode(body)
  if (text instanceof Fault) {
    const { kind, finding } = explainFault(body, lines, text)
    const where = { pointer: '', offset: finding.offset + bom, endOffset: finding.endOffset + bom }
    return refuse(diagnose(lines, kind, { ...finding, ...where }, file))
  }
  return { text, body, prepared, maxDepth: Math.min(prepared.maxDepth, DEEPEST), file }
}

/** Reads a text without the package; undefined when that must read it. */
export function parseQuickly({ text, body, prepared, maxDepth, file }: YamlText): ParseResult | undefined {
  const read = CONTROL.test(text) ? undefined : readQuickly(text, maxDepth, MOST_TOKENS)
  const json = read && encoder.encode(read.json)
  const outcome = json && readTape(json, prepared.maxDepth)
  if (outcome === undefined || outcome instanceof Fault) return undefined
  const offsets = new Offsets(text, body.length, prepared.bom)
  const places = read!.places.map((unit) => offsets.at(unit))
  return documentOf(new Tape(json!, outcome.words, places), outcome.warnings, prepared, file)
}

/** The document of a tape, with the reader's warnings. */
export function documentOf(
  tape: Tape,
  warnings: readonly Warning[],
  { lines, maxDepth, diagnostics }: PreparedInput,
  file: string | undefined,
): ParseResult {
  const all = [...diagnostics, ...warnings.map((warning) => warningToDiagnostic(lines, tape, warning, file))]
  const document = new Document(tape, 'yaml', lines, maxDepth, file, () => all)
  return { document, diagnostics: all }
}
