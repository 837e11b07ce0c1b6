import { stringify } from 'yaml'

/** Texts of several lines that begin with a blank: the package writes blocks for them that are read as other texts. */
const BLANK_FIRST = /"(?:\\n)*(?: |\\t)[^"]*\\n/
const SURROGATE = /[\ud800-\udfff]/

/** A JSON value as YAML. */
export function toYaml(value: object): string {
  const json = JSON.stringify(value)
  const isBlankFirst = BLANK_FIRST.test(json)
  return stringify(value, {
    // The package breaks long lines between the halves of a surrogate pair, and wrongly at spaces after line ends.
    lineWidth: isBlankFirst || SURROGATE.test(json) ? 0 : 100,
    blockQuote: !isBlankFirst,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  })
}
