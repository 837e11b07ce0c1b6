// ADL's words for what explain.ts finds.
import type { Specification } from '../document/explain.ts'
import { snakeCase } from '../document/words.ts'
import { SCHEMA_RULES } from './rules/schema.ts'
import { isExtension } from './shape.ts'

export const ADL: Specification = {
  name: 'ADL',
  rules: SCHEMA_RULES,
  byFormat: { 'date-time': 'VAL-05', uri: 'VAL-06' },
  grammar: {
    '^\\d+\\.\\d+\\.\\d+$': 'a version MAJOR.MINOR.PATCH such as 1.2.0',
    '^[a-z][a-z0-9_]*$': 'a lowercase letter, then lowercase letters, digits and underscores',
    'date-time': 'an ISO 8601 timestamp with its offset, such as 2026-02-15T14:30:00Z',
    email: 'an email address',
    uri: 'a URI (RFC 3986)',
    'uri-reference': 'a URI reference (RFC 3986)',
  },
  isExtension,
  adviseOn(name) {
    if (!/^x[-_]/i.test(name)) return { hint: "members of one's own begin with x_ and a namespace: x_acme_note" }
    return { hint: 'names of extension members are x_ and then lowercase letters, digits and underscores' }
  },
  mend(shape, value) {
    const name = snakeCase(value)
    if (shape.rule !== 'VAL-13' || !shape.pattern!.test(name)) return undefined
    return { hint: `did you mean '${name}'? Whoever calls the tool must call it so, too` }
  },
}
