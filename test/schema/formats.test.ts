import { describe, expect, it } from 'vitest'
import {
  isDate,
  isDateTime,
  isEmail,
  isIpv4,
  isIpv6,
  isJsonPointer,
  isMimeType,
  isSemver,
  isUri,
  isUriReference,
  isUrn,
} from '../../bindings/schema/formats.ts'
import { processorTime } from '../support/effort.ts'
import { hasSuite, suiteFile } from '../support/suites.ts'

interface Group {
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const SUITE: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  ipv4: isIpv4,
  ipv6: isIpv6,
  'json-pointer': isJsonPointer,
  uri: isUri,
  'uri-reference': isUriReference,
}

describe.runIf(hasSuite('json-schema-formats'))('the format tests of the JSON Schema test suite', () => {
  it.each(Object.entries(SUITE))('%s', (name, check) => {
    const text = new TextDecoder().decode(suiteFile('json-schema-formats', `${name}.json`))
    const tests = (JSON.parse(text) as Group[]).flatMap((group) => group.tests)
    const texts = tests.filter((test) => typeof test.data === 'string')
    expect(texts.length).toBeGreaterThan(20)
    expect(texts.filter(({ data, valid }) => check(data as string) !== valid)).toEqual([])
  })
})

describe.runIf(hasSuite('rfc-vectors'))('the URIs of RFC 3986', () => {
  it('accepts the examples of section 1.1.2 and every reference of section 5.4', () => {
    const vectors = JSON.parse(new TextDecoder().decode(suiteFile('rfc-vectors', 'rfc3986-resolve.json')))
    expect(vectors.validUris.filter((uri: string) => !isUri(uri))).toEqual([])
    const references = Object.entries(vectors.resolve as Record<string, string>)
    expect(references.filter(([reference, uri]) => !isUriReference(reference) || !isUri(uri))).toEqual([])
  })
})

/** What each format accepts and refuses, from the examples and the grammar of its specification. */
const CASES: readonly [
  name: string,
  check: (text: string) => boolean,
  yes: readonly string[],
  no: readonly string[],
][] = [
  [
    'dates (RFC 3339 section 5.6)',
    isDate,
    ['1985-04-12', '2000-02-29', '2024-02-29', '0000-01-01'],
    ['1900-02-29', '2023-02-29', '1985-4-12', '1985-04-31', '1985-00-01', '1985-04-00', '1985-04-12Z', ''],
  ],
  [
    'times (RFC 3339 section 5.8)',
    isDateTime,
    [
      '1985-04-12T23:20:50.52Z',
      '1996-12-19T16:39:57-08:00',
      '1990-12-31T23:59:60Z',
      '1990-12-31T15:59:60-08:00',
      '1937-01-01T12:00:27.87+00:20',
      '2017-01-01T00:59:60+01:00',
    ],
    [
      '1985-04-12T23:20:50',
      '1985-04-12T23:20:50.Z',
      '1985-04-12 23:20:50Z',
      '1985-04-12T23:20Z',
      '2017-01-01T00:59:60-01:00',
      '1985-04-12T23:20:50+0100',
    ],
  ],
  [
    'URIs with unusual parts (RFC 3986 section 3)',
    isUri,
    ['http://[v7.a:b]/', 'http://h:/', 'file:///etc/hosts', 'a:', 'x://@/', 'did:web:example.com%3A3000'],
    ['http://[v7.]/', 'http://[v.a]/', 'http://[::1', 'http://[fe80::1%25en0]/', 'http://h:80x/', '1a:b', ':'],
  ],
  [
    'URNs (RFC 8141 section 2 and its examples)',
    isUrn,
    [
      'urn:example:a123,0%7C00~&z456/789?+abc?=xyz#12/3',
      'URN:EXAMPLE:a123,z456',
      'urn:example:1/406/47452/2',
      'urn:example:foo-bar-baz-qux?+CCResolve:cc=uk',
      'urn:example:weather?=op=map&lat=39.56&lon=-104.85',
      'urn:example:a#',
      'urn:adl:profile:governance:1.0',
    ],
    [
      'urn:a:b',
      'urn:-example:a',
      'urn:example-:a',
      'urn:example:',
      'urn:example:/a',
      'urn:example:a?b',
      'urn:example:a?+',
      'urn:example:a?=',
      `urn:${'n'.repeat(33)}:a`,
      'urn:exa_mple:a',
      'uri:example:a',
      'urn:example',
    ],
  ],
  [
    'mail addresses (RFC 5321 sections 4.1.2 and 4.5.3.1)',
    isEmail,
    [
      'joe.bloggs@example.com',
      "!#$%&'*+-/=?^_`{|}~@example.com",
      'a@localhost',
      'a@[127.0.0.1]',
      'a@[IPv6:::1]',
      `${'l'.repeat(64)}@example.com`,
    ],
    [
      '2962',
      '@example.com',
      'a@',
      '.a@example.com',
      'a.@example.com',
      'a..b@example.com',
      'a@b@example.com',
      'a@-b.example',
      'a@b-.example',
      'a@example..com',
      'a@example.com.',
      'a b@example.com',
      'a@[127.0.0.300]',
      'a@[IPv6:zz]',
      'é@example.com',
      `${'l'.repeat(65)}@example.com`,
      `a@${'d'.repeat(64)}.com`,
      `a@${'d.'.repeat(128)}com`,
    ],
  ],
  [
    'media types (RFC 6838 section 4.2, RFC 9110 section 8.3.1)',
    isMimeType,
    [
      'application/json',
      'text/html;charset=utf-8',
      'Text/HTML;Charset="utf-8"',
      'text/html; charset="utf-8"',
      'text/plain ; a="\\"b\\""; ;',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/adl+json',
    ],
    [
      'application',
      'application/',
      '/json',
      'text/*',
      '*/*',
      'text/html/x',
      'text/ html',
      '-a/b',
      'text/html; charset',
      'text/html; charset=',
      'text/html; charset="',
      'text/html, text/plain',
      'text/html;a=b c',
      `${'t'.repeat(128)}/a`,
    ],
  ],
  [
    'versions (the semver production of ADL appendix D)',
    isSemver,
    ['0.1.0', '1.0.0', '10.20.30', '01.0.0', `${'9'.repeat(400)}.0.0`],
    ['1.0', '1.0.0.0', '0.1.0-draft', '1.0.0+a', 'v1.0.0', '1..0', '1.0.', '', ' 1.0.0', '1.0.0\n', '१.0.0'],
  ],
]

describe('formats', () => {
  it.each(CASES)('%s', (_, check, yes, no) => {
    expect(yes.filter((text) => !check(text))).toEqual([])
    expect(no.filter(check)).toEqual([])
  })

  it('answers in linear time', () => {
    const n = 1 << 20
    const hostile = [
      `http://${'a:'.repeat(n)}@@`,
      `a${'%41'.repeat(n)}%4`,
      `urn:ex:${'a?'.repeat(n)}\u0000`,
      `${'a.'.repeat(n)}@`,
      `a/b${';'.repeat(n)}=`,
      `${':'.repeat(n)}`,
      `${'/~0'.repeat(n)}~`,
      `2000-01-01T00:00:00.${'0'.repeat(n)}`,
    ]
    const begin = processorTime()
    for (const [, check] of [...CASES, ...Object.entries(SUITE)]) for (const text of hostile) check(text)
    expect(processorTime() - begin).toBeLessThan(5_000)
  })
})
