// How a source becomes one document.
import type { Format } from '../document/document.ts'
import type { ParseOptions, ParseResult } from '../document/parse.ts'
import type { Form } from '../kinds.ts'

/** Reads a source within limits: `read` of bindings/document, or a reader without YAML. */
export type Reader = (source: Uint8Array | string, options: ParseOptions & { readonly format: Format }) => ParseResult

/** The readers of other forms than a document. A program has those of the kinds that it knows. */
export type FormReaders = Readonly<Partial<Record<Form, Reader>>>

/** The files of a folder or an archive: their bytes by path, with `/` between names. */
export type Files = ReadonlyMap<string, Uint8Array>

/** How a kind uses several files: one of them is the document, the others are given with it. */
export interface FilesForm {
  readonly document: string
  /** The files of an archive. */
  unpack?(archive: Uint8Array): Files
}
