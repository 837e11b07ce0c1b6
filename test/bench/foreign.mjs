// Documents that nobody here made, from installed packages, and shapes that cost most: bytes and values in memory to
// canonical bytes, against npm canonicalize.
import { readFileSync } from 'node:fs'
import { canonicalize, canonicalizeValue } from 'blazon/core'
import { random } from './documents.mjs'

export const title = 'Documents of others to canonical bytes'

export const notes = [
  'Doubles of 17 digits: 80 ns to read one by the algorithm of Eisel and Lemire and to write it by Schubfach; the floor asks for 40.',
  'Escapes of four digits: 13 ns each, to check it and later to write its character. Four at once in SIMD took 7 ns, which is' +
    ' 5.6 times as fast as the peer; the module would have grown beyond its 17 KB. The other texts: five escapes in 26 ns.',
]

const FILES = {
  'messages in Russian': 'node_modules/typescript/lib/ru/diagnosticMessages.generated.json',
  'messages in Japanese': 'node_modules/typescript/lib/ja/diagnosticMessages.generated.json',
  'a locale in Greek': 'test/node_modules/axe-core/locales/el.json',
  'a JSON Schema': 'test/node_modules/@biomejs/biome/configuration_schema.json',
  'a lock file': 'package-lock.json',
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** One kind of value each, so that nothing hides what it costs. */
function shapes() {
  const next = random(45)
  const below = (n) => Math.floor(next() * n)
  const list = (length, make) => JSON.stringify(Array.from({ length }, make))
  const escaped = () => `\\u${(0x400 + below(0x5000)).toString(16).padStart(4, '0')}`
  return {
    'doubles of 17 digits': list(5000, () => (next() - 0.5) * 10 ** (below(40) - 20)),
    'coordinates of 17 digits': `[${Array.from({ length: 5000 }, () => `[${(next() * 180).toFixed(15)},${(next() * 90).toFixed(15)}]`)}]`,
    integers: list(8000, () => below(10 ** below(10))),
    'texts with escapes': list(1000, () => `"a\n\t\\${'bcdefgh'.slice(below(7))}/"`),
    'texts of escapes of four digits': `[${Array.from({ length: 1000 }, () => `"${Array.from({ length: 12 }, escaped).join('')}"`)}]`,
  }
}

export async function* cases({ peer }) {
  const { default: peerCanonicalize } = await peer('canonicalize')
  const files = Object.entries(FILES).map(([name, file]) => [name, readFileSync(file)])
  const made = Object.entries(shapes()).map(([name, text]) => [name, encoder.encode(text)])
  for (const [name, bytes] of [...files, ...made]) {
    const parse = () => JSON.parse(decoder.decode(bytes))
    const throughPeer = () => encoder.encode(peerCanonicalize(parse()))
    yield {
      name,
      floor: 8,
      aim: 16,
      ours: () => canonicalize(bytes),
      peers: { canonicalize: throughPeer },
      check: () => same(canonicalize(bytes), throughPeer()),
    }
    const value = parse()
    yield {
      name: `${name}, in memory`,
      floor: 1.8,
      aim: 3,
      ours: () => canonicalizeValue(value),
      peers: { canonicalize: () => encoder.encode(peerCanonicalize(value)) },
      check: () => same(canonicalizeValue(value), throughPeer()),
    }
  }
}

function same(came, wanted) {
  if (came.length !== wanted.length || came.some((byte, i) => byte !== wanted[i])) throw new Error('answers differ')
}
