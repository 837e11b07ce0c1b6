import type { FindingKind } from '../../document/finding.ts'

/** The reason not to use an answer of the DNS. Never leaves the package: callers get the diagnostic. */
export class DnsError extends Error {
  override readonly name = 'DnsError'
  readonly kind: FindingKind

  constructor(kind: FindingKind, detail: string) {
    super(detail)
    this.kind = kind
  }
}

/** Without a word of who was asked: the address of a resolver may be a secret, and what it failed of is in the trace. */
export function unreachable(error: unknown): string {
  const { cause = error } = Object(error)
  const { code, reason = code } = Object(cause)
  return /^[\w-]{1,40}$/.test(reason ?? '') ? `it cannot be reached: ${reason}` : 'it cannot be reached'
}
