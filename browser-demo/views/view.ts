import type { Document } from '../../bindings/document/parse.ts'
import type { Examination } from '../examine.ts'

/** The content of a tab. */
export interface View {
  /** Called only for documents of the kinds that the view is for. */
  show(examination: Examination | undefined): void
}

/** A readable document. */
export type Readable = Examination & { readonly document: Document }

/**
 * Opens a document in the editor, with a message next to Undo. If it was made `of` a document that has changed since, the
 * editor keeps the changed one.
 */
export type Edit = (text: string, words?: string, of?: Document) => void

/** Selects the value that a pointer names in the editor. */
export type GoTo = (pointer: string) => void

/** Long enough that nothing flickers at each keystroke. */
const PATIENCE_MS = 100

const emptying = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>()

/** Waits for new content. If that takes long, the old content, which is about another document, is removed first. */
export async function emptyMeanwhile<T>(place: HTMLElement, coming: Promise<T>): Promise<T> {
  // Only the last wait for a place counts.
  clearTimeout(emptying.get(place))
  const slow = setTimeout(() => place.replaceChildren(), PATIENCE_MS)
  emptying.set(place, slow)
  try {
    return await coming
  } finally {
    clearTimeout(slow)
  }
}
