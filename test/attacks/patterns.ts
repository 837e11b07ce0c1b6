// Measures how long expressions take to be checked, for the tests and for the long run.

import { compileRegex } from '../../bindings/schema/regex/regex.ts'
import { Halt, Resource, Run } from '../../bindings/schema/run.ts'
import { ROOT } from '../../bindings/schema/shapes.ts'
import { subjectOf } from '../schema/expressions.ts'
import { processorTime } from '../support/effort.ts'

/** The default cost limit of a validation. */
const STEPS = 1_000_000

export interface Slow {
  readonly source: string
  readonly length: number
  readonly milliseconds: number
}

/** The result of one expression with one text, and its duration; `limit` if it was undecided. */
export function judge(source: string, text: string): { answer: boolean | 'limit'; milliseconds: number } {
  const run = new Run(new Resource('', true, ROOT, '', { draft: 2020 }), STEPS, 1)
  const begin = processorTime()
  try {
    return { answer: compileRegex(source).test(text, run), milliseconds: processorTime() - begin }
  } catch (error) {
    if (!(error instanceof Halt)) throw error
    return { answer: 'limit', milliseconds: processorTime() - begin }
  }
}

/** The calls that took too long. Each gets a second chance, because machines pause. */
export function slowCalls(
  expressions: Iterable<readonly [source: string, unit: string]>,
  lengths: readonly number[],
  most: number,
): Slow[] {
  const slow: Slow[] = []
  for (const [source, unit] of expressions) {
    for (const length of lengths) {
      const text = subjectOf(unit, length)
      const take = () => judge(source, text).milliseconds
      const milliseconds = Math.min(take(), most) < most ? 0 : Math.min(take(), take())
      if (milliseconds >= most) slow.push({ source, length, milliseconds })
    }
  }
  return slow
}
