// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'ADL-1002' | 'ADL-1003' | 'ADL-1004' | 'BADL-160' | 'BADL-161' | 'BADL-162' | 'BADL-163'

const T0 = 'ADL 6.4'
export const DISCOVERY_OBJECT = /* @__PURE__ */ finding('discovery-object', 'ADL-1002', 'List of agents is not a JSON object', T0)
export const DISCOVERY_REQUIRED = /* @__PURE__ */ finding('discovery-required', 'ADL-1003', 'Missing required member in a list of agents', T0)
export const DISCOVERY_TYPE = /* @__PURE__ */ finding('discovery-type', 'ADL-1004', 'Invalid member type in a list of agents', T0)
export const DISCOVERY_HTTPS = /* @__PURE__ */ finding('discovery-https', 'BADL-160', 'Document that is not served over HTTPS', T0)
export const DISCOVERY_UNIQUE = /* @__PURE__ */ finding('discovery-unique', 'BADL-161', 'Agent listed twice', T0, 'warning')
export const DISCOVERY_COUNT = /* @__PURE__ */ finding('discovery-count', 'BADL-162', 'Too many agents', T0)
export const DISCOVERY_ID = /* @__PURE__ */ finding('discovery-id', 'BADL-163', 'Document of another agent', T0)

export const ALL: readonly FindingKind[] = [DISCOVERY_OBJECT, DISCOVERY_REQUIRED, DISCOVERY_TYPE, DISCOVERY_HTTPS, DISCOVERY_UNIQUE, DISCOVERY_COUNT, DISCOVERY_ID]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...DISCOVERY_OBJECT, why: 'Clients look for the agents in a member of an object.', bad: '[{"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}]', good: '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}]}' },
  { ...DISCOVERY_REQUIRED, why: 'Clients cannot find an agent without its identifier and the address of its document.', bad: '{"agents": [{"id": "https://acme.example.com/agents/a"}]}', good: '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}]}' },
  { ...DISCOVERY_TYPE, why: 'Clients skip an entry that they cannot read.', bad: '{"agents": {"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}}', good: '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}]}' },
  { ...DISCOVERY_HTTPS, why: 'Anyone on the network could change the document, and with it what the agent may do (ADL 18.11).', bad: '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "http://acme.example.com/a.json"}]}', good: '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}]}' },
  { ...DISCOVERY_UNIQUE, why: 'Clients differ in which of the two they use.', bad: '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}, {"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}]}', good: '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}]}' },
  { ...DISCOVERY_COUNT, why: 'A client fetches a document for each agent, so at most 10,000 are read.', bad: '{"agents": [more than 10,000 of them]}', good: '{"agents": [{"id": "https://acme.example.com/agents/a", "adl_document": "https://acme.example.com/agents/a/adl.json"}]}' },
  { ...DISCOVERY_ID, why: 'A list that names one agent and links to another would let the second speak for the first.', bad: 'https://acme.example.com/agents/a is listed, and its document has {"id": "https://acme.example.com/agents/b"}', good: 'https://acme.example.com/agents/a is listed, and its document has {"id": "https://acme.example.com/agents/a"}' },
]
