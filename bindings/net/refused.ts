// Why nothing was fetched; becomes a diagnostic.
import { diagnoseNowhere } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import * as FINDINGS from './findings.ts'

export class FetchRefusal extends Error {
  readonly kind: FindingKind
  /** Set for the caller's own refusals; the others cite the section that requires the document. */
  readonly section: string | undefined

  constructor(kind: FindingKind, detail: string, section?: string) {
    super(detail)
    this.kind = kind
    this.section = section
  }
}

/** Refusals thrown by a fetch with its own guard; the names are those of FetchRefused in bindings/node. */
const BY_REASON: Readonly<Record<string, FindingKind>> = {
  address: FINDINGS.FETCH_ADDRESS,
  redirect: FINDINGS.FETCH_REDIRECT,
  'too-large': FINDINGS.FETCH_TOO_LARGE,
  timeout: FINDINGS.FETCH_TIMEOUT,
}

export function kindOf(error: unknown): FindingKind {
  const why = error instanceof Error && 'reason' in error ? error.reason : undefined
  return (typeof why === 'string' && Object.hasOwn(BY_REASON, why) && BY_REASON[why]) || FINDINGS.FETCH_FAILED
}

export function refusalDiagnostic(
  { kind, message, section }: FetchRefusal,
  url: string,
  asking = kind.section,
): Diagnostic {
  return diagnoseNowhere({ ...kind, section: section ?? asking }, { detail: message }, url)
}
