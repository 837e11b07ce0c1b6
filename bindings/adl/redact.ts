import { DocumentError } from '../document/error.ts'
import { openAgent, type Source } from './definition.ts'
import { type Redacted, type RedactOptions, redactAgent } from './redaction.ts'

/**
 * A definition as it may be logged (ADL 18.9): contacts, authors and prompts are replaced by `[redacted]`.
 *
 * @example
 * redact('{"name": "A", "provider": {"name": "Acme", "contact": "ada@acme.example"}}').removed // ['/provider/contact']
 *
 * @throws {DocumentError} when the source is no JSON object.
 */
export function redact(source: Source, options: RedactOptions = {}): Redacted {
  const { agent, diagnostics } = openAgent(source)
  if (agent === undefined) throw new DocumentError(diagnostics)
  return redactAgent(agent.root.value, options)
}
