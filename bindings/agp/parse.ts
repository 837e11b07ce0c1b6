import type { Document } from '../document/document.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { ruleDiagnostic } from '../frame/rule.ts'
import { faultsOf, type MessageFault } from './faults.ts'
import { MESSAGE_BYTES, MESSAGE_DEPTH, type Message } from './message.ts'

/** A parsed message whose sender is not verified yet. */
export interface ParsedMessage {
  /** Undefined when a diagnostic is an error. */
  readonly message: Message | undefined
  /** Undefined when the source is not valid JSON. */
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export interface ParseMessageOptions {
  /** The file name of the message in diagnostics. */
  readonly file?: string
}

/** The maximum number of findings per message. One is enough to refuse it. */
const MOST_FINDINGS = 16

/**
 * Parses a message (section 7.2.3) strictly: one JSON object of at most 262,144 bytes. Members that the draft does not
 * define are kept and ignored.
 *
 * @example
 * const { message, diagnostics } = parseMessage(event.data)
 *
 * @throws {TypeError} when the source is neither text nor bytes.
 */
export function parseMessage(source: Uint8Array | string, options: ParseMessageOptions = {}): ParsedMessage {
  const limits = { maxBytes: MESSAGE_BYTES, maxDepth: MESSAGE_DEPTH }
  const { document, diagnostics } = parse(source, { ...options, ...limits })
  if (document === undefined) return { message: undefined, document, diagnostics }
  const faults = [...faultsOf(document.value, { signed: true })].slice(0, MOST_FINDINGS)
  if (faults.length === 0) return { message: document.value as Message, document, diagnostics }
  return { message: undefined, document, diagnostics: faults.map((fault) => diagnosticOf(document, fault)) }
}

/** The diagnostic of a fault, with its position. */
export const diagnosticOf = (document: Document, { kind, pointer, detail }: MessageFault): Diagnostic =>
  ruleDiagnostic(document, kind, 'error', pointer, detail)
