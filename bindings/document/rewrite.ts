// Derives documents from documents, as JSON. Unchanged parts stay byte for byte.
import type { Document } from './document.ts'
import { applyEdits } from './edit.ts'
import { formatJson } from './fmt.ts'
import { insertValues, type Values } from './insert.ts'
import { beginsWithMark, parse } from './parse.ts'
import { OBJECT } from './tape.ts'
import type { Edit } from './types.ts'

/** Parses JSON without a depth limit: the original document has already passed one. */
function reread(bytes: Uint8Array, { file }: Document): Document {
  return parse(bytes, { maxDepth: 0xffffffff, ...(file !== undefined && { file }) }).document!
}

/** The document as JSON. YAML is formatted with its digits and its order; a byte order mark is removed. */
export function inJson(document: Document): Document {
  if (document.format === 'yaml') return reread(formatJson(document), document)
  return beginsWithMark(document.lines.bytes) ? reread(document.bytes.subarray(3), document) : document
}

/** The document with values at these pointers, whose parents must be objects or missing. */
export function withValues(document: Document, values: Values): Document {
  return values.length === 0 ? document : reread(insertValues(document, values)!, document)
}

/** The document, an object, with only those members whose names pass. */
export function withMembers(document: Document, passes: (name: string) => boolean): Document {
  return withEdits(
    document,
    cuts(document, 0, (name) => passes(document.tape.text(name))),
  )
}

/** The document with edits applied to its JSON. */
export function withEdits(document: Document, edits: readonly Edit[]): Document {
  return edits.length === 0 ? document : reread(applyEdits(document.bytes, edits), document)
}

/**
 * The edits that remove a container's children that do not pass, with their commas and the white space before them.
 *
 * @param passes receives tape entries: names in an object, elements in an array.
 */
export function cuts({ tape }: Document, container: number, passes: (child: number, index: number) => boolean): Edit[] {
  const children = tape.children(container)
  const toValue = tape.kind(container) === OBJECT ? 1 : 0
  const edits: Edit[] = []
  const cut = (offset: number, endOffset: number) => edits.push({ offset, endOffset, text: '' })
  const firstKept = children.findIndex(passes)
  if (children.length === 0 || firstKept === 0) {
    // No child before the first kept one needs to go.
  } else if (firstKept < 0) cut(tape.start(children[0]!), tape.end(children.at(-1)! + toValue))
  else cut(tape.start(children[0]!), tape.start(children[firstKept]!))
  for (const [i, child] of children.entries()) {
    if (firstKept < 0 || i <= firstKept || passes(child, i)) continue
    cut(tape.end(children[i - 1]! + toValue), tape.end(child + toValue))
  }
  return edits
}
