/** The type of a value, for error messages. */
export function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
}

/** Throws unless `texts` is an array of strings. */
export function checkTexts(name: string, texts: unknown): void {
  if (!Array.isArray(texts)) throw new TypeError(`${name}: expected an array of strings, got ${nameOf(texts)}`)
  // By index, because `every` and similar methods skip holes.
  for (let i = 0; i < texts.length; i++) {
    if (typeof texts[i] !== 'string') throw new TypeError(`${name}[${i}]: expected a string, got ${nameOf(texts[i])}`)
  }
}
