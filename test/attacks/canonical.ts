// Compares canonical bytes and numbers with other implementations: the engine's own numbers, a simple reader, a
// package.
import { canonicalize, formatNumber, readNumber } from '../../bindings/core/index.ts'
import { doubles } from '../number/doubles.ts'
import { oracle } from '../oracle/json.ts'
import { documents } from '../support/documents.ts'

const MOST_TOLD = 10

/**
 * Doubles that are written differently from ECMAScript (RFC 8785 section 3.2.2.3), or that are read back as another
 * number.
 */
export function attackDoubles(count: number, seed: number): string[] {
  const wrong: string[] = []
  const kinds = Object.values(doubles(seed))
  for (let i = 0; i < count && wrong.length < MOST_TOLD; i++) {
    const x = kinds[i % kinds.length]!()
    const text = formatNumber(x)
    if (text !== String(x) || !Object.is(readNumber(text), x === 0 ? 0 : x)) wrong.push(`${x}: ${text}`)
  }
  return wrong
}

/** Documents, in normal and odd spellings, whose canonical bytes differ from those of other implementations. */
export function attackDocuments(count: number, seed: number, peer: (value: unknown) => string | undefined): string[] {
  const wrong: string[] = []
  const make = documents(seed)
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]
  for (let i = 0; i < count && wrong.length < MOST_TOLD; i++) {
    const value = make.value(5)
    const text = i % 2 === 0 ? JSON.stringify(value) : make.spell(value)
    const bytes = encoder.encode(text)
    const ours = decoder.decode(canonicalize(bytes))
    const plain = oracle(bytes)
    if (!('canonical' in plain) || ours !== plain.canonical || ours !== peer(JSON.parse(text))) wrong.push(text)
  }
  return wrong
}
