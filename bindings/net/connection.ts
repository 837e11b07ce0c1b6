// A connection as the platform sees it before the request is sent. Node exposes it; browsers and Workers do not.
/** TLS versions as OpenSSL names them. */
export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

export interface Connection {
  readonly address: string
  /** `TLSv1.3`. */
  readonly tls: string
  /** The server's certificate, followed by each issuer's certificate in turn, as DER. */
  readonly certificates: readonly Uint8Array<ArrayBuffer>[]
  /** False for a self-signed certificate on this machine, where the caller allowed it. */
  readonly isTrusted: boolean
}
