/**
 * Vectors that ship with Blazon: those of RFC 8785, and small hand-made ones of our own.
 * @module
 */
import type { PatternKind } from '../core/patterns.ts'

/** RFC 8785, appendix B: bits of a double, most significant first, and its text. */
export const NUMBERS: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
]

/** Documents and their canonical forms. The first two are RFC 8785, sections 3.2.2 to 3.2.4. */
export const CANONICAL: readonly (readonly [document: string, canonical: string])[] = [
  [
    String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    // Not String.raw: Bun escapes the non-ASCII characters of raw templates.
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  ],
  [
    String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  ],
  [' { "b" : [ 1.0 , -0 , 1E2 ] , "a" : { } } ', '{"a":{},"b":[1,0,100]}'],
  ['{"ab":1,"a":2,"":3}', '{"":3,"a":2,"ab":1}'],
  ['{"12345678b":1,"12345678a":2,"12345678":3}', '{"12345678":3,"12345678a":2,"12345678b":1}'],
  ['[1e21,1e20,0.000001,1e-7,5e-324]', '[1e+21,100000000000000000000,0.000001,1e-7,5e-324]'],
  ['"e\\u0301 \\u00e9 \\uD834\\uDD1E"', '"e\u0301 \u00e9 \ud834\udd1e"'],
]

/** Documents in hex, each with its fault (the rule of the diagnostic) and the offset where it is detected. */
export const REFUSED: readonly (readonly [hex: string, rule: string, offset: number])[] = [
  ['7b2261223a312c2261223a317d', 'json/duplicate-member', 7], // {"a":1,"a":1}
  ['7b2261223a312c225c7530303631223a317d', 'json/duplicate-member', 7], // the same, the second one escaped
  ['225c756438303022', 'json/lone-surrogate', 1], // "\ud800"
  ['22c0af22', 'json/utf-8', 1], // an overlong slash
  ['22eda08022', 'json/utf-8', 1], // an encoded surrogate
  ['efbbbf7b7d', 'json/byte-order-mark', 0],
  ['5b315d5d', 'json/trailing', 3], // [1]]
  ['5b31653430305d', 'json/number-overflow', 1], // [1e400]
]

/** ADL section 4.4 and Agent Card section 3.6.1: texts that match, and texts that do not. */
export const PATTERNS: readonly (readonly [kind: PatternKind, pattern: string, yes: string[], no: string[]])[] = [
  ['host', '*.example.com', ['api.example.com', 'API.Example.COM'], ['example.com', 'a.b.example.com']],
  ['path', '/data/**', ['/data/', '/data/foo', '/data/foo/bar/baz'], ['/data', '/database']],
  ['path', '/a/**/b', ['/a/b', '/a/x/y/b'], ['/a/bb', '/b']],
  ['path', '/tmp/*.txt', ['/tmp/a.txt', '/tmp/.txt'], ['/tmp/a/b.txt', '/tmp/A.TXT']],
  ['env', 'APP_*', ['APP_PORT', 'APP_'], ['app_port', 'XAPP_']],
  ['tag', 'nlp/*', ['nlp', 'nlp/translation', 'nlp/text-analysis/sentiment'], ['nlpx', 'vision']],
]

/** ADL section 7.2: template, variables, output. */
export const TEMPLATES: readonly (readonly [template: string, variables: Record<string, string>, output: string])[] = [
  ['Hello {{name}}!', { name: 'Ada' }, 'Hello Ada!'],
  ['{{a}}{{b}}{{a}}', { a: '{{b}}', b: '\u00e9\ud83d\ude00' }, '{{b}}\u00e9\ud83d\ude00{{b}}'],
  ['\\{{a}} { {{a}} }', { a: 'x' }, '{{a}} { x }'],
]
