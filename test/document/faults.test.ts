import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PATTERN_KINDS } from '../../bindings/core/pattern-faults.ts'
import { FAULTS, faultToDiagnostic, WARNINGS } from '../../bindings/document/faults.ts'
import { formatPosition } from '../../bindings/document/finding.ts'
import { LIMIT_SIZE } from '../../bindings/document/findings.ts'
import { DocumentError, formatDiagnostic, parseJson as parse } from '../../bindings/document/index.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { filesOf } from '../../scripts/files.mjs'

const only = (source: string | Uint8Array): Diagnostic => {
  const { diagnostics } = parse(source)
  expect(diagnostics).toHaveLength(1)
  return diagnostics[0]!
}
const hexBytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

/** The source range as `line:column-column`, and its text. */
function underlined(source: string, { source: range }: Diagnostic): string {
  return Buffer.from(source).subarray(range.offset, range.endOffset).toString()
}

describe('the words of every fault', () => {
  // [source, code, underlined text, pointer, expected part of the detail, expected part of the hint]
  test.each([
    ['', 'DOC-102', '', '', 'found an empty document', ''],
    [' \n', 'DOC-102', '', '', 'found an empty document', ''],
    ['[1,]', 'DOC-101', ']', '', 'expected a value, found `]`', 'remove the comma'],
    ['{"a":1,\n}', 'DOC-101', '}', '', 'expected a member name in double quotes', 'remove the comma'],
    ['{a: 1}', 'DOC-101', 'a', '', 'expected a member name in double quotes or `}`', 'double quotes'],
    ["['x']", 'DOC-101', "'", '/0', "found `'`", 'double quotes'],
    ['[“x”]', 'DOC-101', '“', '/0', 'found `“` (U+201C)', 'double quotes'],
    ['[1 2]', 'DOC-101', '2', '', 'expected `,` or `]`, found `2`', 'comma'],
    ['{"a":1 "b":2}', 'DOC-101', '"b"', '', 'expected `,` or `}`, found the string "b"', 'comma'],
    ['{"a" 1}', 'DOC-101', '1', '/a', 'expected `:`, found `1`', ''],
    ['{"a"= 1}', 'DOC-101', '=', '/a', 'expected `:`, found `=`', 'colon'],
    ['{"a": tru}', 'DOC-101', 'tru', '/a', 'found `tru`', 'write true'],
    ['[True]', 'DOC-101', 'True', '/0', 'found `True`', 'write true'],
    ['[FALSE]', 'DOC-101', 'FALSE', '/0', 'found `FALSE`', 'write false'],
    ['[None]', 'DOC-101', 'None', '/0', 'found `None`', 'write null'],
    ['[NaN]', 'DOC-101', 'NaN', '/0', 'found `NaN`', 'finite'],
    ['[hello]', 'DOC-101', 'hello', '/0', 'found `hello`', 'double quotes'],
    ['[0x1F]', 'DOC-101', '0x1F', '/0', 'found `0x1F`', 'decimal'],
    ['[+1]', 'DOC-101', '+1', '/0', 'found `+1`', 'plus'],
    ['[.5]', 'DOC-101', '.5', '/0', 'found `.5`', 'before the decimal point'],
    ['[1] // x', 'DOC-103', '/', '', 'expected the end of the document, found `/`', ''],
    ['// x\n1', 'DOC-101', '/', '', 'found `/`', 'no comments'],
    ['[1}', 'DOC-101', '}', '', 'expected `,` or `]`, found `}`', ''],
    ['[1,\u0007]', 'DOC-101', '\u0007', '/1', 'the control character U+0007', ''],
    ['{"a": [1, 2', 'DOC-102', '', '/a', 'expected `,` or `]`', ''],
    ['{"a": "x', 'DOC-102', '', '/a', 'ends inside the string that begins at line 1, column 7', ''],
    ['[tru', 'DOC-102', '', '/0', 'ends inside `tru`', ''],
    ['{} {}', 'DOC-103', '{', '', 'found `{`', 'one value'],
    [
      '{"a":{"x":1,"x":2}}',
      'DOC-107',
      '"x"',
      '/a/x',
      '"x" is already a member of this object, at line 1, column 7',
      '',
    ],
    ['{"a":1,"\\u0061":2}', 'DOC-107', '"\\u0061"', '/a', '"\\u0061" is already a member', 'remove or rename'],
    ['["\\ud800"]', 'DOC-108', '\\ud800', '/0', '`\\ud800` is half of a surrogate pair', ''],
    ['["\\ude00\\ud83d"]', 'DOC-108', '\\ude00', '/0', 'half of a surrogate pair', ''],
    ['["\\x41"]', 'DOC-109', '\\x', '/0', 'found `\\x`', 'backslash'],
    ['["\\u12g4"]', 'DOC-109', '\\u12', '/0', 'expected four hexadecimal digits, found `\\u12`', ''],
    ['["a\tb"]', 'DOC-110', '\t', '/0', 'expected the escape \\t, found the control character U+0009', 'write \\t'],
    ['["a\nb"]', 'DOC-110', '\n', '/0', 'U+000A', 'own line'],
    ['[01]', 'DOC-111', '01', '/0', '`01` is not a JSON number: leading zeros', ''],
    ['[1.]', 'DOC-111', '1.', '/0', 'a digit must follow the decimal point', ''],
    ['[1e+]', 'DOC-111', '1e+', '/0', 'the exponent has no digits', ''],
    ['[-]', 'DOC-111', '-', '/0', 'a digit must follow the sign', ''],
    ['[1e400]', 'DOC-112', '1e400', '/0', '`1e400` is larger than the largest double', 'string'],
    ['[9007199254740993]', 'DOC-120', '9007199254740993', '/0', '`9007199254740993` is beyond 2^53 - 1', 'string'],
    ['{"n": 1e-400}', 'DOC-121', '1e-400', '/n', '`1e-400` is nearer to zero', ''],
  ])('%j is %s at %j', (source, code, range, pointer, detail, hint) => {
    const diagnostic = only(source)
    expect(diagnostic).toMatchObject({ code, source: { pointer } })
    expect(underlined(source, diagnostic)).toBe(range)
    expect(diagnostic.detail).toContain(detail)
    expect(diagnostic.fix?.hint ?? '').toContain(hint)
  })

  // RFC 3629 section 4; section 3 for why 0xC0, 0xED 0xA0 and 0xF5 are out.
  test.each(['22 ff 22', '22 80 22', '22 c0 80 22', '22 e2 82 22', '22 ed a0 80 22', '22 f4 90 80 80 22', '22 f5 22'])(
    'bytes %s are not UTF-8',
    (hex) => {
      expect(only(hexBytes(hex))).toMatchObject({ code: 'DOC-104', source: { offset: 1, endOffset: 2, column: 2 } })
    },
  )

  test('byte order marks and other encodings', () => {
    expect(only(hexBytes('ef bb bf 7b 7d'))).toMatchObject({ code: 'DOC-105', source: { offset: 0, endOffset: 3 } })
    expect(only(hexBytes('ff fe 7b 00'))).toMatchObject({ code: 'DOC-106' })
    expect(only(hexBytes('00 7b 00 7d'))).toMatchObject({ code: 'DOC-106' })
  })

  test('half of a pair in a JavaScript string is refused, not replaced', () => {
    expect(only('["é\ud83d"]')).toMatchObject({ code: 'DOC-108', source: { offset: 4, column: 4, pointer: '/0' } })
  })

  test('a long token is cut in words and whole in its range', () => {
    const digits = '9'.repeat(500)
    const diagnostic = only(`[${digits}]`)
    expect(diagnostic.detail.length).toBeLessThan(120)
    expect(diagnostic.source).toMatchObject({ offset: 1, endOffset: 501 })
  })

  test('names the flaw of a long number even after the place where its text is cut', () => {
    expect(only(`[${'1'.repeat(500)}e+]`).detail).toMatch(/…` is not a JSON number: the exponent has no digits$/)
  })

  test('the finding of a duplicate has the place of the first one', () => {
    const { related, source } = only('{\n  "a": 1,\n  "a": 2\n}')
    expect(source).toMatchObject({ line: 3, column: 3, endLine: 3, endColumn: 6 })
    expect(related).toEqual([{ pointer: '/a', message: 'the first one is at line 2, column 3' }])
  })

  test('the finding of an unfinished container has its start', () => {
    expect(only('{\n  "a": [1').related).toEqual([{ pointer: '/a', message: 'the array begins at line 2, column 8' }])
  })
})

describe('fixes', () => {
  test.each([
    ['[1,]', '[1]'],
    ['{"a": 1 ,\n}', '{"a": 1 \n}'],
    ['{a: 1}', '{"a": 1}'],
    ['["a\tb"]', '["a\\tb"]'],
    ['["\u0001"]', '["\\u0001"]'],
    ['\ufeff[1]', '[1]'],
  ])('%j becomes %j', (source, fixed) => {
    const bytes = Buffer.from(source)
    const { edits } = only(source).fix!
    let text = ''
    let at = 0
    for (const edit of edits!) {
      text += bytes.subarray(at, edit.offset).toString() + edit.text
      at = edit.endOffset
    }
    text += bytes.subarray(at).toString()
    expect(text).toBe(fixed)
    expect(parse(text).diagnostics).toEqual([])
  })
})

describe('the table of faults', () => {
  const page = readFileSync('docs/reference/diagnostics.md', 'utf8')
  const rows = [...Object.values(FAULTS), ...Object.values(WARNINGS), LIMIT_SIZE]

  // JSON_POINTER is about an argument, not a document: the bindings throw a RangeError instead.
  test('has a row for exactly the faults that the core can return', () => {
    const numbers = [...readFileSync('core/faults.ts', 'utf8').matchAll(/^export const (\w+): i32 = (-\d+);/gm)]
    const json = numbers
      .filter(([, name]) => name === 'NO_MEMORY' || /^JSON_(?!POINTER)/.test(name!))
      .map(([, , n]) => n)
    expect(Object.keys(FAULTS).sort()).toEqual(json.sort())
    const warnings = [...readFileSync('core/json/tape.ts', 'utf8').matchAll(/^export const WARN_\w+: u32 = (\d+);/gm)]
    expect(Object.keys(WARNINGS)).toEqual(warnings.map(([, n]) => n))
  })

  test('uses each code, rule and title once', () => {
    for (const key of ['code', 'id', 'title'] as const) {
      expect(new Set(rows.map((row) => row[key])).size, key).toBe(rows.length)
    }
  })

  test('is documented code by code', () => {
    for (const { code, id, title, section: demanded } of rows) {
      const section = page.split(`\n### ${code} ${title}\n`)[1]?.split('\n### ')[0]
      expect(section, code).toBeDefined()
      expect(section).toContain(`\`${id}\``)
      expect(section).toContain(demanded)
    }
    for (const [reason, { code, title }] of Object.entries(PATTERN_KINDS)) {
      expect(page).toContain(`\n### ${code} ${title}\n\n\`pattern/${reason}\``)
    }
  })

  test('has words for every error and warning about patterns', () => {
    const source = readFileSync('bindings/core/pattern-findings.ts', 'utf8')
    const reasons = [...source.matchAll(/^ {2}\[[A-Z_]+\]: \[\s*'([a-z-]+)'|reason: '([a-z-]+)'/gm)].map(
      (found) => found[1] ?? found[2],
    )
    expect(Object.keys(PATTERN_KINDS).sort()).toEqual([...new Set(reasons)].sort())
  })

  test('every code in the sources has a section, and every section a code', () => {
    const named = new Set<string>()
    for (const file of ['bindings', 'cli', 'edge', 'browser-demo'].flatMap(filesOf)) {
      if (!file.endsWith('.ts')) continue
      for (const [code] of readFileSync(file, 'utf8').matchAll(/\bDOC-\d{3}\b/g)) named.add(code)
    }
    const documented = [...page.matchAll(/^### (DOC-\d{3}) /gm)].map(([, code]) => code!)
    expect(documented).toHaveLength(new Set(documented).size)
    expect([...named].sort()).toEqual(documented.sort())
  })

  test('has no fault of another module', () => {
    expect(() => faultToDiagnostic('', { code: -30, offset: 0, first: -1 })).toThrow(RangeError)
  })
})

describe('DocumentError', () => {
  test('its message is the first finding, its data all findings', () => {
    const { diagnostics } = parse('[1,\n 01]', { file: 'a.json' })
    const error = new DocumentError(diagnostics)
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe('DocumentError')
    expect(error.message).toBe('a.json:2:2: error DOC-111: `01` is not a JSON number: leading zeros are not allowed')
    expect(error.message).toBe(formatDiagnostic(diagnostics[0]!))
    expect(error.diagnostics).toBe(diagnostics)
  })

  test('positions without a file', () => {
    expect(formatPosition(only('[01]').source)).toBe('1:2')
  })
})
