import type { Format, ParseOptions, ParseResult } from '../document/parse.ts'
import type { Form } from '../kinds.ts'

/** Reads a source within limits: `read` of bindings/document, or a reader without YAML. */
export type Reader = (source: Uint8Array | string, options: ParseOptions & { readonly format: Format }) => ParseResult

/** The readers of other forms than a document. A program has those of the kinds that it knows. */
export type FormReaders = Readonly<Partial<Record<Form, Reader>>>
