// Explanations of the reasons not to fetch. Only the catalogue loads them.
import { type Explanations, explained, type FindingInfo } from '../document/finding.ts'
import { ADDRESS, ANSWER_TOO_LARGE, FAILED, REDIRECT, STATUS, TIMEOUT } from './findings.ts'

const EXPLANATIONS: Explanations = {
  'DOC-180': {
    why: 'A document could make its reader fetch addresses inside a private network: only https is fetched, and from no host of this network.',
    bad: 'http://169.254.169.254/latest/meta-data/',
    good: 'https://acme.example.com/agents/scout/adl.json',
  },
  'DOC-181': {
    why: 'The name has no address, nobody answers there, or the certificate is not valid.',
    bad: 'https://nobody.example/agent.json',
    good: 'https://acme.example.com/agent.json',
  },
  'DOC-182': {
    why: 'With another status than 200 the server sends something else than the document, or nothing.',
    bad: 'HTTP/1.1 404 Not Found',
    good: 'HTTP/1.1 200 OK',
  },
  'DOC-183': {
    why: 'Every target is checked like the first address. Too many redirects lead nowhere, and one that the host does not show cannot be checked.',
    bad: 'https://acme.example.com/agent.json leads to http://10.0.0.1/',
    good: 'https://acme.example.com/agent.json answers itself',
  },
  'DOC-184': {
    why: 'An answer without end would fill the memory: bytes are counted while they come, whatever the server says.',
    bad: 'an answer of 2 MiB where 1 MiB is allowed',
    good: 'an answer of at most as many; the limit is an option',
  },
  'DOC-185': {
    why: 'A server that sends a byte a minute would keep its reader for ever.',
    bad: 'an answer that takes a minute where 10 seconds are allowed',
    good: 'an answer in time; the limit is an option',
  },
}

export const fetchFindings = (): readonly FindingInfo[] =>
  explained([ADDRESS, FAILED, STATUS, REDIRECT, ANSWER_TOO_LARGE, TIMEOUT], EXPLANATIONS)
