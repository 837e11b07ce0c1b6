import type { Document } from '../../bindings/document/document.ts'
import type { Examination } from '../examine.ts'

/** The content of a tab. */
export interface View {
  /** Called only for documents of the kinds that the view is for. */
  show(examination: Examination | undefined): void
}

/** A document that could be read. */
export type Readable = Examination & { readonly document: Document }

/** Brings the value that a pointer names into view in the editor. */
export type GoTo = (pointer: string) => void
