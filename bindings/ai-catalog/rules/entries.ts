// Rules for the entries of a catalog.
import { placeholderRule } from '../../frame/placeholders.ts'
import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { AiCatalog } from '../ai-catalog.ts'
import { ARD, CATALOG, missingMember } from './schema.ts'

export const entryType: Rule<AiCatalog> = {
  ...missingMember,
  id: 'entry-type',
  title: 'Catalog entry without a type',
  bad: '{"entries": [{"identifier": "urn:air:example.com:agents:scout"}]}',
  good: '{"entries": [{"identifier": "urn:air:example.com:agents:scout", "type": "application/a2a-agent-card+json"}]}',
  check({ entries }, report) {
    for (const { pointer, value } of entries)
      if (!Object.hasOwn(value, 'type') && !Object.hasOwn(value, 'mediaType'))
        report(pointer, "Required member 'type' is missing")
  },
}

export const olderType: Rule<AiCatalog> = {
  id: 'older-type',
  code: 'CAT-110',
  title: 'Older name of the type',
  section: ARD,
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'The member was mediaType until July 2026 and is type since: readers of ARD pass over an entry without it.',
  bad: '{"entries": [{"mediaType": "application/a2a-agent-card+json"}]}',
  good: '{"entries": [{"type": "application/a2a-agent-card+json"}]}',
  check({ entries }, report) {
    for (const { pointer, value } of entries)
      if (!Object.hasOwn(value, 'type') && Object.hasOwn(value, 'mediaType'))
        report(`${pointer}/mediaType`, "'mediaType' is the older name of 'type'", {
          atName: true,
          fix: { hint: 'write type, and beside it mediaType for older readers' },
        })
  },
}

export const entryContent: Rule<AiCatalog> = {
  id: 'entry-content',
  code: 'CAT-111',
  title: 'Entry with no document, or with two',
  section: CATALOG,
  severity: 'error',
  why: 'An entry leads to its document by url or holds it in data: of two, each reader takes another one.',
  bad: '{"entries": [{"url": "https://example.com/card.json", "data": {}}]}',
  good: '{"entries": [{"url": "https://example.com/card.json"}]}',
  check({ entries }, report) {
    for (const { pointer, value } of entries) {
      const [hasUrl, hasData] = [Object.hasOwn(value, 'url'), Object.hasOwn(value, 'data')]
      if (hasUrl === hasData) report(pointer, `Expected exactly one of url and data, found ${hasUrl ? 'both' : 'none'}`)
    }
  },
}

const AIR = /^urn:air:[A-Za-z\d.-]+(?::[\w.-]+)+$/

export const identifierForm: Rule<AiCatalog> = {
  id: 'identifier-form',
  code: 'CAT-112',
  title: 'Identifier that ARD does not take',
  section: ARD,
  severity: 'warning',
  rulesets: { spec: 'info' },
  why: 'AI Catalog takes any identifier; registries of ARD ask for urn:air:, the domain of the publisher, a namespace and a name.',
  bad: '{"entries": [{"identifier": "urn:example:scout"}]}',
  good: '{"entries": [{"identifier": "urn:air:example.com:agents:scout"}]}',
  check({ entries }, report) {
    for (const { pointer, value } of entries.flatMap((entry) => textMember(entry, 'identifier') ?? []))
      if (value !== '' && !AIR.test(value))
        report(pointer, `Expected urn:air:DOMAIN:NAMESPACE:NAME, found ${quoted(value)}`)
  },
}

export const repeatedIdentifier: Rule<AiCatalog> = {
  id: 'repeated-identifier',
  code: 'CAT-113',
  title: 'Identifier that is there twice',
  section: CATALOG,
  severity: 'error',
  why: 'Entries are known by their identifiers: of two with the same one, each reader keeps another.',
  bad: '{"entries": [{"identifier": "urn:air:example.com:a"}, {"identifier": "urn:air:example.com:a"}]}',
  good: '{"entries": [{"identifier": "urn:air:example.com:a"}, {"identifier": "urn:air:example.com:b"}]}',
  check({ entries }, report) {
    const seen = new Map<string, string>()
    for (const { pointer, value } of entries.flatMap((entry) => textMember(entry, 'identifier') ?? [])) {
      const first = seen.get(value)
      if (first === undefined) seen.set(value, pointer)
      else report(pointer, `${quoted(value)} is there already`, { related: [{ pointer: first, message: 'the first' }] })
    }
  },
}

export const noQueries: Rule<AiCatalog> = {
  id: 'no-queries',
  code: 'CAT-114',
  title: 'Entry without questions that it answers',
  section: ARD,
  severity: 'info',
  rulesets: { spec: 'off' },
  why: 'Registries of ARD find an entry by what people ask for, and rank it low without examples of that.',
  bad: '{"entries": [{"identifier": "urn:air:example.com:agents:scout"}]}',
  good: '{"entries": [{"representativeQueries": ["who can translate a contract", "translate from Chinese"]}]}',
  check({ entries }, report) {
    for (const { pointer, value } of entries)
      if (!Object.hasOwn(value, 'representativeQueries')) report(pointer, 'It has no representativeQueries')
  },
}

const LEAST_QUERIES = 2
const MOST_QUERIES = 5

export const queryCount: Rule<AiCatalog> = {
  id: 'query-count',
  code: 'CAT-115',
  title: 'Too few or too many questions',
  section: ARD,
  severity: 'warning',
  why: 'Registries of ARD take two to five: one says little of an entry, and many are there to be found with everything.',
  bad: '{"entries": [{"representativeQueries": ["translate"]}]}',
  good: '{"entries": [{"representativeQueries": ["who can translate a contract", "translate from Chinese"]}]}',
  check({ entries }, report) {
    for (const { pointer, value } of entries) {
      const queries = value['representativeQueries']
      if (Array.isArray(queries) && (queries.length < LEAST_QUERIES || queries.length > MOST_QUERIES))
        report(
          `${pointer}/representativeQueries`,
          `Expected ${LEAST_QUERIES} to ${MOST_QUERIES}, found ${queries.length}`,
        )
    }
  },
}

export const placeholder = placeholderRule<AiCatalog>(
  {
    code: 'CAT-149',
    section: CATALOG,
    why: 'Registries would list an agent of nobody, at an address that is none.',
    bad: '{"host": {"displayName": "Your company"}}',
    good: '{"host": {"displayName": "Acme"}}',
  },
  [
    [['host', 'displayName'], 'who publishes the catalog'],
    [['host', 'identifier'], 'the identifier of whoever publishes it, such as did:web: and your domain'],
    [['entries', '*', 'identifier'], 'urn:air:, your domain, a namespace and a name'],
    [['entries', '*', 'url'], 'the address of the document'],
    [['entries', '*', 'description'], 'what it does, in the words that people search for'],
    [['entries', '*', 'representativeQueries', '*'], 'a question that it answers'],
  ],
)
