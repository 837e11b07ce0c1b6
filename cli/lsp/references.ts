// Names of tools, and what refers to them and to other places: within a document, and in the folder of an agent.
import { basename, dirname, join, resolve } from 'node:path'
import { AGENT_FILE } from '../../bindings/agentlang/files.ts'
import type { Document } from '../../bindings/document/parse.ts'
import { OBJECT, STRING } from '../../bindings/document/tape.ts'
import type { Kind } from '../../bindings/kinds.ts'
import { arrayIndex, formatPointer, parsePointer, valueAt } from '../../bindings/text/members.ts'
import type { Host } from '../host.ts'
import { openPlain } from '../open.ts'
import { partsOf } from '../validate/mend.ts'
import { FAULT, ResponseError } from './connection.ts'
import { rangeOfBytes } from './diagnostics.ts'
import type { CheckedVersion, Documents, OpenDocument } from './documents.ts'
import { type Position, type Range, Text, type TextEdit } from './text.ts'
import { isBelow, uriOf } from './workspace.ts'

/** Where documents of a kind name tools: `*` is any element or member, and `<name>` a member whose name is the tool. */
const TOOL_PLACES: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  adl: ['tools/*/name'],
  card: ['tools/*/name'],
  agentlang: ['tools/*/name', 'http_tools/<name>', 'bash_tools/<name>', 'mcp_servers/*/tools/*'],
  ux: ['tools/<name>', 'mcp_tools/*/<name>'],
  skill: ['allowed-tools/*'],
}
const PATTERNS = new Map(
  Object.entries(TOOL_PLACES).map(([kind, places]) => [kind, places.map((place) => place.split('/'))]),
)
/** Kinds that define tools; others refer to them. */
const DEFINING: readonly (Kind | undefined)[] = ['adl', 'card', 'agentlang']
const MOST_NAME = 200

interface ToolPlace {
  readonly name: string
  readonly range: Range
  readonly isQuoted: boolean
}

interface Part {
  readonly uri: string
  readonly path: string | undefined
  readonly kind: Kind | undefined
  readonly document: Document
  readonly text: Text
}

