// JSON bytes to canonical bytes, against the fastest peer (npm canonicalize, which is given decoding, parsing and
// encoding to do, for it takes and gives JavaScript values and strings) and against decoding and parsing alone.
import { canonicalize, canonicalizeWithout, isCanonical } from 'blazon/core'
import { documentOf } from './documents.mjs'

export const title = 'JSON: bytes to canonical bytes'

export const notes = [
  'Documents of a size are made when its turn comes: the first rows are of a process that holds little else. With a heap' +
    ' that other work has grown, the peer collects its many small objects less often, and 1 KB is 10x.',
]

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Several documents a size: repeating one would teach the branch predictor its text. Floors and aims by size. */
const SIZES = [
  { name: '1 KB', bytes: 1_000, count: 32, canonical: [10, 14], parse: [2, 3] },
  { name: '10 KB', bytes: 10_000, count: 16, canonical: [10, 16], parse: [3, 4] },
  { name: '100 KB', bytes: 100_000, count: 6, canonical: [13, 20], parse: [3.7, 5] },
  { name: '1 MB', bytes: 1_000_000, count: 2, canonical: [12, 18], parse: [3, 4] },
]

export async function* cases({ peer }) {
  const { default: peerCanonicalize } = await peer('canonicalize')
  const parse = (bytes) => JSON.parse(decoder.decode(bytes))
  const throughPeer = (bytes) => encoder.encode(peerCanonicalize(parse(bytes)))
  for (const size of SIZES) {
    const values = Array.from({ length: size.count }, (_, i) => documentOf(size.bytes, 100 + i))
    const minified = values.map((value) => encoder.encode(JSON.stringify(value)))
    const indented = values.map((value) => encoder.encode(JSON.stringify(value, null, 2)))
    const canonical = minified.map(throughPeer)
    const each = (inputs, work) => () => {
      let sum = 0
      for (const input of inputs) sum += work(input).length
      return sum
    }
    const items = size.count
    const check = (inputs) => () =>
      sameEach(
        inputs.map((input) => canonicalize(input)),
        canonical,
      )
    yield {
      name: `${size.name}, against canonicalize`,
      floor: size.canonical[0],
      aim: size.canonical[1],
      items,
      ours: each(minified, canonicalize),
      peers: { canonicalize: each(minified, throughPeer) },
      check: check(minified),
    }
    yield {
      name: `${size.name}, against decode and JSON.parse alone`,
      floor: size.parse[0],
      aim: size.parse[1],
      items,
      ours: each(minified, canonicalize),
      peers: { 'JSON.parse': each(minified, (bytes) => [parse(bytes)]) },
      check: check(minified),
    }
    if (size.bytes !== 100_000) continue
    yield {
      name: `${size.name}, indented`,
      items,
      ours: each(indented, canonicalize),
      peers: { canonicalize: each(indented, throughPeer) },
      check: check(indented),
    }
    yield {
      name: `${size.name}, canonical already`,
      floor: 18,
      aim: 25,
      items,
      ours: each(canonical, canonicalize),
      peers: { canonicalize: each(canonical, throughPeer) },
      check: check(canonical),
    }
    yield {
      name: `${size.name}, is it canonical?`,
      items,
      ours: each(canonical, (bytes) => [isCanonical(bytes)]),
      peers: { canonicalize: each(canonical, throughPeer) },
      check: () => {
        same(
          canonical.map((bytes) => isCanonical(bytes)),
          canonical.map(() => true),
        )
        same(
          minified.map((bytes) => isCanonical(bytes)),
          minified.map(() => false),
        )
      },
    }
    yield signed(values, { parse, peerCanonicalize, each })
  }
}

/** What verifying a signature needs: the payload without the signature, and the signature. */
function signed(values, { parse, peerCanonicalize, each }) {
  const documents = values.map((value) =>
    encoder.encode(JSON.stringify({ ...value, signature: { value: 'c2lnbmF0dXJl' } })),
  )
  const ours = (bytes) => {
    const { payload, removed } = canonicalizeWithout(bytes, ['/signature'])
    return { length: payload.length + removed[0].length, payload, removed: removed[0] }
  }
  const theirs = (bytes) => {
    const value = parse(bytes)
    const signature = encoder.encode(JSON.stringify(value.signature))
    delete value.signature
    const payload = encoder.encode(peerCanonicalize(value))
    return { length: payload.length + signature.length, payload, removed: signature }
  }
  return {
    name: '100 KB, payload without its signature, and the signature',
    floor: 12,
    aim: 18,
    items: documents.length,
    ours: each(documents, ours),
    peers: { 'parse, delete, canonicalize, encode': each(documents, theirs) },
    check: () => {
      for (const bytes of documents) {
        same(ours(bytes).payload, theirs(bytes).payload)
        same(ours(bytes).removed, theirs(bytes).removed)
      }
    },
  }
}

function same(came, wanted) {
  if (came.length !== wanted.length || came.some((item, i) => item !== wanted[i])) throw new Error('answers differ')
}

/** Compares bytes with bytes, document by document. */
function sameEach(came, wanted) {
  if (came.length !== wanted.length) throw new Error('answers differ')
  for (const [i, bytes] of came.entries()) same(bytes, wanted[i])
}
