// The example of the page: a discovery in a signed test zone of bind9, recorded with the keys of its root.
import { generateKeyPairSync } from 'node:crypto'
import { anchorsToText } from '../../../bindings/discover/dns/dnssec/rdata.ts'
import type { Trace } from '../../../bindings/discover/trust/trace.ts'
import { fingerprintOf } from '../../../bindings/wellknown/identity.ts'
import { sign } from '../../../bindings/wellknown/verbs.ts'
import { metadata, PUBLIC, send, signed, startWorld } from './lab.ts'

const DOMAIN = 'alice.example.test'

export interface ExampleTrace {
  readonly trace: Trace
  /** DS records of its root. */
  readonly anchors: string
}

export async function recordExample(): Promise<ExampleTrace> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const fingerprint = fingerprintOf(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const place = (port: number) => `https://${DOMAIN}:${port}/.well-known/agent.json`
  const document = async (port: number) => {
    const key = { fingerprint, ofSpki: '', pem }
    const source = metadata({ domain: DOMAIN, key, wellKnown: place(port) })
    const { document, diagnostics } = await sign(
      JSON.stringify(source),
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    )
    if (document === undefined) throw new Error(diagnostics.map(({ detail }) => detail).join('\n'))
    return document.value as object
  }
  const world = await startWorld({
    names: [DOMAIN],
    zones: ({ port, spki }) => [
      signed('.', ''),
      signed('test', ''),
      signed(
        'example.test',
        [
          `alice A ${PUBLIC}`,
          `alice SVCB 1 . alpn="a2a,h2" port=${port} key65402="a2a"`,
          `_agent.alice TXT "v=ADP1.1; pk=${fingerprint}; wk=${place(port)}"`,
          `_${port}._tcp.alice TLSA 3 1 1 ${spki}`,
        ].join('\n'),
      ),
    ],
    answer: async (_, response, { port }) => send(response, await document(port)),
  })
  try {
    const { trace, proof } = await world.discover(DOMAIN)
    if (proof.verdict !== 'verified') throw new Error(JSON.stringify(proof.steps.at(-1)))
    return { trace, anchors: anchorsToText(world.dns.anchors) }
  } finally {
    await world.close()
  }
}
