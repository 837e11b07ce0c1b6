// Tells JSON from YAML without loading the YAML reader.
import { expectSource, type Format } from './parse.ts'

const OPEN_ARRAY = 0x5b
const OPEN_OBJECT = 0x7b

/** The format of a source. */
export function formatOf(
  source: Uint8Array | string,
  { format, file }: { readonly format?: Format; readonly file?: string },
): Format {
  if (format === 'json' || format === 'yaml') return format
  if (format !== undefined) throw new RangeError(`format: expected "json" or "yaml", got ${String(format)}`)
  if (file !== undefined && typeof file !== 'string') throw new TypeError('file: expected the name of the document')
  const name = file?.toLowerCase() ?? ''
  // TOML has a reader of its own, and comments like YAML.
  if (/\.(?:ya?ml|toml)$/.test(name)) return 'yaml'
  if (name.endsWith('.json')) return 'json'
  expectSource(source)
  const first = firstByte(source)
  // An empty source is not valid JSON, but nothing suggests that it was meant to be YAML.
  if (first === undefined) return 'json'
  return first === OPEN_OBJECT || (first === OPEN_ARRAY && !name.endsWith('.adl')) ? 'json' : 'yaml'
}

/** The first byte, or UTF-16 unit, that is neither white space nor a byte order mark. */
function firstByte(source: Uint8Array | string): number | undefined {
  const text = typeof source === 'string'
  for (let i = 0; i < source.length; i++) {
    const unit = text ? source.charCodeAt(i) : source[i]!
    const space = unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09
    const mark = i < 3 && (unit === 0xfeff || unit === 0xef || unit === 0xbb || unit === 0xbf)
    if (!space && !mark) return unit
  }
  return undefined
}
