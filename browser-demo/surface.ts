import type { Diagnostic } from '../bindings/document/types.ts'
import type { Place } from './text.ts'

/** What edits the document: the plain text area, or CodeMirror once it is there. */
export interface Surface {
  /** The whole text; setting it begins anew, at its top. */
  text: string
  /** Offsets in the text, in UTF-16 units; setting them brings them into view. */
  selection: readonly [from: number, to: number]
  /** Marks the places of the findings. */
  mark(diagnostics: readonly Diagnostic[], format: 'json' | 'yaml'): void
  /** Selects from `start` to `end`, brings that into view and takes the focus. */
  reveal(start: Place, end: Place): void
  /** Replaces a part of the text in one step that can be undone. */
  replace(from: number, to: number, text: string): void
  focus(): void
}
