import { suggest } from '../text/words.ts'
import { DEPRECATED_LICENSES, LICENSES } from './codes.ts'

/** Lower-case identifiers, each with its SPDX spelling. */
let spellings: Map<string, string> | undefined

function table(): ReadonlyMap<string, string> {
  spellings ??= new Map(
    [LICENSES, DEPRECATED_LICENSES].flatMap((list) =>
      list
        .trim()
        .split(/\s/)
        .map((id): [string, string] => [id.toLowerCase(), id]),
    ),
  )
  return spellings
}

/**
 * True when a text is a license of the SPDX list, deprecated or not. Case is ignored (SPDX annex D.2).
 *
 * @example
 * isSpdxId('apache-2.0') // true
 */
export function isSpdxId(text: string): boolean {
  return table().has(text.toLowerCase())
}

const REFERENCE = /^(DocumentRef-[a-z0-9.-]+:)?LicenseRef-[a-z0-9.-]+$/i

/**
 * True when a text is an SPDX license expression (annex D of the SPDX specification). Exceptions behind `WITH` are
 * checked for their form only.
 *
 * @example
 * isSpdxExpression('(MIT OR Apache-2.0+) AND LicenseRef-ours') // true
 */
export function isSpdxExpression(text: string): boolean {
  // A token is a parenthesis or a run of anything else but blanks.
  const tokens = text.match(/[()]|[^\s()]+/g) ?? []
  let open = 0
  let before: 'operator' | 'license' | 'complete' = 'operator'
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    if (before === 'operator') {
      if (token === '(') open++
      else if (REFERENCE.test(token) || isSpdxId(token.replace(/\+$/, ''))) before = 'license'
      else return false
    } else if (token === 'AND' || token === 'OR') before = 'operator'
    else if (token === ')' && open > 0) {
      open--
      before = 'complete'
    } else if (token === 'WITH' && before === 'license' && /^[a-z0-9.-]+$/i.test(tokens[++i] ?? '')) before = 'complete'
    else return false
  }
  return before !== 'operator' && open === 0
}

/** Letters and digits, without filler words: `Apache License, v2` becomes `apache2`. */
function essence(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b(the|license|licence|version)\b|v(?=[ .]?\d)/g, '')
    .replace(/[^a-z0-9+]/g, '')
}

/**
 * The SPDX identifier that a text most likely means; undefined when several could be meant.
 *
 * @example
 * nearestSpdx('Apache License 2.0') // 'Apache-2.0'
 */
export function nearestSpdx(text: string): string | undefined {
  const known = table()
  const short = text.slice(0, 100)
  const exact = known.get(short.toLowerCase())
  if (exact !== undefined) return exact
  const byEssence = new Map(Array.from(known.values(), (id) => [essence(id), id]))
  const nearest = suggest(essence(short), [...byEssence.keys()])
  return nearest === undefined ? undefined : byEssence.get(nearest)
}
