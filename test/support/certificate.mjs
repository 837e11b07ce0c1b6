// Certificates for servers on this machine, encoded in DER by hand, because Node cannot make any.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const HOUR_MS = 3_600_000
const COMMON_NAME = { self: 'Blazon tests', issued: 'Blazon tests: a server' }

/**
 * A certificate for host names, valid from an hour ago until tomorrow. A self-signed one can serve as its own
 * authority.
 */
export function certificateFor(names, { issuer, isAuthority = issuer === undefined } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const named = (text) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))
  const issuerName = named(COMMON_NAME.self)
  const name = issuer === undefined ? issuerName : named(`${COMMON_NAME.issued} ${names[0] ?? ''}`)
  const validity = sequence(time(Date.now() - HOUR_MS), time(Date.now() + 24 * HOUR_MS))
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const alternatives = sequence(...names.map((host) => der(0x82, Buffer.from(host))))
  const authority = isAuthority ? sequence(der(0x01, Buffer.from([0xff]))) : sequence()
  const extensions = sequence(
    ...(names.length === 0 ? [] : [sequence(oid('551d11'), der(0x04, alternatives))]),
    sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, authority)),
  )
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const content = sequence(version, serial, algorithm, issuerName, validity, name, spki, der(0xa3, extensions))
  const signature = sign('sha256', content, issuer?.key ?? privateKey)
  const bytes = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag, content) {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts) => der(0x30, Buffer.concat(parts))
const oid = (hex) => der(0x06, Buffer.from(hex, 'hex'))

/** GeneralizedTime, in whole seconds. */
function time(ms) {
  return der(0x18, Buffer.from(new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')))
}
