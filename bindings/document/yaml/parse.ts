// Parses YAML 1.2 into the same Document as JSON: converts it to JSON first and maps every place back to the YAML.
import { Fault, loneSurrogate, readTape } from '../../wasm/json.ts'
import { diagnose } from '../diagnose.ts'
import { Document } from '../document.ts'
import { explainFault, markDiagnostic, warningToDiagnostic } from '../faults.ts'
import { Lines } from '../lines.ts'
import { beginsWithMark, type ParseOptions, type ParseResult, type PreparedInput, prepare } from '../parse.ts'
import { Tape } from '../tape.ts'
import type { Diagnostic } from '../types.ts'
import { place } from '../wording.ts'
import { compose } from './compose.ts'
import { YamlFault } from './faults.ts'
import { Offsets } from './offsets.ts'
import { checkCharacters, decode } from './text.ts'
import { type Written, writeJson } from './write.ts'

/** A megabyte takes a second or more, and a tree of a hundred megabytes. */
const LARGEST_YAML = 1 << 22

/** Building the tree is recursive: a stack of 1 MB holds 800 levels before the engine has optimized the code. */
const DEEPEST = 256

/**
 * Reads a YAML 1.2 document (core schema) into a Document. Refuses what JSON cannot represent; resolves aliases. Its
 * `bytes` are JSON with the numbers as written; its places are those of the YAML.
 *
 * @example
 * const { document } = parseYaml('name: Scout\nports: [80, 443]', { file: 'agent.yaml' })
 * document.value // { name: 'Scout', ports: [80, 443] }
 * document.source('/ports/1') // { file: 'agent.yaml', line: 2, column: 13, offset: 24, ... }
 *
 * @throws {TypeError} when the source is neither text nor bytes, {RangeError} for an invalid limit.
 */
export function parseYaml(source: Uint8Array | string, options: ParseOptions = {}): ParseResult {
  const prepared = prepare(source, options, LARGEST_YAML)
  const { lines, bytes, bom } = prepared
  if (prepared.refused) return { document: undefined, diagnostics: prepared.diagnostics }
  const refuse = (diagnostic: Diagnostic): ParseResult => ({ document: undefined, diagnostics: [diagnostic] })
  if (bom === 0 && beginsWithMark(bytes)) return refuse(markDiagnostic(lines, 'error', options.file))
  const body = bytes.subarray(bom)
  const text = typeof source === 'string' ? (loneSurrogate(source) ?? source.slice(bom / 3)) : decode(body)
  if (text instanceof Fault) {
    const { kind, finding } = explainFault(body, lines, text)
    const where = { pointer: '', offset: finding.offset + bom, endOffset: finding.endOffset + bom }
    return refuse(diagnose(lines, kind, { ...finding, ...where }, options.file))
  }
  const offsets = new Offsets(text, body.length, bom)
  const maxDepth = Math.min(prepared.maxDepth, DEEPEST)
  try {
    checkCharacters(text)
    const written = writeJson(compose(text, maxDepth), text, maxDepth)
    return read(written, offsets, prepared, options.file)
  } catch (fault) {
    if (!(fault instanceof YamlFault)) throw fault
    return refuse(toDiagnostic(fault, lines, offsets, options.file))
  }
}

/** Reads the JSON that the YAML was converted to. */
function read(written: Written, offsets: Offsets, prepared: PreparedInput, file: string | undefined): ParseResult {
  const { json, starts } = written
  const { lines, maxDepth, diagnostics } = prepared
  const places = Uint32Array.from(written.places, (unit) => offsets.at(unit))
  const outcome = readTape(json, maxDepth)
  if (outcome instanceof Fault) {
    const { kind, finding } = explainFault(json, new Lines(json), outcome)
    const entry = Math.max(
      0,
      starts.findLastIndex((start) => start <= outcome.offset),
    )
    const where = { offset: places[2 * entry]!, endOffset: places[2 * entry + 1]! }
    const fix = finding.fix && { hint: finding.fix.hint }
    return { document: undefined, diagnostics: [diagnose(lines, kind, { ...finding, ...where, fix }, file)] }
  }
  const tape = new Tape(json, outcome.words, places)
  const warnings = outcome.warnings.map((warning) => warningToDiagnostic(lines, tape, warning, file))
  const document = new Document(tape, 'yaml', lines, maxDepth, file, () => [...diagnostics, ...warnings])
  return { document, diagnostics: document.warnings }
}

function toDiagnostic(fault: YamlFault, lines: Lines, offsets: Offsets, file: string | undefined): Diagnostic {
  const { pointer = '', first, spare } = fault.more
  const edits = spare && [{ offset: offsets.at(spare[0]), endOffset: offsets.at(spare[1]), text: '' }]
  const fix = edits ? { ...fault.more.fix!, edits } : fault.more.fix
  const where = { pointer, offset: offsets.at(fault.start), endOffset: offsets.at(fault.end) }
  if (first === undefined) return diagnose(lines, fault.kind, { ...where, detail: fault.detail, fix }, file)
  const earlier = place(lines.position(offsets.at(first)))
  const detail = `${fault.detail}, at ${earlier}`
  const related = [{ pointer, message: `the first one is at ${earlier}` }]
  return diagnose(lines, fault.kind, { ...where, detail, related, fix }, file)
}
