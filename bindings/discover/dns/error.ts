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
