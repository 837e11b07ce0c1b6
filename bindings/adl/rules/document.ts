// The rules about the document as a whole: its limits and its kind. If one of them is violated, nothing else is
// checked.
import type { RuleInfo } from '../../frame/rule.ts'

const BOUNDED = 'A document made to be large would keep everybody who reads it busy.'

function limit(info: Pick<RuleInfo, 'id' | 'code' | 'title' | 'bad' | 'good'>): RuleInfo {
  return { ...info, section: 'ADL 18.5', severity: 'error', why: BOUNDED }
}

/** The finding for input that cannot be parsed. It keeps the rule of the parser, `json/...`, which is more specific. */
export const INVALID_JSON: RuleInfo = {
  id: 'invalid-json',
  code: 'ADL-1001',
  title: 'Invalid JSON',
  section: 'ADL 14.1',
  severity: 'error',
  why: 'Programs repair broken JSON in different ways, and of two equal members some take the first and some the last: nobody would know what was checked.',
  bad: '{"adl_spec": "0.1.0", "name": "Scout", "name": "Spy",}',
  good: '{"adl_spec": "0.1.0", "name": "Scout"}',
}

export const ROOT_OBJECT: RuleInfo = {
  id: 'root-object',
  code: 'ADL-1002',
  title: 'Document is not a JSON object',
  section: 'ADL 4.2',
  severity: 'error',
  why: 'An agent definition is one JSON object: nothing else has members to read.',
  bad: '[]',
  good: '{"adl_spec": "0.1.0"}',
}

export const TOO_MANY_ENTRIES = limit({
  id: 'limit/entries',
  code: 'DOC-116',
  title: 'Too many entries',
  bad: 'tools, resources or prompts with more than 1000 entries',
  good: 'at most 1000 entries each; the limit is an option',
})

export const TEXT_TOO_LONG = limit({
  id: 'limit/text',
  code: 'DOC-117',
  title: 'Text too long',
  bad: 'a description, a system prompt or a template of more than 1 MiB',
  good: 'at most 1 MiB each; the limit is an option',
})

export const TOO_MANY_PATTERNS = limit({
  id: 'limit/patterns',
  code: 'DOC-118',
  title: 'Too many patterns',
  bad: 'an array of permission patterns with more than 500 entries',
  good: 'at most 500 patterns each; the limit is an option',
})
