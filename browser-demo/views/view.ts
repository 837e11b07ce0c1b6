import type { Document } from '../../bindings/document/document.ts'
import type { Examination } from '../examine.ts'

/** The content of a tab. */
export interface View {
  /** Called only for documents of the kinds that the view is for. */
  show(examination: Examination | undefined): void
}

/** A document that could be read. */
export type Readable = Examination & { readonly document: Document }

/**
 * Puts a document into the editor, with words on it beside Undo. Made `of` a document that is no longer there, it is not put
 * there.
 */
export type Edit = (text: string, words?: string, of?: Document) => void

/** Brings the value that a pointer names into view in the editor. */
export type GoTo = (pointer: string) => void

/** Long enough that nothing flickers at each key. */
const PATIENCE_MS = 100

const emptying = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>()

/** Waits for what is to be shown. When that takes its time, nothing stands there that was said of another document. */
export async function emptyMeanwhile<T>(place: HTMLElement, coming: Promise<T>): Promise<T> {
  // What is waited for last is what will stand there.
  clearTimeout(emptying.get(place))
  const slow = setTimeout(() => place.replaceChildren(), PATIENCE_MS)
  emptying.set(place, slow)
  try {
    return await coming
  } finally {
    clearTimeout(slow)
  }
}
