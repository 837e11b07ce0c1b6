import type { Diagnostic } from '../document/types.ts'
import type { Reading } from '../frame/subject.ts'
import { Agent } from './agent.ts'
import { ROOT_OBJECT } from './findings.ts'

/** The reading of agent definitions. */
export const ADL_READING: Reading<Agent> = {
  kind: 'adl',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Agent(document),
  onRead: asParseError,
}

/** In a document that is known to be ADL, JSON faults get the code of section 16.2. Limits keep our codes. */
function asParseError(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'error' && diagnostic.rule.startsWith('json/') && diagnostic.rule !== 'json/depth'
    ? { ...diagnostic, code: 'ADL-1001', title: 'Invalid JSON syntax' }
    : diagnostic
}
