// Values in memory to canonical bytes, against the fastest peer (npm canonicalize, whose text has to be encoded) and
// against what no peer can do without: JSON.stringify, which sorts and checks nothing, and the encoder.
import { canonicalizeValue } from 'blazon/core'
import { documentOf, random } from './documents.mjs'

export const title = 'Values in memory to canonical bytes'

const encoder = new TextEncoder()

/** Several documents a size: repeating one would teach the branch predictor its text. */
const SIZES = [
  { name: '1 KB', bytes: 1_000, count: 32, floor: 1.6 },
  { name: '10 KB', bytes: 10_000, count: 16, floor: 1.6 },
  { name: '100 KB', bytes: 100_000, count: 6, floor: 1.8 },
  { name: '1 MB', bytes: 1_000_000, count: 2, floor: 1.8 },
]

export async function cases({ peer }) {
  const { default: canonicalize } = await peer('canonicalize')
  const throughPeer = (value) => encoder.encode(canonicalize(value))
  const job = (name, values, floor) => {
    const each = (work) => () => {
      let sum = 0
      for (const value of values) sum += work(value).length
      return sum
    }
    return {
      name,
      // No further than a tenth behind JSON.stringify, which neither sorts nor checks, is the aim.
      ...(floor !== undefined && {
        floor: { canonicalize: floor },
        aim: { 'JSON.stringify, encode': 0.91 },
      }),
      items: values.length,
      ours: each(canonicalizeValue),
      peers: {
        canonicalize: each(throughPeer),
        'JSON.stringify, encode': each((v) => encoder.encode(JSON.stringify(v))),
      },
      check: () => {
        for (const value of values) same(canonicalizeValue(value), throughPeer(value))
      },
    }
  }
  const made = SIZES.map(({ name, bytes, count, floor }) => {
    const values = Array.from({ length: count }, (_, i) => documentOf(bytes, 100 + i))
    return job(name, values, floor)
  })
  // JSON.parse gives objects of another make than programs do.
  const parsed = SIZES.map(({ name, bytes, count, floor }) => {
    const values = Array.from({ length: count }, (_, i) => JSON.parse(JSON.stringify(documentOf(bytes, 200 + i))))
    return job(`${name}, parsed`, values, floor)
  })
  return [...made, ...parsed, ...Object.entries(special()).map(([name, values]) => job(name, values))]
}

/** What the documents above have little of, good for us or not: a text to escape costs more here than there. */
function special() {
  const next = random(17)
  const below = (n) => Math.floor(next() * n)
  const name = () => Array.from({ length: 4 + below(10) }, () => String.fromCharCode(97 + below(26))).join('')
  const list = (length, make) => Array.from({ length }, (_, i) => make(i))
  const several = (make) => list(4, make).map((value) => JSON.parse(JSON.stringify(value)))
  return {
    'objects that all have other names': several(() =>
      list(400, () => Object.fromEntries(list(3 + below(8), () => [name(), below(1000)]))),
    ),
    'records of one shape': several(() =>
      list(500, (i) => ({
        id: i,
        name: name(),
        active: next() < 0.5,
        score: below(10_000) / 100,
        tags: [name(), name()],
      })),
    ),
    'one object of 2,000 members': several(() => Object.fromEntries(list(2000, () => [name(), name()]))),
    doubles: several(() => list(3000, () => next())),
    'small integers': several(() => list(15_000, () => below(1000))),
    'long texts': several(() => list(20, () => list(300, name).join(' '))),
    'texts to escape': several(() => list(500, () => `"${name()}"\n\t${list(8, name).join('\\')}`)),
    'Chinese texts': several(() =>
      list(300, () => String.fromCharCode(...list(20 + below(80), () => 0x4e00 + below(5000)))),
    ),
    'arrays in arrays': several(() => list(200, () => [[[below(9)], [[]]], [[[[name()]]]], {}])),
  }
}

function same(came, wanted) {
  if (came.length !== wanted.length || came.some((byte, i) => byte !== wanted[i])) throw new Error('answers differ')
}
