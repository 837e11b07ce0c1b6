/**
 * Formats of texts, each checked in linear time by reading its grammar.
 * @module
 */
export { isIpv4, isIpv6 } from './formats/address.ts'
export { isEmail, isJsonPointer, isMimeType, isSemver } from './formats/names.ts'
export { isDate, isDateTime } from './formats/time.ts'
export { isUri, isUriReference, isUrn } from './formats/uri.ts'
