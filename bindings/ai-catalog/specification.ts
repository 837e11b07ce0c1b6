// Rules for the entries of a catalog and their addresses.

import { shapeRules, type Words } from '../frame/explain.ts'
import { descriptionOf, placeholderRule, YOUR_COMPANY, YOUR_HOST, YOUR_QUERY } from '../frame/placeholders.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { RootSubject, type Rule, rule } from '../frame/subject.ts'
import { isScriptUrl } from '../text/host-name.ts'
import {
  elements,
  isObject,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  repetitions,
  textMember,
  textsOf,
} from '../text/members.ts'
import { camelCase, quoted, slug } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { ROOT_OBJECT } from './findings.ts'
import schema from './schema.json' with { type: 'json' }

const AIR = /^urn:air:[A-Za-z\d.-]+(?::[\w.-]+)+$/

const LEAST_QUERIES = 2
const MOST_QUERIES = 5

/** In the order of the document. */
export const RULES: readonly Rule<AiCatalog>[] = [
  rule(FINDINGS.ENTRY_TYPE, ({ entries }, report) => {
    for (const { pointer, value } of entries)
      if (!Object.hasOwn(value, 'type') && !Object.hasOwn(value, 'mediaType'))
        report(pointer, "Required member 'type' is missing")
  }),
  rule(FINDINGS.OLDER_TYPE, ({ entries }, report) => {
    for (const { pointer, value } of entries)
      if (!Object.hasOwn(value, 'type') && Object.hasOwn(value, 'mediaType'))
        report(`${pointer}/mediaType`, "'mediaType' is the older name of 'type'", {
          atName: true,
          fix: { hint: 'write type, and beside it mediaType for older readers' },
        })
  }),
  rule(FINDINGS.ENTRY_CONTENT, ({ entries }, report) => {
    for (const { pointer, value } of entries) {
      const [hasUrl, hasData] = [Object.hasOwn(value, 'url'), Object.hasOwn(value, 'data')]
      if (hasUrl === hasData) report(pointer, `Expected exactly one of url and data, found ${hasUrl ? 'both' : 'none'}`)
    }
  }),
  rule(FINDINGS.IDENTIFIER_FORM, ({ entries }, report) => {
    for (const { pointer, value } of textsOf(entries, 'identifier'))
      if (value !== '' && !AIR.test(value))
        report(pointer, `Expected urn:air:DOMAIN:NAMESPACE:NAME, found ${quoted(value)}`)
  }),
  rule(FINDINGS.REPEATED_IDENTIFIER, ({ entries }, report) => {
    for (const [{ pointer, value }, first] of repetitions(textsOf(entries, 'identifier'), (text) => text.value)) {
      const related = [{ pointer: first.pointer, message: 'the first' }]
      report(pointer, `${quoted(value)} is there already`, { related })
    }
  }),
  rule(FINDINGS.NO_QUERIES, ({ entries }, report) => {
    for (const { pointer, value } of entries)
      if (!Object.hasOwn(value, 'representativeQueries')) report(pointer, 'It has no representativeQueries')
  }),
  rule(FINDINGS.QUERY_COUNT, ({ entries }, report) => {
    for (const { pointer, value } of entries) {
      const queries = value['representativeQueries']
      if (Array.isArray(queries) && (queries.length < LEAST_QUERIES || queries.length > MOST_QUERIES))
        report(
          `${pointer}/representativeQueries`,
          `Expected ${LEAST_QUERIES} to ${MOST_QUERIES}, found ${queries.length}`,
        )
    }
  }),
  rule(FINDINGS.PLAIN_URL, ({ entries }, report) => {
    // The schema reports texts that are not addresses.
    for (const { pointer, value } of textsOf(entries, 'url'))
      if (/^[a-z][a-z\d+.-]{0,99}:/i.test(value) && !/^https:/i.test(value) && !isScriptUrl(value))
        report(pointer, `Expected https, found ${quoted(value)}`)
  }),
  rule(FINDINGS.SCRIPT_URL, ({ host, entries }, report) => {
    for (const { pointer, value } of addressesOf(host, entries)) {
      // A data URL of a picture is harmless.
      const isPicture = pointer === '/host/logoUrl' && /^data:image\/(?!svg)/i.test(value)
      if (isScriptUrl(value) && !isPicture)
        report(pointer, `${quoted(value)} is run or read where it is opened: it leads nowhere else`)
    }
  }),
  placeholderRule(FINDINGS.PLACEHOLDER, [
    [['host', 'displayName'], 'who publishes the catalog'],
    [['host', 'identifier'], 'the identifier of the publisher, such as did:web: and your domain'],
    [['entries', '*', 'identifier'], 'urn:air:, your domain, a namespace and a name'],
    [['entries', '*', 'url'], 'the address of the document'],
    [['entries', '*', 'description'], 'what it does, in the words that people search for'],
    [['entries', '*', 'representativeQueries', '*'], 'a question that it answers'],
  ]),
]

function addressesOf(host: PlacedObject | undefined, entries: readonly PlacedObject[]): PlacedValue<string>[] {
  const own = ['documentationUrl', 'logoUrl'].map((name) => textMember(host, name))
  const urls = entries.map((entry) => textMember(entry, 'url'))
  const manifests = [host, ...entries].map((of) => objectMember(of, 'trustManifest'))
  const policies = manifests.map((trust) => textMember(trust, 'trustSchema', 'governanceUri'))
  const attested = manifests.flatMap((trust) =>
    elements(trust, 'attestations', isObject).map((one) => textMember(one, 'uri')),
  )
  return [...own, ...urls, ...policies, ...attested].filter((address) => address !== undefined)
}

/** An AI catalog as rules read it: only the members that are present and have the right type. */
export class AiCatalog extends RootSubject {
  readonly host = objectMember(this.root, 'host')
  readonly entries = elements(this.root, 'entries', isObject)
}

// AI Catalog, and ARD catalogs, as a specification of the frame.

export const catalogShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'AI catalogs',
  rules: shapeRules(FINDINGS.ALL),
  grammar: { uri: 'an absolute URI', 'date-time': 'a time such as 2026-11-23T10:00:00Z' },
  spell: camelCase,
  // Catalogs may have members of other versions, so no member is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that are not known are ignored' }),
}

export const AI_CATALOG: Specification<AiCatalog> = {
  kind: 'ai-catalog',
  rootObject: ROOT_OBJECT,
  subject: (document) => new AiCatalog(document),
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: catalogShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
}

// The starter catalog of `blazon init`.

/** Returns a catalog of one agent for its publisher to complete. */
export function newCatalog(
  name: string,
  { description = descriptionOf(name) }: { description?: string | undefined } = {},
): object {
  return {
    specVersion: '1.0',
    host: { displayName: YOUR_COMPANY, identifier: `did:web:${YOUR_HOST}` },
    entries: [
      {
        identifier: `urn:air:${YOUR_HOST}:agents:${slug(name, 'agent')}`,
        displayName: name,
        type: 'application/a2a-agent-card+json',
        url: `https://${YOUR_HOST}/.well-known/agent-card.json`,
        description,
        representativeQueries: [YOUR_QUERY, YOUR_QUERY],
      },
    ],
  }
}
