// Parses TOML 1.0 into the same Document as JSON: converts it to JSON first and maps every place back to the TOML.
import { Fault, readTape } from '../../wasm/json.ts'
import { diagnose } from '../diagnose.ts'
import { faultToDiagnostic } from '../faults.ts'
import { JsonText } from '../json-text.ts'
import type { ParseResult, parse } from '../parse.ts'
import { Tape } from '../tape.ts'
import { Offsets, TextFault } from '../yaml/characters.ts'
import { documentOf, textOf } from '../yaml/parse-quickly.ts'
import type { Node } from './nodes.ts'
import { readToml } from './read.ts'

/**
 * Reads a TOML document. Dates become texts, and integers keep their digits. Refuses infinite numbers, which JSON cannot
 * represent.
 *
 * @throws {TypeError} when the source is neither text nor bytes, {RangeError} for an invalid limit.
 */
export function parseToml(source: Uint8Array | string, options: parse.Options = {}): ParseResult {
  const toml = textOf(source, options)
  if ('diagnostics' in toml) return toml
  const { text, body, prepared, maxDepth, file } = toml
  const offsets = new Offsets(text, body.length, prepared.bom)
  try {
    const writer = new Writer()
    writer.value({ ...readToml(text, maxDepth), span: [0, text.length] })
    const json = writer.json.bytes()
    const outcome = readTape(json, prepared.maxDepth)
    if (outcome instanceof Fault) return { document: undefined, diagnostics: [faultToDiagnostic(json, outcome, file)] }
    const places = Uint32Array.from(writer.places, (unit) => offsets.at(unit))
    return documentOf(new Tape(json, outcome.words, places), outcome.warnings, prepared, file)
  } catch (fault) {
    if (!(fault instanceof TextFault)) throw fault
    const { kind, start, end, detail } = fault
    const finding = { pointer: '', offset: offsets.at(start), endOffset: offsets.at(end), detail }
    return { document: undefined, diagnostics: [diagnose(prepared.lines, kind, finding, file)] }
  }
}

const encoder = new TextEncoder()

class Writer {
  readonly json = new JsonText()
  /** The start and end of each entry of the tape in the TOML. */
  readonly places: number[] = []

  /** Writes a value, and returns where it ends: a table ends with the last of its members, wherever they stand. */
  value(node: Node): number {
    const entry = this.places.push(node.span[0], node.span[1]) - 1
    if ('json' in node) this.json.copy(encoder.encode(node.json))
    else if ('items' in node) this.#list('[', node.items, (item) => this.value(item), entry)
    else
      this.#list(
        '{',
        [...node.members],
        ([name, { span, value }]) => {
          this.places.push(span[0], span[1])
          this.json.string(name)
          this.json.ascii(':')
          return this.value(value)
        },
        entry,
      )
    return this.places[entry]!
  }

  #list<Child>(open: '[' | '{', children: readonly Child[], write: (child: Child) => number, entry: number): void {
    this.json.ascii(open)
    for (const [i, child] of children.entries()) {
      if (i > 0) this.json.ascii(',')
      this.places[entry] = Math.max(this.places[entry]!, write(child))
    }
    this.json.ascii(open === '[' ? ']' : '}')
  }
}
