import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { isAgentUri, readAgentUri } from '../../bindings/card/agent-uri.ts'
import { processorTime } from '../support/effort.ts'

describe('[card/3.3-1] agent:// URIs', () => {
  // Examples of the draft and of related specifications.
  it.each([
    ['agent://translator-zh-en', 'translator-zh-en', ''],
    ['agent://translate/zh-en', 'translate', '/zh-en'],
    ['agent://did:key:z6Mk', 'did:key:z6Mk', ''],
    [
      'agent://12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV',
      '12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV',
      '',
    ],
    ['agent://%E7%BF%BB/a@b:c', '%E7%BF%BB', '/a@b:c'],
    ["agent://a~._-!$&'()*+,;=", "a~._-!$&'()*+,;=", ''],
  ])('%s', (text, authority, path) => {
    expect(readAgentUri(text)).toEqual({ authority, path })
  })

  it.each([
    ['', 0, 'expected agent://, found an empty string'],
    ['https://example.com', 0, "expected agent://, found the string 'https://example.com'"],
    ['Agent://scout', 0, "expected agent:// in small letters, found the string 'Agent://scout'"],
    ['agent:scout', 0, "expected agent://, found the string 'agent:scout'"],
    ['agent://', 8, 'expected the name of an agent behind agent://, found none'],
    ['agent:///scout', 8, 'expected the name of an agent behind agent://, found none'],
    ['agent://user@scout', 12, "expected a character of a URI, found '@': an authority has no user information"],
    ['agent://scout?v=1', 13, "expected a character of a URI, found '?': an id has no query"],
    ['agent://scout#tools', 13, "expected a character of a URI, found '#': an id has no fragment"],
    ['agent://%4', 8, "expected a character of a URI, found '%': two hexadecimal digits stand behind %"],
    ['agent://翻译', 8, "expected a character of a URI, found '翻': other characters are percent-encoded"],
    ['agent://a b', 9, "expected a character of a URI, found ' ': other characters are percent-encoded"],
    ['agent://a\\b', 9, "expected a character of a URI, found '\\': segments are separated by /"],
    ['agent://a/', 9, 'expected segments with a name, found one that is empty, . or ..'],
    ['agent://a//b', 9, 'expected segments with a name, found one that is empty, . or ..'],
    ['agent://a/../b', 9, 'expected segments with a name, found one that is empty, . or ..'],
    ['agent://a/b/.', 11, 'expected segments with a name, found one that is empty, . or ..'],
    [`agent://${'a'.repeat(2041)}`, 2048, 'expected at most 2048 characters, found 2049'],
  ])('refuses %s', (text, at, detail) => {
    expect(readAgentUri(text)).toEqual({ at, detail })
    expect(isAgentUri(text)).toBe(false)
  })

  test('parses or refuses any text, and returns accepted parts exactly as written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (tail) => {
        const text = `agent://${tail}`
        const read = readAgentUri(text)
        if ('authority' in read) expect(`agent://${read.authority}${read.path}`).toBe(text)
        else expect(read.at).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 300 },
    )
  })

  test('parses a long hostile text in linear time', () => {
    const start = processorTime()
    for (const text of [`agent://${'%'.repeat(1e6)}`, `agent://a${'/.'.repeat(1000)}`, `${'agent://'.repeat(1e5)}`]) {
      readAgentUri(text)
    }
    expect(processorTime() - start).toBeLessThan(500)
  })
})
