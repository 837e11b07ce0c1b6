// Documents made of documents: JSON in, JSON out, and untouched parts stay byte for byte as they were.
import type { Document } from './document.ts'
import { applyEdits } from './edit.ts'
import { formatJson } from './fmt.ts'
import { insertValues, type Values } from './insert.ts'
import { beginsWithMark, parse } from './parse.ts'
import { OBJECT } from './tape.ts'
import type { Edit } from './types.ts'

/** JSON of any depth that a document has had already. */
function reread(bytes: Uint8Array, { file }: Document): Document {
  return parse(bytes, { maxDepth: 0xffffffff, ...(file !== undefined && { file }) }).document!
}

/** The document in JSON. YAML is formatted for people, with its digits and order; a byte order mark is left out. */
export function inJson(document: Document): Document {
  if (document.format === 'yaml') return reread(formatJson(document), document)
  return beginsWithMark(document.lines.bytes) ? reread(document.bytes.subarray(3), document) : document
}

/** The document with values at pointers, the parents of which are objects or absent. */
export function withValues(document: Document, values: Values): Document {
  return values.length === 0 ? document : reread(insertValues(document, values)!, document)
}

/** The document, an object, with those of its members only whose names pass. */
export function withMembers(document: Document, passes: (name: string) => boolean): Document {
  return withEdits(
    document,
    cuts(document, 0, (name) => passes(document.tape.text(name))),
  )
}

/** The document with edits made that are places in its JSON. */
export function withEdits(document: Document, edits: readonly Edit[]): Document {
  return edits.length === 0 ? document : reread(applyEdits(document.bytes, edits), document)
}

/**
 * The edits that take those children out of a container that do not pass, with their commas; the white space before a child
 * goes along with it.
 *
 * @param passes is asked with entries of the tape: of names in an object, of elements in an array.
 */
export function cuts({ tape }: Document, container: number, passes: (child: number, index: number) => boolean): Edit[] {
  const children = tape.children(container)
  const toValue = tape.kind(container) === OBJECT ? 1 : 0
  const edits: Edit[] = []
  const cut = (offset: number, endOffset: number) => edits.push({ offset, endOffset, text: '' })
  const firstKept = children.findIndex(passes)
  if (children.length === 0 || firstKept === 0) {
    // Nothing goes before the first that stays.
  } else if (firstKept < 0) cut(tape.start(children[0]!), tape.end(children.at(-1)! + toValue))
  else cut(tape.start(children[0]!), tape.start(children[firstKept]!))
  for (const [i, child] of children.entries()) {
    if (firstKept < 0 || i <= firstKept || passes(child, i)) continue
    cut(tape.end(children[i - 1]! + toValue), tape.end(child + toValue))
  }
  return edits
}
