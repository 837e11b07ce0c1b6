// The editor: a script of its own, loaded after the page is visible.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic as Lint, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { Annotation, Compartment, EditorSelection, EditorState, type Text } from '@codemirror/state'
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
import type { Place, Surface } from './editor.ts'

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--syntax-name)' },
  { tag: [tags.string, tags.content], color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--syntax-word)' },
  { tag: [tags.comment, tags.meta, tags.labelName, tags.typeName], color: 'var(--faint)', fontStyle: 'italic' },
])

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
  const extensions = [
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
  const view = new EditorView({ root, parent: root, state: EditorState.create({ extensions }) })
  return {
    get text() {
      return view.state.doc.toString()
    },
    set text(text) {
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
    mark(diagnostics, wanted) {
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

/** The page's own colours, which follow its theme: custom properties reach into the shadow root. */
export const THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: '13px / 20px var(--mono)', overflow: 'auto' },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-gutters': { color: 'var(--faint)', backgroundColor: 'transparent', borderRight: '1px solid var(--rule)' },
  '.cm-activeLine': { backgroundColor: 'var(--active-line)' },
  '.cm-activeLineGutter': { color: 'var(--ink)', backgroundColor: 'var(--active-line)' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--faint)',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--bad)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px dashed var(--care)' },
  '.cm-lintRange-info': { backgroundImage: 'none', borderBottom: '2px dotted var(--faint)' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 0 0 4px', width: '100%' },
  '.cm-lint-marker': { content: 'none', width: 'auto', height: 'auto', font: '700 13px / 20px var(--mono)' },
  '.cm-lint-marker-error': { color: 'var(--bad)', '&::before': { content: '"✕"' } },
  '.cm-lint-marker-warning': { color: 'var(--care)', '&::before': { content: '"!"' } },
  '.cm-lint-marker-info': { color: 'var(--faint)', '&::before': { content: '"i"' } },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--sheet)',
    border: '1px solid var(--rule)',
    borderRadius: '8px',
    boxShadow: '0 4px 16px var(--shade)',
    maxWidth: '32rem',
    font: '0.875rem / 1.4 var(--sans)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '0.5rem 0.75rem' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--care)' },
  '.cm-diagnostic-info': { borderLeft: '4px solid var(--faint)' },
  '.cm-diagnosticSource': { color: 'var(--faint)', opacity: 1, fontSize: '0.8rem' },
  '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--sheet)', borderTop: '1px solid var(--rule)' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { color: 'var(--ink)', backgroundColor: 'var(--chosen)' },
  '.cm-panel.cm-panel-lint ul [aria-selected="true"]': { backgroundColor: 'var(--chosen)' },
})