/** The places of tools' names in a document. */
function toolPlaces({ kind, document, text }: Pick<Part, 'kind' | 'document' | 'text'>): readonly ToolPlace[] {
  const { tape, lines } = document
  const found: ToolPlace[] = []
  const add = (entry: number) => {
    const start = tape.placeStart(entry)
    const isQuoted = /["']/.test(String.fromCharCode(lines.bytes[start]!))
    found.push({ name: tape.text(entry), range: rangeOfBytes(text, lines, start, tape.placeEnd(entry)), isQuoted })
  }
  const visit = (entry: number, [token, ...rest]: readonly string[]): void => {
    if (token === undefined) {
      if (tape.kind(entry) === STRING) add(entry)
      return
    }
    const isObject = tape.kind(entry) === OBJECT
    if (token !== '*' && token !== '<name>') {
      const child = isObject ? tape.find([token], entry) : -1
      if (child >= 0) visit(child, rest)
    } else if (token === '<name>') {
      if (isObject) for (const name of tape.children(entry)) add(name)
    } else for (const child of tape.children(entry)) visit(isObject ? child + 1 : child, rest)
  }
  for (const pattern of PATTERNS.get(kind ?? '') ?? []) visit(0, pattern)
  return found
}

/** A document with the other documents of its agent's folder. */
export async function partsAround(open: OpenDocument, checked: CheckedVersion, documents: Documents): Promise<Part[]> {
  const { uri, path, text } = open
  const { kind, document, checking } = checked
  if (document === undefined) return []
  const own: Part = { uri, path, kind, document, text }
  const { workspace } = documents
  const isAgent = path !== undefined && basename(path) === AGENT_FILE
  const agent = isAgent ? path : path === undefined ? undefined : workspace.agentAbove(path)
  if (agent === undefined) return [own]
  const files = await workspace.filesAround(agent, checking, documents.files())
  const parts: Part[] = []
  for (const [name, as] of [[AGENT_FILE, 'agentlang'] as const, ...partsOf(files)]) {
    const at = join(dirname(agent), name)
    const bytes = files.get(name)
    if (at === path || bytes === undefined) continue
    const read = (await openPlain(bytes, { file: name, as })).document
    const other = documents.at(at)
    const theirs = other?.text ?? new Text(new TextDecoder().decode(bytes), documents.encoding)
    if (read !== undefined)
      parts.push({ uri: other?.uri ?? uriOf(at), path: at, kind: as, document: read, text: theirs })
  }
  return [own, ...parts]
}

const holds = ({ start, end }: Range, { line, character }: Position) =>
  (start.line < line || (start.line === line && start.character <= character)) &&
  (end.line > line || (end.line === line && end.character >= character))

/** The tool whose name is at a position. */
export function toolAt([own]: readonly Part[], position: Position): ToolPlace | undefined {
  return own && toolPlaces(own).find(({ range }) => holds(range, position))
}

/** The edits that give a tool another name, wherever it is named. */
export function rename(parts: readonly Part[], tool: ToolPlace, name: string): object {
  if (name === '' || name.length > MOST_NAME || /[\p{Cc}\p{Cf}\p{Cs}]/u.test(name))
    throw new ResponseError(FAULT.wrongParams, 'this cannot be the name of a tool')
  const places = parts.map((part) => [part, toolPlaces(part)] as const)
  if (name !== tool.name && places.some(([, tools]) => tools.some((one) => one.name === name)))
    throw new ResponseError(FAULT.wrongParams, 'another tool has this name')
  const changes: Record<string, TextEdit[]> = {}
  for (const [{ uri }, tools] of places) {
    const edits = tools
      .filter((one) => one.name === tool.name)
      .map(({ range, isQuoted }) => ({ range, newText: isQuoted || !isPlain(name) ? JSON.stringify(name) : name }))
    if (edits.length > 0) changes[uri] = edits
  }
  return { changes }
}

/** True for a name that is a string in YAML without quotes. */
const isPlain = (name: string) => /^[a-z_][\w./-]*$/i.test(name) && !/^(?:true|false|null|yes|no|on|off)$/i.test(name)

/** Where what a position names is defined: a tool, the target of a `$ref`, or a file. */
export function definitionAt(parts: readonly Part[], position: Position, host: Host, folder: string): object | null {
  const [own] = parts
  if (own === undefined) return null
  const { document, text, uri } = own
  const tool = toolAt(parts, position)
  for (const part of tool === undefined ? [] : parts) {
    const defined = DEFINING.includes(part.kind) ? toolPlaces(part).find(({ name }) => name === tool!.name) : undefined
    if (defined !== undefined) return { uri: part.uri, range: defined.range }
  }
  const pointer = document.pointerAt(Buffer.byteLength(text.toString().slice(0, text.offsetAt(position))))
  const value = valueAt(document.value, pointer)
  if (typeof value !== 'string') return null
  const target = value.startsWith('#') ? referenceFrom(document, pointer, value.slice(1)) : undefined
  if (target !== undefined) {
    const { start, end, keyStart = start, keyEnd = end } = document.range(target)!
    return { uri, range: rangeOfBytes(text, document.lines, keyStart, keyEnd) }
  }
  const file = fileNamed(value, own.path, host, folder)
  const zero = { line: 0, character: 0 }
  return file === undefined ? null : { uri: uriOf(file), range: { start: zero, end: zero } }
}

/** The pointer that a `$ref` names: from the nearest value around it that has the place. */
function referenceFrom(document: Document, from: string, reference: string): string | undefined {
  const below = parsePointer(reference)
  if (below === undefined) return undefined
  for (const base = parsePointer(from)!; ; base.pop()) {
    const pointer = formatPointer([...base, ...below])
    if (below.length > 0 && document.range(pointer) !== undefined) return pointer
    if (base.length === 0) return below.length === 0 ? '' : undefined
  }
}

/** The path of an existing file that a document names, in its own folder or the workspace folder. */
function fileNamed(value: string, path: string | undefined, host: Host, folder: string): string | undefined {
  if (path === undefined || value === '' || value.length > 1000 || /^[a-z][a-z\d+.-]*:|[\0\\]/i.test(value))
    return undefined
  const file = resolve(dirname(path), value.replace(/#.*$/s, ''))
  const isInside = isBelow(file, dirname(path)) || isBelow(file, folder)
  return isInside && host.stamp(file) !== undefined ? file : undefined
}

/** The names of the tools that a place may name: those of the folder for a reference to one. */
export function namesFor(kind: Kind | undefined, path: readonly string[], parts: readonly Part[]): readonly string[] {
  const isMatch = (pattern: readonly string[]) =>
    pattern.length === path.length &&
    pattern.every(
      (token, i) =>
        token === '*' || token === '<name>' || token === path[i] || (arrayIndex(path[i]!) >= 0 && token === '*'),
    )
  if (DEFINING.includes(kind) || !(PATTERNS.get(kind ?? '') ?? []).some(isMatch)) return []
  return parts
    .filter((part) => DEFINING.includes(part.kind))
    .flatMap((part) => toolPlaces(part).map(({ name }) => name))
}
