// Reads a text into a single YAML node. The yaml package handles the grammar; this file decides what the package leaves
// open.
import { Composer, type CST, type Document, Lexer, Parser } from 'yaml'
import { visible } from '../../text/hidden.ts'
import { formatPointer } from '../../text/members.ts'
import { JSON_DEPTH, JSON_DUPLICATE, JSON_OVERFLOW } from '../../wasm/faults.ts'
import { codePoint, FAULTS } from '../faults.ts'
import type { FindingKind } from '../finding.ts'
import { LIMIT_SIZE } from '../findings.ts'
import { CONTROL, TextFault } from './characters.ts'
import {
  YAML_CONTROL_CHARACTER,
  YAML_DIRECTIVE,
  YAML_ONE_DOCUMENT,
  YAML_SYNTAX,
  YAML_TAG,
  YAML_VERSION,
} from './findings.ts'
import { MOST_TOKENS } from './parse-quickly.ts'

/** Any node of the tree. */
export type Node = NonNullable<Document['contents']>

/** A tag or an anchor alone is an empty value, as is a document's beginning. */
const BEGINS_NODE = new Set(['doc-start', 'tag', 'anchor'])

/**
 * A lexer for which `#x` is a comment like `# x`. The package takes the column of the first one for the indentation of
 * the lines after it, and then reads `- d` below `-\n#x\n  b` as a part of the text `b`.
 */
function lexer(): Lexer {
  const own: unknown = Object.assign(new Lexer() as object, {
    charAt(this: { readonly buffer: string; readonly pos: number }, n: number) {
      return n === 1 && this.buffer[this.pos] === '#' ? ' ' : this.buffer[this.pos + n]
    },
  })
  return own as Lexer
}

/** Composes the node of `text`; throws a TextFault at the first error. `warn` gets the first reserved directive. */
export function compose(text: string, maxDepth: number, warn: (warning: TextFault) => void): Node | null {
  const composer = new FirstFault({ schema: 'core', uniqueKeys: false, resolveKnownTags: false })
  const parser = new Parser()
  const documents: Document[] = []
  const directives = new Set<string>()
  let begun = 0
  let isThere = false
  let tokens = 0
  const take = (token: Parameters<Composer['next']>[0]) => {
    const span: [number, number] = [token.offset, token.offset + ('source' in token ? token.source.length : 0)]
    if (token.type === 'error') throw syntaxFault(span, 'UNEXPECTED_TOKEN', token.message)
    if (token.type === 'directive') {
      const reserved = checkDirective(token.source, span, directives)
      if (reserved !== undefined) warn(reserved)
    }
    if (token.type === 'document' && ++begun > 1) {
      throw new TextFault(YAML_ONE_DOCUMENT, span, 'expected the end of the document, found another document', {
        fix: { hint: 'put each document into a file of its own' },
      })
    }
    // Only the package takes a lone end marker, `...`, for a document (YAML 1.2.2 section 9.2).
    if (token.type === 'document')
      isThere ||= token.value !== undefined || token.start.some(({ type }) => BEGINS_NODE.has(type))
    try {
      for (const one of [...composer.next(token)]) documents.push(one)
    } catch (fault) {
      if (!(fault instanceof TextFault) || token.type !== 'document') throw fault
      throw fault.at(pointerWithin(token.value, fault.start))
    }
  }
  for (const lexeme of lexer().lex(text)) {
    for (const token of parser.next(lexeme)) take(token)
    if (++tokens > MOST_TOKENS) throw tooLarge(parser.offset)
    // The stack also holds the document, and a scalar at the end.
    if (parser.stack.length > maxDepth + 2) throw tooDeep(parser.offset, maxDepth)
  }
  for (const token of parser.end()) take(token)
  for (const one of [...composer.end()]) documents.push(one)
  if (isThere && documents[0] !== undefined) return documents[0].contents
  throw new TextFault(YAML_ONE_DOCUMENT, [text.length, text.length], 'expected a value, found an empty document')
}

