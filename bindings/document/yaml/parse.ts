// Parses YAML 1.2 into the same Document as JSON: converts it to JSON first and maps every place back to the YAML.

import { type Alias, isAlias, isMap, isScalar, isSeq, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { visible } from '../../text/hidden.ts'
import { formatPointer } from '../../text/members.ts'
import { Fault, readTape } from '../../wasm/json.ts'
import { diagnose, Lines } from '../diagnose.ts'
import { excerpt, explainFault, placeText } from '../faults.ts'
import { JsonText } from '../json-text.ts'
import type { ParseResult, PreparedInput, parse } from '../parse.ts'
import { Tape } from '../tape.ts'
import type { Diagnostic } from '../types.ts'
import { Offsets, TextFault } from './characters.ts'
import { checkCharacters, compose, DUPLICATE, type Node, OVERFLOW, tooDeep } from './compose.ts'
import * as FINDINGS from './findings.ts'
import { toJsonNumber } from './number.ts'
import { documentOf, parseQuickly, textOf, type YamlText } from './parse-quickly.ts'

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
export function parseYaml(source: Uint8Array | string, options: parse.Options = {}): ParseResult {
  const yaml = textOf(source, options)
  return 'diagnostics' in yaml ? yaml : (parseQuickly(yaml) ?? parseByPackage(yaml))
}

/** Reads YAML with the yaml package alone. */
export function parseByPackage({ text, body, prepared, maxDepth, file }: YamlText): ParseResult {
  const offsets = new Offsets(text, body.length, prepared.bom)
  try {
    checkCharacters(text)
    const diagnostics = [...prepared.diagnostics]
    const root = compose(text, maxDepth, (warning) => {
      diagnostics.push(toDiagnostic(warning, prepared.lines, offsets, file))
    })
    return readConverted(writeJson(root, text, maxDepth), offsets, { ...prepared, diagnostics }, file)
  } catch (fault) {
    if (!(fault instanceof TextFault)) throw fault
    return { document: undefined, diagnostics: [toDiagnostic(fault, prepared.lines, offsets, file)] }
  }
}

/** Reads the JSON that the YAML was converted to. */
function readConverted(
  { json, starts, places: units }: ConvertedYaml,
  offsets: Offsets,
  prepared: PreparedInput,
  file: string | undefined,
): ParseResult {
  const places = Uint32Array.from(units, (unit) => offsets.at(unit))
  const outcome = readTape(json, prepared.maxDepth)
  if (outcome instanceof Fault) {
    const { kind, finding } = explainFault(json, new Lines(json), outcome)
    const entry = Math.max(
      0,
      starts.findLastIndex((start) => start <= outcome.offset),
    )
    const where = { offset: places[2 * entry]!, endOffset: places[2 * entry + 1]! }
    const fix = finding.fix && { hint: finding.fix.hint }
    return { document: undefined, diagnostics: [diagnose(prepared.lines, kind, { ...finding, ...where, fix }, file)] }
  }
  return documentOf(new Tape(json, outcome.words, places), outcome.warnings, prepared, file)
}

function toDiagnostic(fault: TextFault, lines: Lines, offsets: Offsets, file: string | undefined): Diagnostic {
  const { pointer = '', first, spare } = fault.more
  const edits = spare && [{ offset: offsets.at(spare[0]), endOffset: offsets.at(spare[1]), text: '' }]
  const fix = edits ? { ...fault.more.fix!, edits } : fault.more.fix
  const where = { pointer, offset: offsets.at(fault.start), endOffset: offsets.at(fault.end) }
  if (first === undefined) return diagnose(lines, fault.kind, { ...where, detail: fault.detail, fix }, file)
  const earlier = placeText(lines.position(offsets.at(first)))
  const detail = `${fault.detail}, at ${earlier}`
  const related = [{ pointer, message: `the first one is at ${earlier}` }]
  return diagnose(lines, fault.kind, { ...where, detail, related, fix }, file)
}

// Converts a YAML node to JSON, and records where each value and name stands in the YAML.

/**
 * Limits for the expansion of all aliases together: this many values and names, and a multiple of the text's length.
 */
const MOST_EXPANDED = 100_000
const EXPANDED_TIMES = 4
const EXPANDED_MORE = 1 << 20

/** A backslash at the end of a line, and a line without text. */
const BLANK_AFTER_ESCAPE = /(?<!\\)(?:\\\\)*\\\r?\n[ \t]*\r?\n/

type Span = readonly [start: number, end: number]

/** A member, with the span of its name. */
interface Member {
  readonly span: Span
  readonly value: Node | null
}

/** The JSON, with two spans for each tape entry: bytes in the JSON, UTF-16 units in the YAML. */
export interface ConvertedYaml {
  readonly json: Uint8Array<ArrayBuffer>
  /** The offsets where the entries begin in the JSON. */
  readonly starts: readonly number[]
  /** The start and end of each entry in the YAML. */
  readonly places: readonly number[]
}

/** Converts a node to JSON; throws a TextFault at the first thing that JSON cannot represent. */
export function writeJson(root: Node | null, source: string, maxDepth: number): ConvertedYaml {
  const writer = new Writer(source, maxDepth)
  writer.value(root)
  return { json: writer.json.bytes(), starts: writer.starts, places: writer.places }
}

class Writer {
  readonly json = new JsonText()
  readonly starts: number[] = []
  readonly places: number[] = []
  readonly #source: string
  readonly #maxDepth: number
  readonly #path: (string | number)[] = []
  /** The latest node for each anchor name, at this point of the walk. */
  readonly #anchors = new Map<string, Node>()
  readonly #targets = new Map<Alias, Node>()
  readonly #open = new Set<Node>()
  /** The end of the value written last. */
  #end = 0
  /** The outermost alias being expanded: everything that it expands to gets its place. */
  #alias: Span | undefined
  #expanded = 0
  /** The bytes that earlier aliases expanded to; while an alias is expanded, less the bytes written before it. */
  #expandedBytes = 0

  constructor(source: string, maxDepth: number) {
    this.#source = source
    this.#maxDepth = maxDepth
  }

  /** Writes a value; null stands for a missing one, as in `{a}`. */
  value(node: Node | null): void {
    if (node === null) this.#scalarEntry('null', [this.#end, this.#end])
    else if (isAlias(node)) this.#aliasValue(node)
    else {
      if (this.#alias === undefined && node.anchor !== undefined) this.#anchors.set(node.anchor, node)
      if (isMap(node)) this.#container(node, () => this.#members(node))
      else if (isSeq(node)) this.#container(node, () => this.#elements(node))
      else this.#scalar(node as Scalar)
    }
  }

  #container(node: YAMLMap | YAMLSeq, content: () => void): void {
    const [start, end] = spanOf(node)
    if (this.#path.length >= this.#maxDepth) throw tooDeep(start, this.#maxDepth, this.#pointer())
    const object = isMap(node)
    const entry = this.#entry([start, end])
    this.#open.add(node)
    this.json.ascii(object ? '{' : '[')
    content()
    this.json.ascii(object ? '}' : ']')
    this.#open.delete(node)
    if (this.#alias !== undefined) return
    // The package includes what follows a block collection; it really ends with its last value.
    if (node.flow === true) this.#end = end
    else this.places[2 * entry + 1] = this.#end
  }

  #elements(node: YAMLSeq): void {
    node.items.forEach((item, i) => {
      if (i > 0) this.json.ascii(',')
      this.#path.push(i)
      this.value(item as Node | null)
      this.#path.pop()
    })
  }

  #members(node: YAMLMap): void {
    const seen = new Map<string, Member>()
    node.items.forEach(({ key, value }, i) => {
      if (i > 0) this.json.ascii(',')
      const { name, span } = this.#name(key as Node | null, node)
      this.#path.push(name)
      const first = seen.get(name)
      const member = { span, value: value as Node | null }
      if (first !== undefined) throw this.#duplicate(name, first, member)
      seen.set(name, member)
      if (isAlias(key)) this.#expand(span, () => this.#text(name, span))
      else this.#text(name, span)
      this.json.ascii(':')
      this.value(member.value)
      this.#path.pop()
    })
  }

  #scalar(node: Scalar): void {
    const { value, source = '' } = node
    const span = this.#spanOfScalar(node)
    this.#refuseAmbiguous(node, span)
    if (typeof value === 'string') this.#text(value, span)
    else if (typeof value !== 'number') this.#scalarEntry(value === null ? 'null' : `${value === true}`, span)
    else if (/^[-+]?\.[a-z]/i.test(source)) {
      const detail = `JSON numbers are finite, found \`${source}\``
      throw this.#fault(FINDINGS.YAML_NOT_FINITE, span, detail, 'leave the member out, or use null or a string')
    } else {
      const number = toJsonNumber(source)
      if (number !== undefined) this.#scalarEntry(number, span)
      else throw this.#fault(OVERFLOW, span, 'the number is larger than the largest double, about 1.8e308')
    }
  }

  /** The package includes the line ends after a block scalar in its range; this excludes them. */
  #spanOfScalar(node: Scalar): Span {
    const [start, end] = spanOf(node as Node)
    if (node.type !== 'BLOCK_LITERAL' && node.type !== 'BLOCK_FOLDED') return [start, end]
    let last = end
    while (/\s/.test(this.#source[last - 1]!)) last--
    return [start, last]
  }

  /** Refuses texts of which the package drops spaces or a line end that other programs read. */
  #refuseAmbiguous({ type }: Scalar, span: Span): void {
    if (this.#alias !== undefined) return
    const source = this.#source.slice(...span)
    if (type === 'QUOTE_DOUBLE' && BLANK_AFTER_ESCAPE.test(source)) {
      const detail = 'found an empty line after an escaped line end: programs differ in whether it is a line end'
      throw this.#fault(FINDINGS.YAML_SYNTAX, span, detail, 'write it as \\n')
    }
    if (!/^[|>][-+]?\d/.test(source) || !this.#hasSpacesAfter(span[1])) return
    const detail = 'found lines of spaces at the end of a block with an indentation indicator: programs differ in them'
    throw this.#fault(FINDINGS.YAML_SYNTAX, span, detail, 'remove the spaces, or put the text in quotes')
  }

  /** True when one of the lines after this place, up to the next text, has only spaces. */
  #hasSpacesAfter(place: number): boolean {
    const rest = /[ \r\n]*/y
    rest.lastIndex = place
    const lines = rest.exec(this.#source)![0].split('\n').slice(1)
    if (rest.lastIndex < this.#source.length) lines.pop()
    return lines.some((line) => line.startsWith(' '))
  }

  #aliasValue(alias: Alias): void {
    const target = this.#targetOf(alias)
    this.#expand(spanOf(alias), () => this.value(target))
  }

  /** Writes the expansion of an alias. */
  #expand(span: Span, write: () => void): void {
    const outermost = this.#alias === undefined
    if (outermost) {
      this.#alias = span
      this.#expandedBytes -= this.json.length
    }
    write()
    if (outermost) {
      this.#expandedBytes += this.json.length
      this.#alias = undefined
    }
  }

  /** An alias refers to the latest anchor of its name before it, even when it is expanded again later. */
  #targetOf(alias: Alias): Node {
    const target = this.#targets.get(alias) ?? this.#anchors.get(alias.source)
    const shown = `\`*${visible(alias.source.slice(0, 40))}\``
    if (target === undefined)
      throw this.#fault(FINDINGS.YAML_ALIAS, spanOf(alias), `no anchor before ${shown} has this name`)
    if (this.#open.has(target))
      throw this.#fault(FINDINGS.YAML_ALIAS, spanOf(alias), `${shown} stands inside of what it stands for`)
    this.#targets.set(alias, target)
    return target
  }

  #name(key: Node | null, map: YAMLMap): { readonly name: string; readonly span: Span } {
    const node = isAlias(key) ? this.#targetOf(key) : key
    if (node === null)
      throw this.#fault(FINDINGS.YAML_NAME, spanOf(map), 'expected a name in front of the colon, found none')
    if (this.#alias === undefined && key === node && node.anchor !== undefined) this.#anchors.set(node.anchor, node)
    const span = isScalar(key) ? this.#spanOfScalar(key) : spanOf(key!)
    if (isScalar(key)) this.#refuseAmbiguous(key, span)
    const { value, type } = node as Scalar
    if (!isScalar(node) || typeof value !== 'string') {
      const what = isScalar(node) ? `\`${this.#excerpt(span)}\`` : `a ${isMap(node) ? 'mapping' : 'sequence'}`
      // The braces of a template, as in `to: {{name}}`, are a mapping in a mapping.
      const advice =
        isMap(node) && map.flow === true ? 'put the template in quotes: "{{...}}"' : 'put the name in quotes'
      throw this.#fault(FINDINGS.YAML_NAME, span, `names are strings, found ${what}`, advice)
    }
    if (value === '<<' && type === 'PLAIN') {
      const detail = 'merge keys are not part of YAML 1.2: some programs merge here, others read a member named <<'
      throw this.#fault(FINDINGS.YAML_MERGE_KEY, span, detail, 'write the members out, or put the name in quotes')
    }
    return { name: value, span }
  }

  #text(text: string, span: Span): void {
    this.#entry(span)
    this.json.string(text)
  }

  #scalarEntry(json: string, span: Span): void {
    this.#entry(span)
    this.json.ascii(json)
  }

  /** Records the next tape entry and returns its number. */
  #entry(span: Span): number {
    const [start, end] = this.#alias ?? span
    this.#end = end
    this.places.push(start, end)
    this.starts.push(this.json.length)
    if (this.#alias !== undefined) this.#count(this.#alias)
    return this.starts.length - 1
  }

  #count(alias: Span): void {
    const most = EXPANDED_TIMES * this.#source.length + EXPANDED_MORE
    if (++this.#expanded <= MOST_EXPANDED && this.#expandedBytes + this.json.length <= most) return
    const detail = `aliases may stand for ${MOST_EXPANDED} values and names, and ${most} bytes, found more`
    throw this.#fault(FINDINGS.YAML_EXPANSION, alias, detail, 'write some of it out')
  }

  #duplicate(name: string, first: Member, second: Member): TextFault {
    // The first example of AgentLang has `tools` twice.
    const spare = name === 'tools' ? (this.#spare(first, second) ?? this.#spare(second, first)) : undefined
    const shown = visible(JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name))
    return new TextFault(DUPLICATE, second.span, `${shown} is already a member of this object`, {
      pointer: this.#pointer(),
      fix: {
        hint: spare
          ? 'remove the list that the other one holds'
          : 'remove or rename one of the two: programs differ in which of them they read',
      },
      first: first.span[0],
      spare,
    })
  }

  /** The lines of a list, if another one has all of its elements. */
  #spare({ span: [at], value: list }: Member, { value: other }: Member): Span | undefined {
    if (!isSeq(list) || !isSeq(other)) return undefined
    const [own, others] = [list, other].map(({ items }) => items.map((item) => this.#textOf(item as Node | null)))
    const start = this.#source.lastIndexOf('\n', at) + 1
    const known = new Set(others)
    const isSpare = own!.every((text) => known.has(text) && !/(?:^|\s)&/.test(text))
    if (!isSpare || this.#source.slice(start, at).trim() !== '') return undefined
    const end = this.#source.indexOf('\n', spanOf(list)[0] + this.#textOf(list).length)
    return [start, end < 0 ? this.#source.length : end + 1]
  }

  #textOf(node: Node | null): string {
    return node === null ? '' : this.#source.slice(...spanOf(node)).trimEnd()
  }

  #fault(kind: TextFault['kind'], span: Span, detail: string, hint?: string): TextFault {
    const more = { pointer: this.#pointer(), ...(hint !== undefined && { fix: { hint } }) }
    return new TextFault(kind, this.#alias ?? span, detail, more)
  }

  #pointer(): string {
    return formatPointer(this.#path)
  }

  #excerpt([start, end]: Span): string {
    const bytes = new TextEncoder().encode(this.#source.slice(start, Math.min(end, start + 50)))
    return excerpt(bytes, 0, bytes.length)
  }
}

function spanOf(node: Node): Span {
  const [start, end] = node.range!
  return [start, end]
}
