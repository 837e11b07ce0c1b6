// What the text at a position means, and what is wrong with it.

import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { describeMember, memberAt } from '../../bindings/frame/assist/about.ts'
import { shapesOf } from '../../bindings/frame/assist/complete.ts'
import { cursorAt, type Notation } from '../../bindings/frame/assist/cursor.ts'
import type { ShapedValue } from '../../bindings/frame/specification.ts'
import { formOf } from '../../bindings/kinds.ts'
import { specificationOf } from '../../bindings/specifications.ts'
import { overlap, rangeIn, rangeOfBytes, shownText } from './diagnostics.ts'
import type { CheckedVersion, OpenDocument } from './documents.ts'
import type { Position, Range } from './text.ts'

/** The shapes of a document's kind, applied to it as it was last readable. */
export async function shapesFor({ kind, readable }: OpenDocument): Promise<readonly ShapedValue[]> {
  const specification = await specificationOf(kind)?.load.check?.()
  return specification === undefined ? [] : shapesOf(specification, readable)
}

export function notationOf({ kind, language, path = '' }: OpenDocument, document?: Document): Notation {
  if (formOf(kind) === 'text') return 'text'
  if (document !== undefined) return document.format
  return /\.json$/i.test(path) || /^jsonc?$/.test(language) ? 'json' : 'yaml'
}

/** The path of the member at a position, and its range. */
function placeAt(open: OpenDocument, checked: CheckedVersion, position: Position) {
  const { text } = open
  const { document } = checked
  const offset = text.offsetAt(position)
  if (document === undefined) {
    const cursor = cursorAt(text.toString(), offset, notationOf(open))
    if (cursor === undefined) return undefined
    const path = cursor.expects === 'name' ? [...cursor.path, cursor.word] : cursor.path
    return { path, range: { start: text.positionAt(cursor.start), end: text.positionAt(cursor.end) } }
  }
  const { path, start, end } = memberAt(document, Buffer.byteLength(text.toString().slice(0, offset)))
  return { path, range: rangeOfBytes(text, document.lines, start, end) }
}

/** The hover at a position: its findings with their reasons, then what the member means. */
export async function hoverAt(open: OpenDocument, checked: CheckedVersion, position: Position): Promise<object | null> {
  if (checked.kind === undefined) return null
  const here: Range = { start: position, end: position }
  const found = checked.diagnostics.filter(({ source }) => overlap(rangeIn(open.text, source), here))
  const member = placeAt(open, checked, position)
  const described = member && describeMember(await shapesFor(open), member.path)
  const parts = await reasonsOf(found)
  if (described !== undefined) {
    const { name, type, about } = described
    parts.push([`**${escaped(name)}** ${type}`.trim(), ...(about === undefined ? [] : [about])].join('\n\n'))
  }
  if (parts.length === 0) return null
  const range = found[0] === undefined ? member?.range : rangeIn(open.text, found[0].source)
  return { contents: { kind: 'markdown', value: parts.join('\n\n---\n\n') }, ...(range && { range }) }
}

/** The texts of `blazon explain`, loaded at the first hover over a finding. */
async function reasonsOf(found: readonly Diagnostic[]): Promise<string[]> {
  if (found.length === 0) return []
  const { catalogue } = await import('../../bindings/catalogue.ts')
  const { explained } = await import('../findings.ts')
  const rows = [...catalogue(), ...explained()]
  return found.map(({ code, rule, title, detail, spec, fix }) => {
    const why =
      rows.find((row) => row.id === rule && row.code === code)?.why ?? rows.find((row) => row.code === code)?.why
    const lines = [`**${code} ${escaped(title)}**`, escaped(detail), why === undefined ? '' : escaped(why)]
    const hint = fix === undefined ? '' : `Hint: ${escaped(fix.hint)}`
    return [...lines, hint, `${escaped(spec)}, \`${rule}\``].filter((line) => line !== '').join('\n\n')
  })
}

/** Text from a document, without a meaning in Markdown and without links or images. */
const escaped = (text: string) => shownText(text).replaceAll(/[\\`*_{}[\]<>#!|&~]/g, (character) => `\\${character}`)
