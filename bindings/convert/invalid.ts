import { validate } from '../adl/validate.ts'
import type { Document } from '../document/document.ts'
import { originOf } from './join.ts'
import type { StepRow } from './ledger.ts'
import { INVALID, type Problems, UNJUDGED } from './problems.ts'

/** More would be read by nobody. */
const MOST = 100

/** Reports what ADL does not allow in a definition that was made: parts of it may be carried, and edited since. */
export function tellInvalid(definition: Document, loss: readonly StepRow[], problems: Problems): void {
  const { diagnostics } = validate(definition, { ruleset: 'spec', maxDiagnostics: MOST })
  const unjudged = problems.found.filter(({ rule }) => rule === UNJUDGED)
  for (const { severity, code, detail, source } of diagnostics) {
    const pointer = source.pointer ?? ''
    const origin = originOf(pointer, loss)
    // A schema that nothing can be held against is told already.
    if (severity !== 'error' || unjudged.some((told) => `${told.pointer}/`.startsWith(`${origin}/`))) continue
    problems.report(INVALID, origin, `${code} at ${pointer === '' ? 'the root' : pointer} of what is made: ${detail}`)
  }
}
