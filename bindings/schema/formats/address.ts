import { DIGIT, HEX, skip } from './characters.ts'

/**
 * Whether a text is an IPv4 address as RFC 3986 has it: four decimal numbers without leading zeros.
 *
 * @example
 * isIpv4('192.0.2.010') // false
 */
export function isIpv4(text: string): boolean {
  return isIpv4Within(text, 0, text.length)
}

/**
 * Whether a text is an IPv6 address (RFC 4291 section 2.2), without brackets and zone.
 *
 * @example
 * isIpv6('::ffff:192.0.2.1') // true
 */
export function isIpv6(text: string): boolean {
  return isIpv6Within(text, 0, text.length)
}

function isIpv4Within(text: string, start: number, end: number): boolean {
  let at = start
  for (let part = 0; part < 4; part++) {
    if (part > 0 && text.charCodeAt(at++) !== 46) return false
    const stop = skip(text, at, DIGIT)
    if (stop === at || stop - at > 3 || (stop - at > 1 && text.charCodeAt(at) === 48)) return false
    let value = 0
    while (at < stop) value = value * 10 + text.charCodeAt(at++) - 48
    if (value > 255) return false
  }
  return at === end
}

/** `isIpv6` of the part of a text from `start` to `end`. */
export function isIpv6Within(text: string, start: number, end: number): boolean {
  let at = start
  let groups = 0
  let shortened = false
  if (text.startsWith('::', at)) {
    shortened = true
    at += 2
  }
  while (at < end) {
    const stop = skip(text, at, HEX)
    if (text.charCodeAt(stop) === 46 && stop < end) {
      if (!isIpv4Within(text, at, end)) return false
      groups += 2
      break
    }
    if (stop === at || stop - at > 4 || stop > end || ++groups > 8) return false
    at = stop
    if (at === end) break
    if (text.charCodeAt(at++) !== 58 || at === end) return false
    if (text.charCodeAt(at) !== 58) continue
    if (shortened) return false
    shortened = true
    at++
  }
  // `::` stands for one group of zeros at least (RFC 4291 section 2.2).
  return shortened ? groups <= 7 : groups === 8
}
