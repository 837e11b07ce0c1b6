/**
 * Codes that documents may hold, from the lists named in codes.ts.
 * @module
 */
import { COUNTRIES, CURRENCIES, LANGUAGES, RESERVED } from './codes.ts'

export { isSpdxExpression, isSpdxId, nearestSpdx } from './spdx.ts'

/** A test for the codes of a table, which is read at the first call. */
function membership(...lists: readonly string[]): (text: string) => boolean {
  let codes: Set<string> | undefined
  return (text) => {
    codes ??= new Set(lists.flatMap((list) => list.trim().split(/\s/)))
    return codes.has(text)
  }
}

/**
 * True when a text is a currency or a fund of ISO 4217, in capitals.
 *
 * @example
 * isCurrency('EUR') // true
 */
export const isCurrency = /* @__PURE__ */ membership(CURRENCIES)

/**
 * True when a text is a country of ISO 3166-1 (alpha-2), in capitals.
 *
 * @example
 * isCountry('DE') // true
 * isCountry('EU') // false
 */
export const isCountry = /* @__PURE__ */ membership(COUNTRIES)

/**
 * True when a text is a country, or one of the few other codes that ISO 3166-1 reserves because they are in use.
 *
 * @example
 * isRegion('EU') // true
 */
export const isRegion = /* @__PURE__ */ membership(COUNTRIES, RESERVED)

/**
 * True when a text is a language of ISO 639-1, in lower case.
 *
 * @example
 * isLanguage('de') // true
 */
export const isLanguage = /* @__PURE__ */ membership(LANGUAGES)
