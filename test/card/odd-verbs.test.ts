// Whatever a card contains, its verbs return a result, and the cards that they make can be parsed again.
import { expect, test } from 'vitest'
import { fromCbor, toCbor } from '../../bindings/card/cbor.ts'
import { disclose, partial } from '../../bindings/card/disclosure.ts'
import { Card } from '../../bindings/card/subject.ts'
import { compare, freshness, revoke, update, versionOf } from '../../bindings/card/supersede.ts'
import { sign, verify } from '../../bindings/card/verbs.ts'
import { canonicalize } from '../../bindings/core/json.ts'
import { parse } from '../../bindings/document/parse.ts'
import { withOddValues } from '../adl/sound.ts'
import { FORMS, KEY, KEY_ID, signedCard } from './support.ts'

const now = new Date('2026-04-01T08:00:00Z')
const policy = [{ to: 'anyone', show: { fields: ['tools', 'endpoints', 'seq'], hideTools: ['translate'] } }] as const
const pinned = { expect: { keys: [KEY] } }

/** A small card with every member. The test replaces each one by every odd value. */
const SMALL = {
  id: KEY_ID,
  name: 'A',
  did: FORMS['did:key'],
  tools: [{ name: 'translate' }],
  endpoints: [{ protocol: 'aitp', uri: KEY_ID, methods: ['translate'] }],
  metadata: { created_at: '2026-01-15T00:00:00Z', updated_at: '2026-03-24T12:00:00Z', ttl: 3600 },
  seq: 3,
}

/** Returns the first fault in the results for a card. Undefined if there are no faults. */
async function flaw(source: string, held: Card): Promise<string | undefined> {
  const { document } = parse(source)
  const signed = await sign(source, KEY)
  if ((signed.document === undefined) !== signed.diagnostics.some(({ severity }) => severity === 'error'))
    return 'signed'
  if (signed.bytes && (await verify(signed.bytes, pinned)).verdict !== 'verified') return 'not verified'
  const own = await verify(source, { selfAsserted: true })
  if (own.verdict === 'verified' && signed.document === undefined) return 'verified what is not signed'
  for (const made of [update(source, {}, { now }), revoke(source, { now }), partial(source, { fields: ['seq'] })]) {
    if (made.document === undefined ? made.diagnostics.length === 0 : parse(made.bytes!).document === undefined)
      return 'made'
  }
  const shown = disclose(source, policy)
  if (shown.bytes && showsHidden(shown.bytes)) return 'hidden tool'
  const { bytes } = toCbor(source)
  if (bytes !== undefined) {
    const back = fromCbor(bytes).bytes
    if (back === undefined || String(canonicalize(back)) !== String(canonicalize(source))) return 'cbor'
  }
  if (document === undefined || typeof document.value !== 'object' || Array.isArray(document.value) || !document.value)
    return
  const card = new Card(document)
  freshness(card, { retrievedAt: now, now })
  if (card.id?.value === held.id!.value) compare(versionOf(held, { signed: true }), versionOf(card, { signed: true }))
  return undefined
}

/** True if a hidden tool is still visible: as a tool, or as a method of an endpoint. */
function showsHidden(bytes: Uint8Array): boolean {
  const { tools, endpoints } = JSON.parse(new TextDecoder().decode(bytes))
  const list = (value: unknown) => (Array.isArray(value) ? value : [])
  const named = list(tools).some((tool) => tool?.name === 'translate')
  return named || list(endpoints).some((endpoint) => list(endpoint?.methods).includes('translate'))
}

test('every verb handles odd values at every place', async () => {
  const held = new Card(parse(await signedCard({ id: KEY_ID, did: undefined })).document!)
  const flaws: string[] = []
  for (const source of withOddValues(SMALL, new Set())) {
    const found = await flaw(source, held)
    if (found !== undefined) flaws.push(`${found}: ${source.slice(0, 300)}`)
  }
  expect(flaws).toEqual([])
})