function tooLarge(offset: number): TextFault {
  const detail = `expected at most ${MOST_TOKENS} tokens of YAML, found more`
  return new TextFault(LIMIT_SIZE, [offset, offset + 1], detail, { fix: { hint: 'write it as JSON' } })
}

/** The fault of a container that exceeds the depth limit. */
export function tooDeep(offset: number, most: number | 'fewer', pointer = ''): TextFault {
  const limit = most === 'fewer' ? 'fewer' : `at most ${most}`
  const detail = `expected ${limit} containers inside of each other, found one more`
  return new TextFault(DEPTH, [offset, offset + 1], detail, { pointer })
}

/** A composer that stops at the first fault: creating a hundred thousand errors takes longer than everything else. */
class FirstFault extends Composer {
  constructor(options: ConstructorParameters<typeof Composer>[0]) {
    super(options)
    let first: TextFault | undefined
    // The package catches what is thrown here and reports it again as another error, so the first fault is remembered.
    Object.assign(this, {
      onError(where: Where, code: string, message: string, isWarning?: boolean) {
        if (isWarning === true && code === 'BAD_DIRECTIVE') return
        first ??= code === 'RESOURCE_EXHAUSTION' ? tooDeep(startOf(where), 'fewer') : syntaxFault(where, code, message)
        throw first
      },
    })
  }
}

/**
 * Refuses another version, because reading YAML 1.1 as 1.2 would silently change values: `yes`, `0777`, `<<`. Returns a
 * warning for the first reserved directive.
 */
function checkDirective(source: string, span: [number, number], earlier: Set<string>): TextFault | undefined {
  const [name = '', version] = source.split(/[ \t]+/)
  const shown = `\`${visible(source.slice(0, 40))}\``
  const isKnown = name === '%YAML' || name === '%TAG'
  const key = name === '%TAG' ? `%TAG ${version}` : isKnown ? name : '%'
  const isFirst = !earlier.has(key)
  earlier.add(key)
  if (name === '%') throw new TextFault(YAML_SYNTAX, span, 'the directive has no name')
  if (!isKnown) return isFirst ? new TextFault(YAML_DIRECTIVE, span, `${shown} is ignored`) : undefined
  if (!isFirst) throw new TextFault(YAML_SYNTAX, span, `${shown} sets what is already set`)
  if (name === '%TAG' || version === '1.2') return undefined
  throw new TextFault(YAML_VERSION, span, `expected YAML 1.2, found ${shown}`)
}

// Locates an offset in broken YAML, using the concrete syntax tree, which exists even when no document can be built.

type Item = CST.CollectionItem

/** The pointer of the innermost value that contains an offset; a name belongs to its member's value. */
function pointerWithin(tree: CST.Token | undefined, offset: number): string {
  const path: (string | number)[] = []
  for (let token = tree; token !== undefined && token !== null; ) {
    if (token.type !== 'block-map' && token.type !== 'block-seq' && token.type !== 'flow-collection') break
    const items = token.items as readonly Item[]
    const index = items.findLastIndex((item) => itemStart(item) <= offset)
    const item = items[index]
    if (item === undefined || endsBefore(item.value ?? item.key, offset)) break
    const named = item.sep !== undefined || token.type === 'block-map'
    // A pair within a list is a mapping with one member.
    if (token.type === 'block-seq' || (token.type === 'flow-collection' && token.start.source === '[')) {
      path.push(items.slice(0, index).filter(isValue).length)
    }
    if (named) {
      const name = tokenText(item.key)
      if (name === undefined) break
      path.push(name)
    }
    token = item.value
  }
  return formatPointer(path)
}

function itemStart({ start, key, sep, value }: Item): number {
  return (start[0] ?? key ?? sep?.[0] ?? value)?.offset ?? Number.POSITIVE_INFINITY
}

/** True when a scalar ends before an offset. An unclosed quoted string ends at the end of the document. */
function endsBefore(token: CST.Token | null | undefined, offset: number): boolean {
  if (token === null || token === undefined) return false
  if (token.type === 'scalar' || token.type === 'alias') return token.offset + token.source.length <= offset
  return /^(?:single|double)-quoted/.test(token.type) && token.offset + (token as CST.FlowScalar).source.length < offset
}

