// Explains failed connections in words: platforms report system error codes, such as `getaddrinfo ENOTFOUND`.
import { diagnoseNowhere } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import * as FINDINGS from './findings.ts'

const WORDS: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'its name cannot be looked up now',
  ECONNREFUSED: 'nothing answers at that port',
  ECONNRESET: 'the connection was cut off',
  UND_ERR_SOCKET: 'the connection was cut off',
  EHOSTUNREACH: 'no route leads to it',
  ENETUNREACH: 'no route leads to it',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate comes from an authority that this machine does not trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate comes from an authority that this machine does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes from an authority that this machine does not trust',
}

/** The cause of "fetch failed", where the platform reports it. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed'
  const cause = error.cause instanceof Error ? error.cause : error
  const { code, hostname } = cause as { readonly code?: unknown; readonly hostname?: unknown }
  if (error.name === 'TimeoutError') return WORDS['ETIMEDOUT']!
  if (code === 'ENOTFOUND') return `there is no host ${typeof hostname === 'string' ? hostname : 'of that name'}`
  if (typeof code === 'string' && Object.hasOwn(WORDS, code)) return `${WORDS[code]} (${code})`
  return cause.message === '' ? error.message : cause.message
}

// Why nothing was fetched; becomes a diagnostic.

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
