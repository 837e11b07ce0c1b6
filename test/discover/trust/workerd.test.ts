// Discovery in workerd: it checks what it can, and reports what it cannot. Its questions go to a real dnsdist. Node
// brings its one fetch to the server, because workerd does not trust our certificate.
import { Miniflare, Response as MiniflareResponse } from 'miniflare'
import { expect, test } from 'vitest'
import { bundleWorker } from '../../../scripts/worker.mjs'
import { bind, startDoh } from '../../support/dns-lab.ts'
import { KEY, metadata, PUBLIC, send, signed, startWorld } from './lab.ts'

const ALICE = 'alice.example.test'

test.runIf(bind.available)('discover in workerd', async () => {
  const world = await startWorld({
    names: [ALICE],
    zones: ({ port, spki }) => [
      signed('.', ''),
      signed('test', ''),
      signed(
        'example.test',
        [
          `alice A ${PUBLIC}\nalice SVCB 1 . port=${port}`,
          `_agent.alice TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=https://${ALICE}/"`,
          `_${port}._tcp.alice TLSA 3 1 1 ${spki}`,
        ].join('\n'),
      ),
    ],
    answer: (_, response, { port }) =>
      send(response, metadata({ domain: ALICE, wellKnown: `https://${ALICE}:${port}/.well-known/agent.json` })),
  })
  const doh = await startDoh(world.dns.port)
  const worker = new Miniflare({
    ...(await bundleWorker('test/discover/trust/worker.ts')),
    compatibilityDate: '2026-01-01',
    async outboundService(request) {
      const isDns = request.url.startsWith(doh.url)
      const answer = isDns
        ? await fetch(request.url, { headers: { accept: 'application/dns-message' } })
        : await world.options.fetch!(request.url, { addresses: [PUBLIC] })
      return new MiniflareResponse(await answer.arrayBuffer(), {
        status: answer.status,
        headers: { 'content-type': answer.headers.get('content-type') ?? '' },
      })
    },
  })
  try {
    const [root] = world.dns.anchors['.']!
    const anchor = { ...root!, digest: [...root!.digest] }
    const body = JSON.stringify({ domain: ALICE, doh: doh.url, anchor })
    const answer = await worker.dispatchFetch('http://worker/', { method: 'POST', body })
    expect(await answer.json()).toEqual({
      host: ALICE,
      levels: [
        { level: 'dns-verified', quality: 'checked' },
        { level: 'key-verified', quality: 'checked' },
      ],
      codes: ['WK-167', 'DNS-143'],
    })
  } finally {
    await worker.dispose()
    await doh.close()
    await world.close()
  }
})
