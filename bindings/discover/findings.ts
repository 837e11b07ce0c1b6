// What is found wrong with lists of agents (ADL 6.4): docs/diagnostics.md has a section for each code of ours.
import type { RuleInfo } from '../document/rule.ts'
import type { Severity } from '../document/types.ts'

const AGENT = '"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"'

const rule = (
  id: string,
  code: string,
  title: string,
  why: string,
  bad: string,
  good: string,
  severity: Severity = 'error',
): RuleInfo => ({ id, code, title, section: 'ADL 6.4', severity, why, bad, good })

export const NO_OBJECT = rule(
  'discovery-object',
  'ADL-1002',
  'Document is not a JSON object',
  'Clients look for the agents in a member of an object.',
  `[{${AGENT}}]`,
  `{"agents": [{${AGENT}}]}`,
)

export const MISSING = rule(
  'discovery-required',
  'ADL-1003',
  'Missing required member',
  'Without its identifier and the address of its document an agent is not found.',
  '{"agents": [{"id": "https://acme.example.com/agents/a"}]}',
  `{"agents": [{${AGENT}}]}`,
)

export const WRONG_TYPE = rule(
  'discovery-type',
  'ADL-1004',
  'Invalid member type',
  'Clients pass over an entry that they cannot read.',
  `{"agents": {${AGENT}}}`,
  `{"agents": [{${AGENT}}]}`,
)

export const NO_HTTPS = rule(
  'discovery-https',
  'BADL-160',
  'Document that is not behind HTTPS',
  'Whoever is on the way could change what is fetched, and with it what the agent may do (ADL 18.11).',
  '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "http://acme.example.com/a.json"}]}',
  `{"agents": [{${AGENT}}]}`,
)

export const TWICE = rule(
  'discovery-unique',
  'BADL-161',
  'Agent listed twice',
  'Clients differ in which of the two they take.',
  `{"agents": [{${AGENT}}, {${AGENT}}]}`,
  `{"agents": [{${AGENT}}]}`,
  'warning',
)

export const TOO_MANY = rule(
  'discovery-count',
  'BADL-162',
  'Too many agents',
  'A client fetches a document for each: more than 10,000 are not read.',
  '{"agents": [more than 10,000 of them]}',
  `{"agents": [{${AGENT}}]}`,
)

export const OTHER_AGENT = rule(
  'discovery-id',
  'BADL-163',
  'Document of another agent',
  'A list that names one agent and leads to another makes the one speak for the other.',
  'https://acme.example.com/agents/a is listed, and its document has {"id": "https://acme.example.com/agents/b"}',
  'https://acme.example.com/agents/a is listed, and its document has {"id": "https://acme.example.com/agents/a"}',
)

/** These two are rules of definitions, too. */
export const NO_URI: RuleInfo = rule(
  'VAL-06',
  'ADL-2006',
  'Invalid URI format',
  'Nobody finds what has no address.',
  '{"agents": [{"id": "agents/a b", "adl_document": "https://acme.example.com/agents/a/adl.json"}]}',
  `{"agents": [{${AGENT}}]}`,
)

export const NO_STATUS: RuleInfo = rule(
  'VAL-09',
  'ADL-5001',
  'Invalid lifecycle status value',
  'Clients choose by it.',
  `{"agents": [{${AGENT}, "status": "live"}]}`,
  `{"agents": [{${AGENT}, "status": "active"}]}`,
)

/** For those who explain codes. */
export const DISCOVERY_FINDINGS: readonly RuleInfo[] = [
  NO_OBJECT,
  MISSING,
  WRONG_TYPE,
  NO_HTTPS,
  TWICE,
  TOO_MANY,
  OTHER_AGENT,
]
