import type { Document } from '../document/document.ts'
import { applyEdits } from '../document/edit.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Source } from '../frame/source.ts'
import { readAgent } from './read-agent.ts'
import { type RedactOptions, secretValues } from './redaction.ts'

/** The text that replaces a removed value. */
const REDACTED = '[redacted]'

export interface Redaction {
  /** The definition with the values replaced and everything else unchanged. Undefined when it cannot be read. */
  readonly document: Document | undefined
  /** JSON Pointers of the removed values, in the order of the options. */
  readonly removed: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * A definition that is safe to log (ADL 18.9): `[redacted]` replaces contacts, authors and prompts. Do not log a
 * document that cannot be read.
 *
 * @example
 * redact('{"name": "A", "provider": {"name": "Acme", "contact": "ada@acme.example"}}').removed // ['/provider/contact']
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function redact(source: Source, options: RedactOptions = {}): Redaction {
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
