import type { Dialect, Draft } from '../dialect.ts'
import { ARRAYS, UNEVALUATED_ITEMS } from './arrays.ts'
import { COMBINE } from './combine.ts'
import type { Rule } from './context.ts'
import { OBJECTS, UNEVALUATED_PROPERTIES } from './objects.ts'
import { VALUES } from './values.ts'

/** In the order of checking: cheap rules first. The last ones depend on what the others evaluated. */
const RULES: readonly Rule[] = [...VALUES, ...ARRAYS, ...OBJECTS, ...COMBINE, UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES]

function byKeyword(draft: Draft): ReadonlyMap<string, number> {
  return new Map(
    RULES.flatMap(({ keywords, since = 7, until = 2020 }, i) =>
      since <= draft && draft <= until ? keywords.map((keyword): [string, number] => [keyword, i]) : [],
    ),
  )
}

const BY_KEYWORD: Readonly<Record<Draft, ReadonlyMap<string, number>>> = {
  7: byKeyword(7),
  2019: byKeyword(2019),
  2020: byKeyword(2020),
}

/** The rules for a schema's keywords, in order. Before 2019-09, keywords next to `$ref` are ignored. */
export function rulesFor(schema: Readonly<Record<string, unknown>>, { draft, vocabularies }: Dialect): Rule[] {
  const keywords = draft === 7 && Object.hasOwn(schema, '$ref') ? ['$ref'] : Object.keys(schema)
  const numbers: number[] = []
  for (const keyword of keywords) {
    const number = BY_KEYWORD[draft].get(keyword)
    if (number !== undefined && !numbers.includes(number)) numbers.push(number)
  }
  const rules = numbers.sort((a, b) => a - b).map((number) => RULES[number]!)
  return vocabularies === undefined ? rules : rules.filter(({ vocabulary }) => vocabularies.has(vocabulary))
}
