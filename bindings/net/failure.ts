// Explains failed connections in words: platforms report system error codes, such as `getaddrinfo ENOTFOUND`.

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
