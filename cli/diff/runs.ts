import { diffRuns } from '../../bindings/runs/verbs.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { withoutSecrets } from '../../bindings/text/secret-shapes.ts'
import { cut } from '../../bindings/text/words.ts'
import type { Tools } from '../command.ts'
import type { Outcome, Result } from '../outcome.ts'
import type { ReadResult } from '../reader.ts'
import { EXIT } from '../usage.ts'

/** The most characters of a value that are shown. */
const LONGEST = 400

/** Shows the first step where two runs part. */
export function compareRuns(a: ReadResult, b: ReadResult, { print }: Tools): Outcome {
  const result = ({ file, document, diagnostics }: ReadResult): Result => ({
    file,
    kind: 'run',
    valid: document !== undefined,
    diagnostics,
  })
  const results = [result(a), result(b)]
  if (a.document === undefined || b.document === undefined) return { results }
  const { difference } = diffRuns(a.document, b.document)
  if (difference === undefined) return { results, notes: ['both runs did the same'] }
  const { step, pointer } = difference
  const reason =
    step === undefined ? `the runs end differently: ${pointer}` : `the runs part at step ${step}: ${pointer}`
  print(`${visible(reason)}\n  ${shown(difference.a)}\n  ${shown(difference.b)}\n`)
  return { results: results.map((one) => ({ ...one, runDifference: difference })), exit: EXIT.findings, reason }
}

const shown = (value: unknown) =>
  value === undefined ? '(nothing)' : visible(withoutSecrets(cut(JSON.stringify(value), LONGEST)))
