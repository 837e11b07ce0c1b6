// Agents whose ids are their keys, in the form of libp2p peer ids, so that anyone can verify their cards.
import { sign } from '../../../bindings/card/index.ts'
import { exportKey, generateKey, type PrivateKey } from '../../../bindings/keys/index.ts'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const PEER_ID = [0x01, 0x72, 0x00, 0x24, 0x08, 0x01, 0x12, 0x20]

export interface Agent {
  readonly id: string
  readonly key: PrivateKey
}

export async function createAgent(): Promise<Agent> {
  const key = await generateKey('Ed25519')
  const bytes = [...PEER_ID, ...(await exportKey(key.publicKey, 'raw'))]
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return { id: `agent://b${bits.replace(/.{5}/g, (digit) => BASE32[Number.parseInt(digit, 2)]!)}`, key }
}

const TAGS = ['nlp/translation', 'nlp/summarization', 'vision/ocr', 'coding/debugging', 'retrieval/web-search']
const WORDS = ['translate', 'contracts', 'images', 'reviews', 'weather', 'invoices', 'music', 'legal', 'code', 'maps']

/** A signed card of an agent; its content depends on its seq. */
export async function cardOf({ id, key }: Agent, seq: number, more: object = {}): Promise<string> {
  const [a, b] = [WORDS[seq % WORDS.length], WORDS[(seq * 7 + 3) % WORDS.length]]
  const card = {
    id,
    name: `Agent ${id.slice(-6)}`,
    description: `Helps with ${a} and ${b}, as revision ${seq}.`,
    skills: [TAGS[seq % TAGS.length]],
    metadata: { ttl: 86_400 },
    seq,
    ...more,
  }
  const { bytes, diagnostics } = await sign(JSON.stringify(card), key)
  if (bytes === undefined) throw new Error(diagnostics[0]!.detail)
  return new TextDecoder().decode(bytes)
}
