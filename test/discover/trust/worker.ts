// A Worker that discovers, with a given resolver and anchor.
import { dohResolver } from '../../../bindings/discover/dns/lookup.ts'
import { discover } from '../../../bindings/discover/trust/discover.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    const { domain, doh, anchor } = (await request.json()) as {
      domain: string
      doh: string
      anchor: { keyTag: number; algorithm: number; digestType: number; digest: number[] }
    }
    const anchors = { '.': [{ ...anchor, digest: Uint8Array.from(anchor.digest) }] }
    const { agent, proof } = await discover(domain, { resolver: dohResolver(doh), anchors })
    const codes = proof.steps.flatMap(({ diagnostic }) => diagnostic?.code ?? [])
    return Response.json({ host: agent?.host, levels: proof.levels, codes })
  },
}
