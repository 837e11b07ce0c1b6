// The beginning of a record: checks of what the recorder was given, and what the certificate says.
import { encodeBase64 } from '../../keys/base64.ts'
import { certificateFingerprint, derOfCertificate } from '../../keys/certificate.ts'
import type { Key } from '../../keys/key.ts'
import { importKey } from '../../keys/platform.ts'
import { readAgentCertificate } from '../aip/agent-certificate.ts'
import { originOf } from '../stream/checkpoint.ts'
import type { CertificateChain, RecorderOptions } from './options.ts'

/** A certificate is renewed this long before it expires. */
const RENEWED_BEFORE_MS = 60_000

/** What a record says of a certificate (ADP-1 section 4), and its chain for the stream. */
export async function certified({ certificate, chain = [] }: CertificateChain) {
  const { agent, diagnostics } = await readAgentCertificate(certificate, { lenient: true })
  if (agent === undefined) throw new TypeError(`certificate: ${diagnostics[0]!.detail}`)
  const { tenant, capabilities } = agent
  return {
    aip: {
      cert_fingerprint: certificateFingerprint(certificate),
      ...(tenant !== undefined && { tenant_id: tenant }),
      ...(capabilities !== undefined && { capabilities }),
    },
    chain: [certificate, ...chain].map((one) => encodeBase64(derOfCertificate(one))),
    expires: agent.certificate.notAfter.getTime() - RENEWED_BEFORE_MS,
  }
}

export type CheckedOptions = RecorderOptions & { readonly signer?: Key }

/** Checks options, and reads the key once: reading it for every checkpoint would take longer than signing. */
export async function checkedOptions({ signer, ...options }: RecorderOptions): Promise<CheckedOptions> {
  for (const name of ['checkpointEvery', 'bufferBytes', 'patience'] as const)
    if (!((options[name] ?? 1) > 0)) throw new RangeError(`${name}: expected a number above 0, got ${options[name]}`)
  if (options.commit !== undefined && options.sink.openings === undefined)
    throw new RangeError('commit: the sink does not keep the values that are committed to')
  originOf('', options.domain)
  return signer === undefined ? options : { ...options, signer: await importKey(signer) }
}
