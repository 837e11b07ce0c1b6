import { Document } from '../document/document.ts'
import { isObject } from '../document/members.ts'
import { read } from '../document/read.ts'
import { ruleDiagnostic } from '../document/rule.ts'
import type { Diagnostic } from '../document/types.ts'
import { Agent } from './agent.ts'
import { LIMITS } from './limits.ts'
import { ROOT_OBJECT } from './rules/document.ts'
import { withinLimits } from './within.ts'

/** What a verb is given: text, bytes, or a document that was read before. */
export type Source = Uint8Array | string | Document

/** A definition that was read, or why there is none. */
export type Opened =
  | { readonly agent: Agent; readonly diagnostics: readonly Diagnostic[] }
  | { readonly agent: undefined; readonly diagnostics: readonly Diagnostic[] }

/** Who has a larger document in memory has paid for it; a deeper one may be more than recursion holds. */
const ANY_SIZE = { ...LIMITS, documentBytes: 0xffffffff }

/** Reads the definition that a verb is given, within the limits of ADL section 18.5. */
export function openAgent(source: Source, file?: string): Opened {
  const { document, diagnostics } =
    source instanceof Document
      ? withinLimits(source, ANY_SIZE)
      : read(source, {
          ...(file !== undefined && { file }),
          maxDepth: LIMITS.depth,
          maxBytes: LIMITS.documentBytes,
        })
  if (document === undefined) return { agent: undefined, diagnostics }
  if (isObject(document.value)) return { agent: new Agent(document), diagnostics }
  const refusal = ruleDiagnostic(document, ROOT_OBJECT, 'error', '', 'expected a JSON object')
  return { agent: undefined, diagnostics: [...diagnostics, refusal] }
}
