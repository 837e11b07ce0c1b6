// The network of `npm start -- --agents FOLDER`, on this machine only: a DNS server for some names, and an HTTPS server
// at port 443. pair.mjs serves it. FOLDER/blazon.mjs joins it, so the tool runs unchanged, with all of its checks.
import dns from 'node:dns'
import dnsPromises from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import tls from 'node:tls'

/** An address without a server (RFC 7723): outside this network, connections to it fail. */
export const ADDRESS = '192.0.0.9'
export const DOMAINS = ['alice.example', 'bob.example']

/** Redirects this process's DNS queries, and its connections to ADDRESS, to the servers of pair.mjs. */
export function joinNetwork({ dnsPort, httpsPort, certificate, token }) {
  const { connect, createSecureContext } = tls
  const { lookup } = dnsPromises
  const isHere = (host) => DOMAINS.includes(host)
  process.env.BLAZON_TOKEN ??= token
  dns.getServers = () => [`127.0.0.1:${dnsPort}`]
  dnsPromises.lookup = (host, options) =>
    isHere(host) ? Promise.resolve([{ address: ADDRESS, family: 4 }]) : lookup(host, options)
  tls.createSecureContext = (options) =>
    createSecureContext({ ...options, ca: options?.ca ?? [...tls.rootCertificates, certificate] })
  tls.connect = (options, ...more) =>
    connect(options.host === ADDRESS ? { ...options, host: '127.0.0.1', port: httpsPort } : options, ...more)
  syncBuiltinESMExports()
}
