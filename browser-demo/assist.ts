// Completion and hover in the editor, by the code that the language server uses.
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionKeymap,
  completionStatus,
  moveCompletionSelection,
  pickedCompletion,
} from '@codemirror/autocomplete'
import { type Extension, Prec, type Text } from '@codemirror/state'
import { type EditorView, hoverTooltip, keymap, type Tooltip } from '@codemirror/view'
import { standardNames } from '../bindings/assist.ts'
import type { Document } from '../bindings/document/parse.ts'
import { describeMember, type MemberText, memberAt } from '../bindings/frame/assist/about.ts'
import { type Completion as Choice, complete, shapesOf } from '../bindings/frame/assist/complete.ts'
import { type Cursor, cursorAt, type Notation } from '../bindings/frame/assist/cursor.ts'
import type { ShapedValue } from '../bindings/frame/specification.ts'
import { formOf, type Kind } from '../bindings/kinds.ts'
import { visibleText } from '../bindings/text/hidden.ts'
import { make, withCode } from './dom.ts'
import { CHECKED, glanceYaml, kindOfMembers } from './engine.ts'
import type { Examination } from './examine.ts'

/** Accepts the selected choice, or the first one. */
function accept(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false
  return acceptCompletion(view) || (moveCompletionSelection(true)(view) && acceptCompletion(view))
}

/** Closes the choices. Escape also lets the next Tab leave the editor, so the key is not used up. */
function close(view: EditorView): false {
  closeCompletion(view)
  return false
}

const KEYS = [
  ...completionKeymap.filter(({ key }) => key !== 'Escape'),
  { key: 'Escape', run: close },
  { key: 'Tab', run: accept },
]

/** Knows the document of the last check, and what can be written in it. */
export class Assistance {
  #kind: Kind | undefined
  #format: Examination['format'] = 'json'
  /** The document as it was last readable. */
  #readable: Document | undefined
  /** The readable document that has the lines of this text. */
  #checked: { readonly document: Document; readonly text: Text } | undefined
  #shaped: readonly ShapedValue[] | undefined
  readonly extension: Extension = [
    // Enter is a line end until the reader selects a choice, so quick keys do no harm.
    autocompletion({
      override: [(context) => this.#choices(context)],
      defaultKeymap: false,
      icons: false,
      selectOnOpen: false,
      interactionDelay: 0,
    }),
    Prec.highest(keymap.of(KEYS)),
    hoverTooltip(({ state: { doc } }, at) => this.#hover(doc, at)),
  ]

  /** Call it after each check. */
  checked(examination: Examination | undefined, text: Text): void {
    const { document, format = 'json', kind } = examination ?? {}
    // A text that is being typed may not show its kind.
    const earlier = () => this.#kind ?? kindOfMembers(glanceYaml(text.toString()))
    this.#kind = kind ?? (document === undefined && examination !== undefined ? earlier() : undefined)
    this.#format = format
    this.#checked = document && { document, text }
    this.#readable = document ?? this.#readable
    this.#shaped = undefined
  }

  /** Call it before another document is shown. */
  forget(): void {
    this.#kind = undefined
    this.#readable = undefined
    this.#checked = undefined
  }

  #choices({ state: { doc }, pos, explicit }: CompletionContext): CompletionResult | null {
    const cursor = this.#cursor(doc, pos)
    // While the reader types, only a token that was begun has choices.
    if (cursor === undefined || this.#kind === undefined || (!explicit && cursor.start === pos)) return null
    const names = standardNames(this.#kind, cursor.path)
    const found = complete(cursor, this.#shapes(), this.#notation, { document: this.#readable, names })
    // Choices are compared with the word up to the cursor; they replace the whole token with its quotes.
    const from = pos - cursor.word.length
    const [before, after] = [from - cursor.start, cursor.end - pos]
    return { from, options: found.map((choice) => optionOf(choice, before, after)) }
  }

  #hover(doc: Text, at: number): Tooltip | null {
    const place = this.#placeAt(doc, at)
    const described = place && describeMember(this.#shapes(), place.path)
    if (described === undefined) return null
    return { pos: place!.from, end: place!.to, above: true, create: () => ({ dom: drawnMember(described) }) }
  }

  /** The path of the member at an offset, and its place. */
  #placeAt(doc: Text, at: number) {
    if (this.#checked?.text !== doc) {
      const cursor = this.#cursor(doc, at)
      const name = cursor?.expects === 'name' ? [cursor.word] : []
      return cursor && { path: [...cursor.path, ...name], from: cursor.start, to: cursor.end }
    }
    const { document } = this.#checked
    const { lines } = document
    const { number, from } = doc.lineAt(at)
    const { text, offset } = lines.line(number)
    const before = new TextEncoder().encode(text.slice(0, at - from)).length
    const { path, start, end } = memberAt(document, offset + before)
    const place = (byte: number) => {
      const { line, column } = lines.position(byte)
      return doc.line(line).from + column - 1
    }
    return { path, from: place(start), to: place(end) }
  }

  #cursor(doc: Text, at: number): Cursor | undefined {
    return cursorAt(doc.toString(), at, this.#notation)
  }

  get #notation(): Notation {
    return formOf(this.#kind) === 'text' ? 'text' : this.#format
  }

  /** The shapes of the kind, applied to the document as it was last readable. */
  #shapes(): readonly ShapedValue[] {
    const specification = CHECKED.find(({ kind }) => kind === this.#kind)
    this.#shaped ??= specification === undefined ? [] : shapesOf(specification, this.#readable)
    return this.#shaped
  }
}

/** A choice in CodeMirror's form, which also replaces characters before and after the text that is compared. */
function optionOf({ label, isRequired, types, about, text }: Choice, before: number, after: number): Completion {
  return {
    label,
    ...(visibleText(label) !== label && { displayLabel: visibleText(label) }),
    detail: `${types.join(' or ')}${isRequired ? ', required' : ''}`,
    ...(about !== undefined && { info: about }),
    boost: isRequired ? 1 : 0,
    apply(view, completion, from, to) {
      const start = from - before
      view.dispatch({
        changes: { from: start, to: to + after, insert: text },
        selection: { anchor: start + text.length },
        userEvent: 'input.complete',
        annotations: pickedCompletion.of(completion),
        scrollIntoView: true,
      })
    },
  }
}

function drawnMember({ name, type, about }: MemberText): HTMLElement {
  const text = about === undefined ? [] : [make('p', '', about)]
  return make('div', 'cm-member', [make('p', '', [make('strong', '', name), ' ', ...withCode(type)]), ...text])
}
