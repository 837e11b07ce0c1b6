import { type Parsed, parse } from '../bindings/document/parse.ts'
import { formatOf, type ReadOptions } from '../bindings/document/read-format.ts'

/** Reads JSON or YAML, as `read` does. What YAML takes is loaded for YAML only. */
export async function parseDocument(bytes: Uint8Array, options: ReadOptions): Promise<Parsed> {
  if (formatOf(bytes, options) === 'json') return parse(bytes, options)
  const { parseYaml } = await import('../bindings/document/yaml/parse.ts')
  return parseYaml(bytes, options)
}
