/** The supported drafts, in order: draft-07, 2019-09, 2020-12. */
export type Draft = 7 | 2019 | 2020

/** The rules for reading a schema. */
export interface Dialect {
  readonly draft: Draft
  /** Set when a metaschema declares vocabularies; otherwise all of the draft's apply. */
  readonly vocabularies?: ReadonlySet<string>
}

/** The dialect of a schema without `$schema`. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const DRAFTS: ReadonlyMap<string, Draft> = new Map([
  ['http://json-schema.org/draft-07/schema', 7],
  ['https://json-schema.org/draft/2019-09/schema', 2019],
  [DIALECT, 2020],
])

/** The names of the drafts, for messages. */
export const KNOWN_DRAFTS = 'draft-07, 2019-09 and 2020-12'

/** The draft whose metaschema has this URI, written without a fragment. */
export function draftOf(uri: string): Draft | undefined {
  return DRAFTS.get(uri)
}

/**
 * In 2019-09, `applicator` includes the unevaluated keywords. Its `format` vocabulary asserts, which is not supported.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '2019-09': ['core', 'applicator', 'validation', 'meta-data', 'content'],
  '2020-12': ['core', 'applicator', 'validation', 'meta-data', 'content', 'unevaluated', 'format-annotation'],
}

/** The short names of the vocabularies behind a URI; empty for an unknown one. */
export function vocabularyNames(uri: string): readonly string[] {
  const [, draft = '', name = ''] = /^https:\/\/json-schema\.org\/draft\/(20\d\d-\d\d)\/vocab\/(.*)$/.exec(uri) ?? []
  if (!(Object.hasOwn(NAMES, draft) && NAMES[draft]!.includes(name))) return []
  return draft === '2019-09' && name === 'applicator' ? [name, 'unevaluated'] : [name]
}
