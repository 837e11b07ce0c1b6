// RFC 5646 section 2.1. The parts are told apart by their lengths, so there is one way to read each tag.
const LANGUAGE = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})'
const SCRIPT = '(?:-[a-z]{4})?'
const REGION = '(?:-(?:[a-z]{2}|\\d{3}))?'
const VARIANTS = '(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*'
const EXTENSIONS = '(?:-[a-wy-z\\d](?:-[a-z\\d]{2,8})+)*'
const PRIVATE = 'x(?:-[a-z\\d]{1,8})+'

const TAG = new RegExp(`^(?:${LANGUAGE}${SCRIPT}${REGION}${VARIANTS}${EXTENSIONS}(?:-${PRIVATE})?|${PRIVATE})$`, 'i')
/** Registered before the grammar was. */
const IRREGULAR =
  /^(?:en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-FR|BE-NL|CH-DE))$/i

/** A part that may stand once: a variant, or the letter or digit of an extension. */
const ONCE = /^(?:[a-z\d]|[a-z\d]{5,8}|\d[a-z\d]{3})$/

/** True of a well-formed language tag; if its parts are registered is not looked up. */
export const isLanguageTag = (text: string): boolean =>
  text.length <= 255 && (IRREGULAR.test(text) || (TAG.test(text) && hasNothingTwice(text.toLowerCase())))

/** Variants and extensions are not repeated (sections 2.2.5 and 2.2.6); what is in an extension, or private, may be. */
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
