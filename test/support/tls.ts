// A real HTTPS server under an invented name, and a fetch of the CLI that reaches it: the guard sees a public address,
// which is replaced by the loopback address only after the check.
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { guardedFetch } from '../../bindings/node/fetch.ts'
import { type Certificate, certificateFor } from './certificate.ts'

export const HOST = 'acme.example.test'
const PUBLIC = '93.184.216.34'

export interface TlsServer {
  readonly port: number
  readonly origin: string
  readonly dialer: guardedFetch.Options
  readonly fetch: ReturnType<typeof guardedFetch>
  close(): Promise<void>
}

interface Settings extends ServerOptions {
  /** Default: a self-signed certificate for the server's names. */
  readonly certificate?: Certificate
  /** The certificates that the client trusts, in PEM; default: the server's own. */
  readonly ca?: string
  /** Default: a free port. */
  readonly port?: number
  /** An address of this machine; default: 127.0.0.1. */
  readonly address?: string
  /** Accepts WebSocket requests. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

export async function startTls(listener: RequestListener, settings: Settings = {}): Promise<TlsServer> {
  const { certificate = certificateFor([HOST, 'other.example.test']), ca, onUpgrade, ...others } = settings
  const { port: wanted = 0, address = '127.0.0.1', ...options } = others
  const { key, cert } = certificate
  const server = createServer({ ...options, key, cert }, listener)
  if (onUpgrade !== undefined) server.on('upgrade', onUpgrade)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, address, resolve)
  })
  const { port } = server.address() as AddressInfo
  const dialer = { ca: ca ?? cert, resolve: async () => [PUBLIC], dial: () => address }
  return {
    port,
    origin: port === 443 ? `https://${HOST}` : `https://${HOST}:${port}`,
    dialer,
    fetch: guardedFetch(dialer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
