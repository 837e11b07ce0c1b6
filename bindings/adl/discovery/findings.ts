// The findings about lists of agents (ADL 6.4): docs/reference/diagnostics.md has a section for each code of ours.

import type { FindingInfo, FindingKind } from '../../document/finding.ts'

const AGENT = '"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"'

const section = 'ADL 6.4'
const severity = 'error'

export const NO_OBJECT: FindingInfo = {
  id: 'discovery-object',
  code: 'ADL-1002',
  title: 'List of agents is not a JSON object',
  section,
  severity,
  why: 'Clients look for the agents in a member of an object.',
  bad: `[{${AGENT}}]`,
  good: `{"agents": [{${AGENT}}]}`,
}

export const MISSING: FindingInfo = {
  id: 'discovery-required',
  code: 'ADL-1003',
  title: 'Missing required member in a list of agents',
  section,
  severity,
  why: 'Without its identifier and the address of its document an agent is not found.',
  bad: '{"agents": [{"id": "https://acme.example.com/agents/a"}]}',
  good: `{"agents": [{${AGENT}}]}`,
}

export const WRONG_TYPE: FindingInfo = {
  id: 'discovery-type',
  code: 'ADL-1004',
  title: 'Invalid member type in a list of agents',
  section,
  severity,
  why: 'Clients pass over an entry that they cannot read.',
  bad: `{"agents": {${AGENT}}}`,
  good: `{"agents": [{${AGENT}}]}`,
}

export const NO_HTTPS: FindingInfo = {
  id: 'discovery-https',
  code: 'BADL-160',
  title: 'Document that is not behind HTTPS',
  section,
  severity,
  why: 'Whoever is on the way could change what is fetched, and with it what the agent may do (ADL 18.11).',
  bad: '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "http://acme.example.com/a.json"}]}',
  good: `{"agents": [{${AGENT}}]}`,
}

export const TWICE: FindingInfo = {
  id: 'discovery-unique',
  code: 'BADL-161',
  title: 'Agent listed twice',
  section,
  severity: 'warning',
  why: 'Clients differ in which of the two they take.',
  bad: `{"agents": [{${AGENT}}, {${AGENT}}]}`,
  good: `{"agents": [{${AGENT}}]}`,
}

export const TOO_MANY: FindingInfo = {
  id: 'discovery-count',
  code: 'BADL-162',
  title: 'Too many agents',
  section,
  severity,
  why: 'A client fetches a document for each: more than 10,000 are not read.',
  bad: '{"agents": [more than 10,000 of them]}',
  good: `{"agents": [{${AGENT}}]}`,
}

export const OTHER_AGENT: FindingInfo = {
  id: 'discovery-id',
  code: 'BADL-163',
  title: 'Document of another agent',
  section,
  severity,
  why: 'A list that names one agent and leads to another makes the one speak for the other.',
  bad: 'https://acme.example.com/agents/a is listed, and its document has {"id": "https://acme.example.com/agents/b"}',
  good: 'https://acme.example.com/agents/a is listed, and its document has {"id": "https://acme.example.com/agents/a"}',
}

/** These two are also rules for definitions, which explain them. */
export const NO_URI: FindingKind = {
  id: 'VAL-06',
  code: 'ADL-2006',
  title: 'Invalid URI format',
  section,
  severity,
}

export const NO_STATUS: FindingKind = {
  id: 'VAL-09',
  code: 'ADL-5001',
  title: 'Invalid lifecycle status value',
  section,
  severity,
}

/** For tools that explain codes. */
export const DISCOVERY_FINDINGS: readonly FindingInfo[] = [
  NO_OBJECT,
  MISSING,
  WRONG_TYPE,
  NO_HTTPS,
  TWICE,
  TOO_MANY,
  OTHER_AGENT,
]
