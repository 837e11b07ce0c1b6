// Packs the core for its text form, in module.inline.js and in the page: LZSS, then base64. Base64 alone hides
// repetitions from later compression: it takes 45,256 characters, instead of 26,424 with packing, which also makes
// either 3 KB smaller after gzip. Unpacking takes a millisecond or two at first use. The command line tool reads the
// file instead and avoids that.
/** The shortest and the longest repetition: its length has three bits. */
const SHORTEST = 3
const LONGEST = SHORTEST + 7
/** The greatest distance of a repetition: it has thirteen bits. */
const FARTHEST = 1 << 13

/** The cost in bits of a literal byte and of a repetition, each including its flag. */
const LITERAL = 9
const REPETITION = 17

/**
 * Writes groups of up to eight steps: a byte of flags, lowest bit first, then the steps. A step with flag 0 is a
 * literal byte. A step with flag 1 is two bytes: the distance minus one in the upper thirteen bits, and the length
 * minus three in the lower three.
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

/** Its source is copied into module.inline.js, so it refers to nothing outside. */
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
    // Not every host has Buffer. It takes a tenth of a millisecond, and the loop takes two.
    'const read = () =>',
    "  globalThis.Buffer?.from(text, 'base64') ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))",
    `${unpacked}\n`,
  ].join('\n')
}

/** The cheapest sequence of steps, computed backwards: the cost from a byte to the end determines the one before. */
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
