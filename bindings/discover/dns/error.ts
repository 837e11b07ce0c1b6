import type { FindingKind } from '../../document/finding.ts'
import { DNS_NO_ANSWER, DNS_REFUSED, DNS_RESOLVER, DNSSEC_DROPPED } from './findings.ts'

/** Codes after which nothing is known of a domain. */
export const UNANSWERED: readonly string[] = [DNS_REFUSED, DNS_NO_ANSWER, DNS_RESOLVER, DNSSEC_DROPPED].map(
  ({ code }) => code,
)

/** The reason not to use an answer of the DNS. Never leaves the package: callers get a diagnostic. */
export class DnsError extends Error {
  override readonly name = 'DnsError'
  readonly kind: FindingKind

  constructor(kind: FindingKind, detail: string) {
    super(detail)
    this.kind = kind
  }
}

/** Omits the resolver, whose address may be a secret; the trace has the cause. */
export function unreachable(error: unknown): string {
  const { cause = error } = Object(error)
  const { code, reason = code } = Object(cause)
  return /^[\w-]{1,40}$/.test(reason ?? '') ? `it cannot be reached: ${reason}` : 'it cannot be reached'
}
