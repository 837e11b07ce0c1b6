import { ARRAYS, UNEVALUATED_ITEMS } from './arrays.ts'
import { COMBINE } from './combine.ts'
import type { Rule } from './context.ts'
import { OBJECTS, UNEVALUATED_PROPERTIES } from './objects.ts'
import { VALUES } from './values.ts'

/** In the order of checking: cheap rules first, and last those that depend on what the others evaluated. */
const RULES: readonly Rule[] = [...VALUES, ...ARRAYS, ...OBJECTS, ...COMBINE, UNEVALUATED_ITEMS, UNEVALUATED_PROPERTIES]

const BY_KEYWORD: ReadonlyMap<string, number> = new Map(
  RULES.flatMap(({ keywords }, i) => keywords.map((keyword): [string, number] => [keyword, i])),
)

/** The rules for a schema's keywords, in order. */
export function rulesFor(keywords: readonly string[], vocabularies: ReadonlySet<string> | undefined): Rule[] {
  const numbers: number[] = []
  for (const keyword of keywords) {
    const number = BY_KEYWORD.get(keyword)
    if (number !== undefined && !numbers.includes(number)) numbers.push(number)
  }
  const rules = numbers.sort((a, b) => a - b).map((number) => RULES[number]!)
  return vocabularies === undefined ? rules : rules.filter(({ vocabulary }) => vocabularies.has(vocabulary))
}
