// The grammar of RFC 5646 section 2.1. The lengths of the parts differ, so each tag can be read in only one way.
const LANGUAGE = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})'
const SCRIPT = '(?:-[a-z]{4})?'
const REGION = '(?:-(?:[a-z]{2}|\\d{3}))?'
const VARIANTS = '(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*'
const EXTENSIONS = '(?:-[a-wy-z\\d](?:-[a-z\\d]{2,8})+)*'
const PRIVATE = 'x(?:-[a-z\\d]{1,8})+'

const TAG = new RegExp(`^(?:${LANGUAGE}${SCRIPT}${REGION}${VARIANTS}${EXTENSIONS}(?:-${PRIVATE})?|${PRIVATE})$`, 'i')
/** Tags that were registered before the grammar existed. */
const IRREGULAR =
  /^(?:en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-FR|BE-NL|CH-DE))$/i

/** Parts that must not be repeated: variants, and the letters or digits of extensions. */
const ONCE = /^(?:[a-z\d]|[a-z\d]{5,8}|\d[a-z\d]{3})$/

/** True for a well-formed language tag. Whether its parts are registered is not checked. */
export const isLanguageTag = (text: string): boolean =>
  text.length <= 255 && (IRREGULAR.test(text) || (TAG.test(text) && hasNothingTwice(text.toLowerCase())))

/**
 * Variants and extensions must not be repeated (sections 2.2.5 and 2.2.6). Parts inside an extension or a private part
 * may be.
 */
function hasNothingTwice(tag: string): boolean {
  const parts = tag.split('-').slice(1)
  const once: string[] = []
  for (const part of parts) {
    if (part === 'x') break
    const isInExtension = once.some((one) => one.length === 1)
    if (ONCE.test(part) && (part.length === 1 || !isInExtension)) once.push(part)
  }
  return new Set(once).size === once.length
}
