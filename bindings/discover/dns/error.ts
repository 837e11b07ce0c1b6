import type { FindingKind } from '../../document/finding.ts'

/** Why an answer of the DNS is not used. Never leaves the package: those who ask get the diagnostic. */
export class DnsError extends Error {
  override readonly name = 'DnsError'
  readonly kind: FindingKind

  constructor(kind: FindingKind, detail: string) {
    super(detail)
    this.kind = kind
  }
}
