import type { Document } from '../document/document.ts'
import { applyEdits } from '../document/edit.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Source } from '../frame/source.ts'
import { readAgent } from './read-agent.ts'
import { type RedactOptions, secretValues } from './redaction.ts'

/** The text in place of something that was taken out. */
export const REDACTED = '[redacted]'

export interface Redacted {
  /** The definition without what was taken out; everything else is as it was written. Undefined when it cannot be read. */
  readonly document: Document | undefined
  /** JSON Pointers of what was taken out, in the order of the options. */
  readonly removed: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * A definition as it may be logged (ADL 18.9): contacts, authors and prompts are replaced by `[redacted]`. What cannot be
 * read is not to be logged.
 *
 * @example
 * redact('{"name": "A", "provider": {"name": "Acme", "contact": "ada@acme.example"}}').removed // ['/provider/contact']
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function redact(source: Source, options: RedactOptions = {}): Redacted {
  const { subject: agent, diagnostics } = readAgent(source)
  if (agent === undefined) return { document: undefined, removed: [], diagnostics }
  const { bytes, tape } = agent.document
  const secrets = secretValues(agent.document, options)
  const edits = secrets.map(({ entry }) => {
    return { offset: tape.start(entry), endOffset: tape.end(entry), text: JSON.stringify(REDACTED) }
  })
  const { document } = parse(applyEdits(bytes, edits))
  return { document, removed: secrets.map(({ pointer }) => pointer), diagnostics }
}
