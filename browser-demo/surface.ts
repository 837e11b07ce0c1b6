import type { Diagnostic } from '../bindings/document/types.ts'
import type { Place } from './text.ts'

/** An editor of the document: the plain text area, or CodeMirror once it is loaded. */
export interface Surface {
  /** The whole text; setting it scrolls to the top. */
  text: string
  /** Offsets in the text, in UTF-16 units; setting them scrolls them into view. */
  selection: readonly [from: number, to: number]
  /** Marks the places of the findings. */
  mark(diagnostics: readonly Diagnostic[], format: 'json' | 'yaml'): void
  /** Selects from `start` to `end`, scrolls there and takes the focus. */
  reveal(start: Place, end: Place): void
  /** Replaces a part of the text in a single undo step. */
  replace(from: number, to: number, text: string): void
  focus(): void
}
