// The core where it travels as text, in module.inline.js and in the page: packed (LZSS), then base64. Base64 alone hides
// from everyone who compresses it what repeats: 45,256 letters so, 26,424 packed, and 3 KB less of a gzip of either.
// Unpacking takes a millisecond or two, at first use: the terminal tool has the file beside it, and is spared that.
/** The shortest and the longest repetition: three bits tell its length. */
const SHORTEST = 3
const LONGEST = SHORTEST + 7
/** The farthest that a repetition may lie back: thirteen bits tell it. */
const FARTHEST = 1 << 13

/** The cost in bits of a byte as it is and of a repetition, each with the bit that tells them apart. */
const LITERAL = 9
const REPETITION = 17

/**
 * Groups of up to eight steps: a byte of flags, lowest first, then the steps. A step whose flag is 0 is a byte; one whose
 * flag is 1 is two bytes, the distance less one in the upper thirteen bits and the length less three in the lower three.
 */
export function packed(bytes) {
  const out = []
  let flags = 0
  cheapestSteps(bytes).forEach(({ at, length, distance }, i) => {
    if (i % 8 === 0) flags = out.push(0) - 1
    if (length > 1) {
      out[flags] |= 1 << (i % 8)
      const pair = ((distance - 1) << 3) | (length - SHORTEST)
      out.push(pair >> 8, pair & 255)
    } else out.push(bytes[at])
  })
  return Uint8Array.from(out)
}

/** Its source goes into module.inline.js, so it refers to nothing outside. */
export function unpacked(from, length) {
  const bytes = new Uint8Array(length)
  for (let next = 0, at = 0, flags = 1; at < length; flags >>= 1) {
    if (flags === 1) flags = from[next++] | 256
    if (flags & 1) {
      const distance = 1 + ((from[next] << 5) | (from[next + 1] >> 3))
      for (const end = at + 3 + (from[next + 1] & 7); at < end; at++) bytes[at] = bytes[at - distance]
      next += 2
    } else bytes[at++] = from[next++]
  }
  return bytes
}

/** The text of a script whose default export is the module. */
export function inlineModule(bytes) {
  return [
    `const text = '${Buffer.from(packed(bytes)).toString('base64')}'`,
    'let module',
    `export default () => (module ??= new WebAssembly.Module(unpacked(read(), ${bytes.length})))`,
    // Buffer is not everywhere. Where it is, it takes a tenth of a millisecond, and the loop two.
    'const read = () =>',
    "  globalThis.Buffer?.from(text, 'base64') ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))",
    `${unpacked}\n`,
  ].join('\n')
}

/** The steps of the cheapest way through the bytes, which is known from every byte on to the end before the one before it. */
function cheapestSteps(bytes) {
  const cost = new Float64Array(bytes.length + 1)
  const best = new Array(bytes.length)
  for (let at = bytes.length - 1; at >= 0; at--) {
    best[at] = { at, length: 1 }
    cost[at] = LITERAL + cost[at + 1]
    const repetition = longestRepetition(bytes, at)
    for (let length = SHORTEST; length <= repetition.length; length++) {
      if (REPETITION + cost[at + length] >= cost[at]) continue
      best[at] = { at, length, distance: repetition.distance }
      cost[at] = REPETITION + cost[at + length]
    }
  }
  const steps = []
  for (let at = 0; at < bytes.length; at += best[at].length) steps.push(best[at])
  return steps
}

function longestRepetition(bytes, at) {
  const best = { length: 0, distance: 0 }
  const most = Math.min(LONGEST, bytes.length - at)
  for (let distance = 1; distance <= Math.min(at, FARTHEST) && best.length < most; distance++) {
    let length = 0
    while (length < most && bytes[at + length] === bytes[at + length - distance]) length++
    if (length > best.length) Object.assign(best, { length, distance })
  }
  return best
}
