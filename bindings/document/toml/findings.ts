// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../finding.ts'

export type Code = 'DOC-200' | 'DOC-201' | 'DOC-202'

export const TOML_SYNTAX = /* @__PURE__ */ finding('toml/syntax', 'DOC-200', 'Not TOML', 'TOML 1.0.0')
export const TOML_DEFINED_TWICE = /* @__PURE__ */ finding('toml/defined-twice', 'DOC-201', 'Defined twice', 'TOML 1.0.0, Keys and Table')
export const TOML_NUMBER = /* @__PURE__ */ finding('toml/number', 'DOC-202', 'Number without a JSON form', 'TOML 1.0.0, Integer and Float')

export const ALL: readonly FindingKind[] = [TOML_SYNTAX, TOML_DEFINED_TWICE, TOML_NUMBER]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...TOML_SYNTAX, why: 'The text does not follow the grammar, such as a string without quotes, or a value that is not closed.', bad: 'model = gpt-5', good: 'model = "gpt-5"' },
  { ...TOML_DEFINED_TWICE, why: 'A key or table may be defined once. Programs that take one of two values differ in which.', bad: '[tools]\n[tools]', good: '[tools]' },
  { ...TOML_NUMBER, why: 'Infinity and NaN have no form in JSON, and integers have 64 bits.', bad: 'limit = inf', good: 'limit = 1e6' },
]
