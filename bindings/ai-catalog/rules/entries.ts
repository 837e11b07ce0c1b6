// Rules for the entries of a catalog.
import { placeholderRule } from '../../frame/placeholders.ts'
import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { AiCatalog } from '../ai-catalog.ts'
import * as FINDINGS from '../findings.ts'

export const entryType: Rule<AiCatalog> = {
  ...FINDINGS.ENTRY_TYPE,
  check({ entries }, report) {
    for (const { pointer, value } of entries)
      if (!Object.hasOwn(value, 'type') && !Object.hasOwn(value, 'mediaType'))
        report(pointer, "Required member 'type' is missing")
  },
}

export const olderType: Rule<AiCatalog> = {
  ...FINDINGS.OLDER_TYPE,
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
  ...FINDINGS.ENTRY_CONTENT,
  check({ entries }, report) {
    for (const { pointer, value } of entries) {
      const [hasUrl, hasData] = [Object.hasOwn(value, 'url'), Object.hasOwn(value, 'data')]
      if (hasUrl === hasData) report(pointer, `Expected exactly one of url and data, found ${hasUrl ? 'both' : 'none'}`)
    }
  },
}

const AIR = /^urn:air:[A-Za-z\d.-]+(?::[\w.-]+)+$/

export const identifierForm: Rule<AiCatalog> = {
  ...FINDINGS.IDENTIFIER_FORM,
  check({ entries }, report) {
    for (const { pointer, value } of entries.flatMap((entry) => textMember(entry, 'identifier') ?? []))
      if (value !== '' && !AIR.test(value))
        report(pointer, `Expected urn:air:DOMAIN:NAMESPACE:NAME, found ${quoted(value)}`)
  },
}

export const repeatedIdentifier: Rule<AiCatalog> = {
  ...FINDINGS.REPEATED_IDENTIFIER,
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
  ...FINDINGS.NO_QUERIES,
  check({ entries }, report) {
    for (const { pointer, value } of entries)
      if (!Object.hasOwn(value, 'representativeQueries')) report(pointer, 'It has no representativeQueries')
  },
}

const LEAST_QUERIES = 2
const MOST_QUERIES = 5

export const queryCount: Rule<AiCatalog> = {
  ...FINDINGS.QUERY_COUNT,
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

export const placeholder = placeholderRule<AiCatalog>(FINDINGS.PLACEHOLDER, [
  [['host', 'displayName'], 'who publishes the catalog'],
  [['host', 'identifier'], 'the identifier of the publisher, such as did:web: and your domain'],
  [['entries', '*', 'identifier'], 'urn:air:, your domain, a namespace and a name'],
  [['entries', '*', 'url'], 'the address of the document'],
  [['entries', '*', 'description'], 'what it does, in the words that people search for'],
  [['entries', '*', 'representativeQueries', '*'], 'a question that it answers'],
])
