// fixtures/adl/verbs.yaml: the findings of rendering, reviewing and converting, each with a similar case without it.

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import * as ADL from '../../bindings/adl/findings.ts'
import { renderPrompt } from '../../bindings/adl/prompt.ts'
import { REVIEW_RULES, review } from '../../bindings/adl/review.ts'
import { catalogue as everyRow } from '../../bindings/catalogue.ts'
import * as FINDINGS from '../../bindings/convert/findings.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'

interface Entry {
  readonly rule: string
  readonly code: string
  readonly severity: string
  readonly pointer: string
  readonly options?: object
  readonly bad: object
  readonly good: object
}

const catalogue = parse(readFileSync('fixtures/adl/verbs.yaml', 'utf8')) as { base: object } & Record<Verb, Entry[]>

/** The findings of each verb. */
const VERBS = {
  render: (source: string, options: object) => renderPrompt(source, options as renderPrompt.Options).diagnostics,
  review: (source: string) => review(source).diagnostics,
  convert: (source: string, options: object) => convert(source, options as { to: ConvertFormat }).diagnostics,
}
type Verb = keyof typeof VERBS
const NAMES = Object.keys(VERBS) as Verb[]

describe.each(NAMES)('%s', (verb) => {
  test.each(catalogue[verb])('$code $rule', ({ bad, good, options = {}, ...expected }) => {
    const told = (members: object) => {
      // A null member in the catalogue means that the document lacks the member.
      const entries = Object.entries({ ...catalogue.base, ...members }).filter(([, value]) => value !== null)
      const found = VERBS[verb](JSON.stringify(Object.fromEntries(entries)), options)
      return found.map(({ rule, code, severity, source: { pointer } }) => ({ rule, code, severity, pointer }))
    }
    expect(told(bad)).toEqual([expected])
    expect(told(good)).toEqual([])
  })
})

const PROMPT_RULES = [
  ADL.RENDER_UNDEFINED,
  ADL.PROMPT_ABSENT,
  ADL.PROMPT_HIDDEN_TEXT,
  ADL.PROMPT_SEAM,
  ADL.RENDER_ARGUMENT,
]
const OURS = [
  ...PROMPT_RULES,
  ...REVIEW_RULES,
  FINDINGS.CONVERT_NEEDED,
  FINDINGS.CONVERT_AUTHENTICATION,
  FINDINGS.CONVERT_SOURCE,
  FINDINGS.CONVERT_SUPPLIED,
  FINDINGS.CONVERT_CLASSIFICATION,
]

test('every rule of these verbs is in the catalogue, and has a section in docs/reference/diagnostics.md', () => {
  const shown = new Set(NAMES.flatMap((verb) => catalogue[verb].map(({ rule }) => rule)))
  const page = readFileSync('docs/reference/diagnostics.md', 'utf8')
  for (const { id, code, title, severity, section } of OURS) {
    expect(shown).toContain(id)
    if (code.startsWith('BADL-'))
      expect(page).toContain(`### ${code} ${title}\n\n\`${id}\` · ${severity} · ${section}\n`)
  }
})

test('blazon explain knows the findings of prompts and reviews', () => {
  const known = new Set(everyRow().map(({ id }) => id))
  for (const { id } of [...PROMPT_RULES, ...REVIEW_RULES]) expect(known).toContain(id)
})
