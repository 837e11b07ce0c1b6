// Numbers of 17 digits to text and back. `npm run build` comes first. The host's String and Number are peers
// and, being written independently, the check as well.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { canonicalize, formatNumber, readNumber } from 'blazon/core'

// More than V8 remembers the strings of, so that String(x) has to make them.
const COUNT = 50_000

export const title = `Numbers: ${COUNT} of 17 digits`

export async function cases() {
  const numbers = seventeenDigits()
  const texts = numbers.map(String)
  const document = new TextEncoder().encode(`[${texts.map((text) => text.replace('e', 'E'))}]`)
  const { formatNumber: formatInside } = await core()
  return [
    {
      name: 'format, the text stays in the module',
      ours: () => total(numbers, formatInside),
      peers: { 'String(x)': () => total(numbers, (x) => String(x).length) },
      check: () => same(numbers.map(formatInside), lengths(texts)),
    },
    {
      name: 'format to a string',
      ours: () => total(numbers, (x) => formatNumber(x).length),
      peers: { 'String(x)': () => total(numbers, (x) => String(x).length) },
      check: () => same(numbers.map(formatNumber), texts),
    },
    {
      name: 'read a string',
      ours: () => total(texts, readNumber),
      peers: { 'Number(text)': () => total(texts, Number) },
      check: () => same(texts.map(readNumber), numbers),
    },
    {
      name: 'read and format inside canonicalize',
      ours: () => canonicalize(document),
      peers: { 'decode, JSON.parse, JSON.stringify, encode': () => throughHost(document) },
      check: () => same([...canonicalize(document)], [...throughHost(document)]),
    },
  ]
}

/** Doubles from random bits: most need 16 or 17 digits and an exponent, the longest that there are. */
function seventeenDigits() {
  const words = new Uint32Array(2)
  const x = new Float64Array(words.buffer)
  const found = []
  let state = 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state
  }
  while (found.length < COUNT) {
    words[0] = next()
    words[1] = next()
    if (/^-?\d\.\d{16}e/.test(String(x[0]))) found.push(x[0])
  }
  return found
}

async function core() {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve('blazon/core.wasm')))
  return (await WebAssembly.instantiate(bytes)).instance.exports
}

function throughHost(document) {
  return new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(document))))
}

function total(list, measure) {
  let sum = 0
  for (const item of list) sum += measure(item)
  return sum
}

const lengths = (texts) => texts.map((text) => text.length)

function same(ours, theirs) {
  const at = ours.findIndex((value, i) => !Object.is(value, theirs[i]))
  if (at >= 0 || ours.length !== theirs.length) throw new Error(`${ours[at]} is not ${theirs[at]} (at ${at})`)
}
