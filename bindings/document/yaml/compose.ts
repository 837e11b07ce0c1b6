// Reads a text into a single YAML node. The yaml package handles the grammar; this file decides what the package leaves
// open.
import { Composer, type Document, Lexer, Parser } from 'yaml'
import { visible } from '../../text/hidden.ts'
import { LIMIT_SIZE } from '../findings.ts'
import { pointerWithin } from './broken.ts'
import { DEPTH, YamlFault } from './faults.ts'
import { YAML_ONE_DOCUMENT, YAML_VERSION } from './findings.ts'
import { startOf, syntaxFault, type Where } from './syntax.ts'

/** Any node of the tree. */
export type Node = NonNullable<Document['contents']>

/**
 * A token takes up to 450 bytes of tree, so this many fit into the 128 MB of a Worker. In ordinary documents that is
 * about 1 MB of text.
 */
const MOST_TOKENS = 250_000

/** Composes the node of `text`; throws a YamlFault at the first error. */
export function compose(text: string, maxDepth: number): Node | null {
  const composer = new FirstFault({ schema: 'core', uniqueKeys: false, resolveKnownTags: false })
  const parser = new Parser()
  const documents: Document[] = []
  let begun = 0
  let isThere = false
  let tokens = 0
  const take = (token: Parameters<Composer['next']>[0]) => {
    const span: [number, number] = [token.offset, token.offset + ('source' in token ? token.source.length : 0)]
    if (token.type === 'error') throw syntaxFault(span, 'UNEXPECTED_TOKEN', token.message)
    if (token.type === 'directive') checkDirective(token.source, span)
    if (token.type === 'document' && ++begun > 1) {
      throw new YamlFault(YAML_ONE_DOCUMENT, span, 'expected the end of the document, found another document', {
        fix: { hint: 'put each document into a file of its own' },
      })
    }
    // Only the package takes a lone end marker, `...`, for a document (YAML 1.2.2 section 9.2).
    if (token.type === 'document')
      isThere ||= token.value !== undefined || token.start.some(({ type }) => type === 'doc-start')
    try {
      for (const one of [...composer.next(token)]) documents.push(one)
    } catch (fault) {
      if (!(fault instanceof YamlFault) || token.type !== 'document') throw fault
      throw fault.at(pointerWithin(token.value, fault.start))
    }
  }
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) take(token)
    if (++tokens > MOST_TOKENS) throw tooLarge(parser.offset)
    // The stack also holds the document, and a scalar at the end.
    if (parser.stack.length > maxDepth + 2) throw tooDeep(parser.offset, maxDepth)
  }
  for (const token of parser.end()) take(token)
  for (const one of [...composer.end()]) documents.push(one)
  if (isThere && documents[0] !== undefined) return documents[0].contents
  throw new YamlFault(YAML_ONE_DOCUMENT, [text.length, text.length], 'expected a value, found an empty document')
}

function tooLarge(offset: number): YamlFault {
  const detail = `expected at most ${MOST_TOKENS} tokens of YAML, found more`
  return new YamlFault(LIMIT_SIZE, [offset, offset + 1], detail, { fix: { hint: 'write it as JSON' } })
}

/** The fault of a container that exceeds the depth limit. */
export function tooDeep(offset: number, most: number | 'fewer', pointer = ''): YamlFault {
  const limit = most === 'fewer' ? 'fewer' : `at most ${most}`
  const detail = `expected ${limit} containers inside of each other, found one more`
  return new YamlFault(DEPTH, [offset, offset + 1], detail, { pointer })
}

/** A composer that stops at the first fault: creating a hundred thousand errors takes longer than everything else. */
class FirstFault extends Composer {
  constructor(options: ConstructorParameters<typeof Composer>[0]) {
    super(options)
    let first: YamlFault | undefined
    // The package catches what is thrown here and reports it again as another error, so the first fault is remembered.
    Object.assign(this, {
      onError(where: Where, code: string, message: string) {
        first ??= code === 'RESOURCE_EXHAUSTION' ? tooDeep(startOf(where), 'fewer') : syntaxFault(where, code, message)
        throw first
      },
    })
  }
}

/** Reading YAML 1.1 as 1.2 would silently change values: `yes`, `0777`, `<<`. */
function checkDirective(source: string, span: [number, number]): void {
  const [name, version] = source.split(/[ \t]+/)
  if (name !== '%YAML' || version === '1.2') return
  throw new YamlFault(YAML_VERSION, span, `expected YAML 1.2, found \`${visible(source.slice(0, 40))}\``)
}
