import { validate } from '../adl/verbs.ts'
import type { Document } from '../document/parse.ts'
import { CONVERT_INVALID, CONVERT_SCHEMA } from './findings.ts'
import { originsOf } from './join.ts'
import type { StepRow } from './ledger.ts'
import type { Problems } from './problems.ts'

/** Nobody would read more. */
const MOST = 100

/** Reports what ADL does not allow in the resulting definition: carried parts may have been edited since. */
export function tellInvalid(definition: Document, loss: readonly StepRow[], problems: Problems): void {
  const { diagnostics } = validate(definition, { ruleset: 'spec', maxDiagnostics: MOST })
  const unjudged = problems.found.filter(({ rule }) => rule === CONVERT_SCHEMA)
  const originOf = originsOf(loss)
  for (const { severity, code, detail, source } of diagnostics) {
    const pointer = source.pointer ?? ''
    const origin = originOf(pointer)
    // A schema that cannot be used is reported already.
    if (severity !== 'error' || unjudged.some((row) => `${row.pointer}/`.startsWith(`${origin}/`))) continue
    problems.report(
      CONVERT_INVALID,
      origin,
      `${code} at ${pointer === '' ? 'the root' : pointer} of the result: ${detail}`,
    )
  }
}
