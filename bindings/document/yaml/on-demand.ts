import type { ParseResult, parse } from '../parse.ts'
import { parseQuickly, textOf } from './parse-quickly.ts'
import { UNSURE } from './quick-scalars.ts'

/**
 * Does work that reads YAML. Most YAML does not need the yaml package. The first time that a text does, this loads the
 * package and does all of the work again.
 */
export async function withYaml<Result>(work: (read: typeof parse) => Result): Promise<Result> {
  try {
    return work(parseWithoutPackage)
  } catch (fault) {
    if (fault !== UNSURE) throw fault
  }
  return work((await import('./parse.ts')).parseYaml)
}

function parseWithoutPackage(source: Uint8Array | string, options: parse.Options = {}): ParseResult {
  const yaml = textOf(source, options)
  const result = 'diagnostics' in yaml ? yaml : parseQuickly(yaml)
  if (result === undefined) throw UNSURE
  return result
}
