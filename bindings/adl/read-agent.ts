// Separate from reading.ts, so that checking a parsed document loads neither this nor YAML.
import { readAs } from '../frame/as.ts'
import type { Source } from '../frame/source.ts'
import type { SubjectResult } from '../frame/subject.ts'
import type { Agent } from './agent.ts'
import { ADL_READING } from './reading.ts'

/** Reads the definition that a verb gets, within the limits of ADL section 18.5. */
export function readAgent(source: Source, file?: string): SubjectResult<Agent> {
  return readAs(ADL_READING, source, file)
}
