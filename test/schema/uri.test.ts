import { describe, expect, it } from 'vitest'
import { resolveUri } from '../../bindings/schema/metaschema.ts'
import { hasSuite, suiteFile } from '../support/suites.ts'

describe('resolving references', () => {
  it.runIf(hasSuite('rfc-vectors'))('follows the examples of RFC 3986 section 5.4', () => {
    const { base, resolve } = JSON.parse(new TextDecoder().decode(suiteFile('rfc-vectors', 'rfc3986-resolve.json')))
    const resolved = Object.keys(resolve).map((reference) => {
      const { uri, fragment } = resolveUri(base, reference)
      return [reference, reference.includes('#') ? `${uri}#${fragment}` : uri]
    })
    expect(resolved).toEqual(Object.entries(resolve))
  })

  // By the algorithm of section 5.2.2.
  it.each([
    ['urn:example:a', '#b', 'urn:example:a', 'b'],
    ['urn:example:a', 'urn:example:c', 'urn:example:c', ''],
    ['', 'a/b', 'a/b', ''],
    ['', '#/a', '', '/a'],
    ['http://a', 'b', 'http://a/b', ''],
    ['http://a/b?c', '', 'http://a/b?c', ''],
    ['a/b', '../../../c', 'c', ''],
  ])('%j and %j', (base, reference, uri, fragment) => {
    expect(resolveUri(base, reference)).toEqual({ uri, fragment })
  })
})
