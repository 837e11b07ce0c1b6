// The editor: a script of its own, loaded after the page is visible.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic as Lint, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorSelection, EditorState, type Extension, type Text } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Diagnostic } from '../bindings/document/types.ts'
import { Assistance } from './assist.ts'
import theme from './codemirror.json' with { type: 'json' }
import type { Place, Surface } from './editor.ts'

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--syntax-name)' },
  { tag: [tags.string, tags.content], color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--syntax-word)' },
  { tag: [tags.comment, tags.meta, tags.labelName, tags.typeName], color: 'var(--faint)', fontStyle: 'italic' },
])

/** The page's own colours, which follow its theme: custom properties reach into the shadow root. */
const THEME = EditorView.theme(theme)

/** A change that the page made, not the reader. */
const fromPage = Annotation.define<true>()

/**
 * CodeMirror in an element. It lives in a shadow root: there its style sheets are objects, which the page's policy
 * allows; elsewhere they would be `style` elements, which it refuses.
 */
export function createEditor(host: HTMLElement, changed: () => void): Surface {
  const root = host.attachShadow({ mode: 'open' })
  const language = new Compartment()
  let format: 'json' | 'yaml' = 'json'
  const assistance = new Assistance()
  const extensions = [assistance.extension, extensionsOf(language, changed)]
  const view = new EditorView({ root, parent: root, state: EditorState.create({ extensions }) })
  return {
    get text() {
      return view.state.doc.toString()
    },
    set text(text) {
      assistance.forget()
      view.setState(EditorState.create({ doc: text, extensions }))
      format = 'json'
    },
    get selection(): Surface['selection'] {
      const { from, to } = view.state.selection.main
      return [from, to]
    },
    set selection([from, to]: Surface['selection']) {
      const { length } = view.state.doc
      const selection = EditorSelection.single(Math.min(from, length), Math.min(to, length))
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.main, { y: 'center' }) })
    },
    mark(examination) {
      const { diagnostics = [], format: wanted = 'json' } = examination ?? {}
      assistance.checked(examination, view.state.doc)
      if (wanted !== format) {
        format = wanted
        view.dispatch({ effects: language.reconfigure(wanted === 'json' ? json() : yaml()) })
      }
      view.dispatch(
        setDiagnostics(
          view.state,
          diagnostics.map((diagnostic) => lint(view.state.doc, diagnostic)),
        ),
      )
    },
    reveal(start, end) {
      const { doc } = view.state
      const selection = EditorSelection.single(offset(doc, start), offset(doc, end))
      view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.main, { y: 'center' }) })
      view.focus()
    },
    replace(from, to, insert) {
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from, head: from + insert.length },
        scrollIntoView: true,
      })
      view.focus()
    },
    focus: () => view.focus(),
  }
}

function extensionsOf(language: Compartment, changed: () => void): Extension {
  return [
    lintGutter(),
    placeholder('Paste an agent definition here, JSON or YAML, drop a file, or type.'),
    lineNumbers(),
    history(),
    bracketMatching(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    language.of(json()),
    syntaxHighlighting(COLOURS),
    THEME,
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
    EditorView.contentAttributes.of({
      'aria-label': 'Document. Escape, then Tab leaves the editor.',
      spellcheck: 'false',
      autocapitalize: 'off',
      // Editable elements can be focused without it, but some accessibility checkers do not know that.
      tabindex: '0',
    }),
    // A dropped file is opened by the page, not inserted.
    EditorView.domEventHandlers({ drop: ({ dataTransfer }) => dataTransfer?.types.includes('Files') === true }),
    EditorView.updateListener.of(({ docChanged, transactions }) => {
      if (docChanged && !transactions.some((transaction) => transaction.annotation(fromPage))) changed()
    }),
  ]
}

/** A finding in CodeMirror's form. If it spans several lines, only the first is underlined: that is enough. */
function lint(doc: Text, { severity, title, detail, code, source }: Diagnostic): Lint {
  const from = offset(doc, source)
  const { line, endLine, endColumn } = source
  const to = line === endLine ? offset(doc, { line, column: endColumn }) : doc.lineAt(from).to
  return { from, to: Math.max(from, to), severity, source: code, message: `${title}. ${detail}` }
}

/** The offset of a place. A place after the end counts as the end: findings may be outdated until the next check. */
function offset(doc: Text, { line, column }: Place): number {
  if (line > doc.lines) return doc.length
  const { from, to } = doc.line(Math.max(1, line))
  return Math.min(from + column - 1, to)
}
