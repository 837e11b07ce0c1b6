import type { Severity } from '../bindings/document/types.ts'
import { EXIT, EXIT_WORDS, type ExitCode, worst } from './exit.ts'
import { type Outcome, ownReason } from './outcome.ts'

/** The overall result of an outcome. */
export interface Judgement {
  readonly files: number
  readonly valid: number
  readonly errors: number
  readonly warnings: number
  readonly infos: number
  readonly exit: ExitCode
  /** Why the run fails when no finding is an error. Every report shows it, so that none of them looks successful. */
  readonly failure: string | undefined
}

export interface Limits {
  /** The lowest severity that counts as a finding for the exit code. */
  readonly failOn: string
  readonly maxWarnings: number | undefined
}

export function judge(outcome: Outcome, { failOn, maxWarnings }: Limits): Judgement {
  const { results, exit: reported = EXIT.clean } = outcome
  const all = results.flatMap(({ diagnostics }) => diagnostics)
  const count = (severity: Severity) => all.filter((diagnostic) => diagnostic.severity === severity).length
  const [errors, warnings, infos] = [count('error'), count('warning'), count('info')]
  const tooMany =
    errors > 0 ||
    (failOn !== 'error' && warnings > 0) ||
    (failOn === 'info' && infos > 0) ||
    (maxWarnings !== undefined && warnings > maxWarnings)
  const unreadable = all.some(({ rule }) => rule === 'read/unreadable' || rule.startsWith('fetch/'))
  const exit = worst([reported, tooMany ? EXIT.findings : EXIT.clean, unreadable ? EXIT.unreadable : EXIT.clean])
  return {
    files: results.filter(({ file }) => file !== null).length,
    valid: results.filter(({ valid }) => valid).length,
    errors,
    warnings,
    infos,
    exit,
    failure: exit === EXIT.clean || errors > 0 ? undefined : (ownReason(outcome) ?? EXIT_WORDS[exit]),
  }
}
