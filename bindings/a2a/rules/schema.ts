// The rules that the schemas check, by the kinds of fault in explain.ts.
import type { RuleInfo } from '../../frame/rule.ts'

export const missingMember: RuleInfo = {
  id: 'a2a-missing-member',
  code: 'CARD-180',
  title: 'Missing required member of an A2A card',
  section: 'A2A 1.0 section 5.7',
  severity: 'error',
  why: 'Clients rely on what is required: without it they fail, or make up something.',
  bad: '{"skills": [{"id": "translate", "name": "Translate", "description": "Translates text."}]}',
  good: '{"skills": [{"id": "translate", "name": "Translate", "description": "Translates text.", "tags": ["nlp"]}]}',
}

export const memberType: RuleInfo = {
  id: 'a2a-member-type',
  code: 'CARD-181',
  title: 'Invalid member type in an A2A card',
  section: 'A2A 1.0 section 4.4',
  severity: 'error',
  why: 'Some SDKs turn a value of another type into text, others fail.',
  bad: '{"capabilities": {"streaming": "yes"}}',
  good: '{"capabilities": {"streaming": true}}',
}

export const enumValue: RuleInfo = {
  id: 'a2a-enum-value',
  code: 'CARD-182',
  title: 'Value that A2A does not know',
  section: 'A2A 1.0 section 4.5',
  severity: 'error',
  why: 'Clients act on the values that the specification lists, and on no other.',
  bad: '{"securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "body", "name": "X-API-Key"}}}}',
  good: '{"securitySchemes": {"key": {"apiKeySecurityScheme": {"location": "header", "name": "X-API-Key"}}}}',
}

/** For 0.3 this is a warning: its schema only requires that the member is present. */
export const emptyValue: RuleInfo = {
  id: 'a2a-empty-value',
  code: 'CARD-183',
  title: 'Empty value in an A2A card',
  section: 'A2A 1.0 section 5.7',
  severity: 'error',
  why: 'What is required must not be empty: to proto, empty is absent, and SDKs leave it out before they verify a signature.',
  bad: '{"skills": []}',
  good: '{"skills": [{"id": "translate", "name": "Translate", "description": "Translates text.", "tags": ["nlp"]}]}',
}

export const unknownMember: RuleInfo = {
  id: 'a2a-unknown-member',
  code: 'CARD-184',
  title: 'Member that A2A does not define',
  section: 'A2A 1.0 section 4.4',
  severity: 'error',
  why: 'Readers of 1.0 refuse such a card or drop the member, and signatures do not cover it. Params of an extension hold anything.',
  bad: '{"rating": 5}',
  good: '{"capabilities": {"extensions": [{"uri": "https://example.com/rating", "params": {"rating": 5}}]}}',
}