/** False for items that are only comments and line ends. */
function isValue({ start, key, sep, value }: Item): boolean {
  return (
    Boolean(key ?? sep ?? value) || start.some(({ type }) => type === 'seq-item-ind' || type === 'explicit-key-ind')
  )
}

function tokenText(token: CST.Token | null | undefined): string | undefined {
  if (token?.type === 'scalar') return token.source
  if (token?.type === 'single-quoted-scalar') return token.source.slice(1, -1).replaceAll("''", "'")
  if (token?.type !== 'double-quoted-scalar') return undefined
  try {
    return JSON.parse(token.source) as string
  } catch {
    return undefined
  }
}

// Faults of YAML that JSON cannot represent, in words. Shares the JSON reader's codes where the fault is the same.

export const DUPLICATE: FindingKind = FAULTS[JSON_DUPLICATE]!
export const OVERFLOW: FindingKind = FAULTS[JSON_OVERFLOW]!
const DEPTH: FindingKind = FAULTS[JSON_DEPTH]!

// Converts errors of the yaml package into our faults.

/** A place as the package reports it. */
type Where = number | readonly [number, number, ...number[]] | { readonly offset: number; readonly source?: string }

/** Hints that usually help, by the package's codes and the beginnings of its messages. */
const HINTS: readonly (readonly [code: string, message: string, hint: string])[] = [
  ['TAB_AS_INDENT', '', 'indent with spaces'],
  ['BAD_SCALAR_START', '', 'put the text in quotes'],
  ['BAD_DQ_ESCAPE', '', 'a backslash itself is written \\\\; in single quotes it needs no escape'],
  ['BAD_INDENT', 'All', 'members of one mapping, and items of one list, begin in one column'],
  ['BLOCK_AS_IMPLICIT_KEY', 'Nested', 'put text that has a colon and a space in it in quotes'],
  ['MISSING_CHAR', 'Implicit map keys', 'put a colon and a space behind the name, or indent text that goes on'],
  ['MISSING_CHAR', 'Missing closing', 'close the quote; what goes on in the next line is indented'],
  ['MISSING_CHAR', 'Comments', 'put a space in front of the #'],
  ['MULTILINE_IMPLICIT_KEY', '', 'a name stands on one line: a colon or a quote may be missing'],
]

/** The fault for an error of the package. */
function syntaxFault(where: Where, code: string, message: string): TextFault {
  const hint = HINTS.find(([wanted, beginning]) => code === wanted && message.startsWith(beginning))?.[2]
  const kind = code === 'TAG_RESOLVE_FAILED' ? YAML_TAG : YAML_SYNTAX
  return new TextFault(kind, spanOf(where), wordsOf(message), hint === undefined ? {} : { fix: { hint } })
}

function startOf(where: Where): number {
  return spanOf(where)[0]
}

function spanOf(where: Where): [number, number] {
  if (typeof where === 'number') return [where, where + 1]
  if ('offset' in where) return [where.offset, where.offset + Math.max(1, where.source?.length ?? 1)]
  return [where[0], where[1]]
}

/** A message of the package in the style of our details: lower-case, on one line, of limited length. */
function wordsOf(message: string): string {
  const line = message.split('\n', 1)[0]!
  return visible(`${line.slice(0, 1).toLowerCase()}${line.slice(1, 160)}`)
}

// Checks the characters of a YAML source (YAML 1.2.2 sections 5.1 and 5.2).

/** Throws a TextFault at the first character that YAML does not allow. */
export function checkCharacters(text: string): void {
  const at = text.search(CONTROL)
  if (at < 0) return
  const code = text.charCodeAt(at)
  const what = code === 13 ? 'a carriage return without a line feed' : `the control character ${codePoint(code)}`
  const hint = code === 13 ? 'end lines with LF or CR LF' : 'write it as an escape within double quotes'
  throw new TextFault(YAML_CONTROL_CHARACTER, [at, at + 1], `expected text, found ${what}`, { fix: { hint } })
}
