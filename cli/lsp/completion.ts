// Members and values for the place where someone writes.
import { dirname, join } from 'node:path'
import { standardNames } from '../../bindings/assist.ts'
import { complete } from '../../bindings/frame/assist/complete.ts'
import { type Cursor, cursorAt } from '../../bindings/frame/assist/cursor.ts'
import { formOf } from '../../bindings/kinds.ts'
import { visible } from '../../bindings/text/hidden.ts'
import type { Host } from '../host.ts'
import type { Documents, OpenDocument } from './documents.ts'
import { notationOf, shapesFor } from './hover.ts'
import { namesFor, partsAround } from './references.ts'
import type { Position } from './text.ts'

/** CompletionItemKind of LSP 3.17. */
const [PROPERTY, VALUE] = [10, 12]
/** Members that name a file of the folder. */
const NAMES_FILE = /^(?:path|file|\$ref)$/
const MOST_ENTRIES = 500

export async function completionsAt(
  open: OpenDocument,
  position: Position,
  documents: Documents,
  host: Host,
): Promise<object | null> {
  // The text may not be checked yet, and that may take longer than the next key stroke.
  if (open.kind === undefined) await documents.current(open)
  const notation = notationOf(open)
  const { text } = open
  const cursor = cursorAt(text.toString(), text.offsetAt(position), notation)
  // A cursor is in JSON or YAML.
  if (cursor === undefined || open.kind === undefined || formOf(open.kind) === 'toml') return null
  const shaped = await shapesFor(open)
  const names = await namesAt(cursor, open, documents, host)
  const found = complete(cursor, shaped, notation, { document: open.readable, names })
  const range = { start: text.positionAt(cursor.start), end: text.positionAt(cursor.end) }
  const isBegun = /["']/.test(text.toString().charAt(cursor.start)) && cursor.end > cursor.start
  return {
    isIncomplete: false,
    items: found.map(({ label, isMember, isRequired, types, about, text: newText }) => ({
      label: visible(label),
      kind: isMember ? PROPERTY : VALUE,
      ...(types.length > 0 && { detail: `${types.join(' or ')}${isRequired ? ', required' : ''}` }),
      ...(about !== undefined && { documentation: about }),
      sortText: `${isRequired ? 0 : 1}${label}`,
      // Editors compare it with the text that is replaced.
      ...(isBegun && { filterText: newText }),
      textEdit: { range, newText },
    })),
  }
}

/** What a place may name: tools, standard tags, files. */
async function namesAt(
  cursor: Cursor,
  open: OpenDocument,
  documents: Documents,
  host: Host,
): Promise<readonly string[]> {
  const { kind, path } = open
  const standard = kind === undefined ? [] : standardNames(kind, cursor.path)
  if (standard.length > 0) return standard
  if (kind === 'skill' || kind === 'ux') {
    const checked = open.latest
    const target = cursor.expects === 'value' ? cursor.path : [...cursor.path, '*']
    if (checked === undefined) return []
    const parts = await partsAround(open, { ...checked, document: open.readable }, documents)
    return [...new Set([...namesFor(kind, cursor.path, parts), ...namesFor(kind, target, parts)])]
  }
  return path !== undefined && NAMES_FILE.test(cursor.path.at(-1) ?? '')
    ? filesIn(dirname(path), cursor.word, host)
    : []
}

/** The entries of the folder that a path begun so far leads to. */
async function filesIn(folder: string, word: string, host: Host): Promise<readonly string[]> {
  const before = word.slice(0, word.lastIndexOf('/') + 1)
  if (/^\/|(?:^|\/)\.\.(?:\/|$)|[\0\\:]/.test(before)) return []
  const entries = await host.list(join(folder, before)).catch(() => undefined)
  const shown = (entries ?? []).filter(({ name, kind }) => kind !== 'other' && !name.startsWith('.'))
  return shown.slice(0, MOST_ENTRIES).map(({ name, kind }) => `${before}${name}${kind === 'folder' ? '/' : ''}`)
}
