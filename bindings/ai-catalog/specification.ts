// AI Catalog, and ARD catalogs, as a specification of the frame.

import { shapeRules, type Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { camelCase } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { type AiCatalog, CATALOG_READING } from './subject.ts'

export const catalogShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'AI catalogs',
  rules: shapeRules([
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.EMPTY_VALUE,
    FINDINGS.ENUM_VALUE,
    FINDINGS.VALUE_PATTERN,
  ]),
  byFormat: {},
  grammar: { uri: 'an absolute URI', 'date-time': 'a time such as 2026-11-23T10:00:00Z' },
  spell: camelCase,
  // Catalogs may have members of other versions, so no member is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that are not known are ignored' }),
}

export const AI_CATALOG: Specification<AiCatalog> = {
  ...CATALOG_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: catalogShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
}
