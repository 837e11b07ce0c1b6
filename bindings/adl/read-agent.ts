// Separate from reading.ts, so that checking a parsed document loads neither this nor YAML.
import { formatDiagnostic } from '../document/format.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { Source } from '../frame/source.ts'
import type { SubjectResult } from '../frame/subject.ts'
import type { Agent } from './agent.ts'
import { ADL_READING } from './reading.ts'

/** Reads the definition that a verb gets, within the limits of ADL section 18.5. */
export function readAgent(source: Source, file?: string): SubjectResult<Agent> {
  return readAs(ADL_READING, source, file)
}

/** The reason that a definition could not be read, in one sentence. */
export function whyUnreadable(diagnostics: readonly Diagnostic[]): string {
  return formatDiagnostic(diagnostics.find(({ severity }) => severity === 'error')!)
}
