import { canonicalizeValue } from '../../core/value.ts'
import { Document } from '../../document/document.ts'
import { DocumentError } from '../../document/error.ts'
import { formatDiagnostic } from '../../document/format.ts'
import { isObject, type JsonObject } from '../../document/members.ts'
import type { Agent } from '../agent.ts'
import { openAgent, type Source } from '../definition.ts'

/** An agent definition: a document that was read before, its text or bytes, or the object that is in them. */
export type DefinitionSource = Source | JsonObject

/** The agent that is defined, or why there is none, in a sentence. */
export function readDefinition(source: DefinitionSource): Agent | string {
  try {
    const { agent, diagnostics } = openAgent(isValue(source) ? canonicalizeValue(source) : source)
    return agent ?? formatDiagnostic(diagnostics.find(({ severity }) => severity === 'error')!)
  } catch (error) {
    if (error instanceof DocumentError) return error.message
    throw error
  }
}

/** Whether it is the object itself. It is written out and read again, so that nothing can change it afterwards. */
function isValue(source: DefinitionSource): source is JsonObject {
  return isObject(source) && !(source instanceof Document || source instanceof Uint8Array)
}
