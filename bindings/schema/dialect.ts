/** The dialect that is supported here. */
export const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

const VOCABULARY = 'https://json-schema.org/draft/2020-12/vocab/'

/** The vocabularies whose keywords are known, annotations included. */
const KNOWN = ['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content']

/** The short name of a vocabulary; undefined for one that is not known here. */
export function vocabularyName(uri: string): string | undefined {
  const name = uri.startsWith(VOCABULARY) ? uri.slice(VOCABULARY.length) : ''
  return KNOWN.includes(name) ? name : undefined
}
