/**
 * Formats of texts, each checked in linear time by its grammar.
 * @module
 */
export {
  isEmail,
  isIpv4,
  isIpv6,
  isJsonPointer,
  isMimeType,
  isSemver,
  isUri,
  isUriReference,
  isUrn,
} from './formats/names.ts'
export { isDate, isDateTime } from './formats/time.ts'
