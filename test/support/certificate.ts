// Certificates for test servers.
import { X509Certificate } from 'node:crypto'
import { type Certificate, certificateFor } from './certificate.mjs'

export { type Certificate, certificateFor }

/** A certificate authority of its own, with the certificates that it issues. */
export const newAuthority = (): Certificate => certificateFor([])

/** The SubjectPublicKeyInfo of a certificate, according to Node. */
export const spki = ({ cert }: Certificate): Buffer =>
  new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })

export const derOf = ({ cert }: Certificate): Buffer => new X509Certificate(cert).raw
