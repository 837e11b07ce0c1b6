import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const files = {
  'a.json': '{"b":1.50,"a":[1,2]}',
  'b.yaml': 'b:   1.50 # one\na: [ 1,2 ]\n',
  'good.json': '{\n  "a": 1\n}\n',
  'bad.json': '{"a":}',
}
const A = '{\n  "b": 1.50,\n  "a": [1, 2]\n}\n'
const B = 'b: 1.50 # one\na: [1, 2]\n'

describe('blazon fmt', () => {
  test('writes to stdout', async () => {
    expect(await blazon(['fmt', 'a.json', 'b.yaml'], { files })).toMatchObject({ code: 0, stdout: A + B, stderr: '' })
    expect((await blazon(['fmt'], { stdin: files['a.json'] })).stdout).toBe(A)
    expect((await blazon(['fmt', '-'], { stdin: files['b.yaml'] })).stdout).toBe(B)
    expect((await blazon(['fmt', '--sort', 'a.json', 'b.yaml'], { files })).stdout).toBe(
      '{\n  "a": [1, 2],\n  "b": 1.50\n}\na: [1, 2]\nb: 1.50 # one\n',
    )
  })

  test('--check lists unformatted files, and exits 1', async () => {
    const { code, stdout, stderr, saved } = await blazon(['fmt', '--check', 'a.json', 'good.json', 'b.yaml'], { files })
    expect([code, stdout, stderr, saved.size]).toEqual([1, 'a.json\nb.yaml\n', '2 of 3 files not formatted\n', 0])
    expect(await blazon(['fmt', '--check', 'good.json'], { files })).toMatchObject({ code: 0, stdout: '' })
    const none = await blazon(['fmt', '--check', 'docs'], { files: { 'docs/a.txt': 'a' } })
    expect([none.code, none.stderr]).toEqual([
      3,
      expect.stringMatching(/has no file that ends in \.adl\.json, [^\n]*\n/),
    ])
    expect(none.stderr).not.toContain('formatted')
  })

  test('[adl/5.2-1] --add-schema adds $schema to definitions, except signed ones and those with one', async () => {
    const schema = 'https://adl-spec.org/0.1/schema.json'
    const signed =
      '{\n  "adl_spec": "0.1.0",\n  "security": {\n    "attestation": {\n      "signature": {}\n    }\n  }\n}\n'
    const given = {
      'a.json': '{"adl_spec":"0.1.0"}',
      'a.yaml': '# mine\nadl_spec: 0.1.0\n',
      'has.json': '{\n  "$schema": "https://x.example/s",\n  "adl_spec": "0.1.0"\n}\n',
      'other.json': '[1]\n',
      'signed.json': signed,
    }
    const fmt = async (name: string, ...more: string[]) =>
      blazon(['fmt', '--add-schema', name, ...more], { files: given })
    expect((await fmt('a.json')).stdout).toBe(`{\n  "$schema": "${schema}",\n  "adl_spec": "0.1.0"\n}\n`)
    expect((await fmt('a.yaml')).stdout).toBe(`# mine\n$schema: ${schema}\nadl_spec: 0.1.0\n`)
    for (const name of ['has.json', 'other.json', 'signed.json'] as const)
      expect((await fmt(name)).stdout).toBe(given[name])
    expect((await fmt('a.yaml', '--check')).code).toBe(1)
  })

  test('--write overwrites only unformatted files', async () => {
    const { code, stdout, saved } = await blazon(['fmt', '--write', 'a.json', 'good.json', 'b.yaml'], { files })
    expect([code, stdout]).toEqual([0, 'a.json\nb.yaml\n'])
    expect([...saved].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['a.json', A],
      ['b.yaml', B],
    ])
  })

  test('removes a byte order mark, and reports it', async () => {
    const { code, stdout, stderr } = await blazon(['fmt', 'a.json'], { files: { 'a.json': '\ufeff[1]\n' } })
    expect([code, stdout]).toEqual([0, '[1]\n'])
    expect(stderr).toContain('a.json:1:1 warning DOC-105')
    expect((await blazon(['fmt', '--check', 'a.json'], { files: { 'a.json': '\ufeff[1]\n' } })).code).toBe(1)
  })

  test('reports faults, and formats the other files', async () => {
    const { code, stdout, stderr } = await blazon(['fmt', 'bad.json', 'a.json'], { files })
    expect([code, stdout]).toEqual([1, A])
    expect(stderr).toContain('bad.json:1:6 error DOC-101')
    expect((await blazon(['fmt', 'none.json'], { files })).code).toBe(3)
  })

  test('leaves a document alone whose meaning sorting would change', async () => {
    const { code, stdout, stderr } = await blazon(['fmt', '--sort', '-'], { stdin: 'b: &x 1\na: *x\n' })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('DOC-123')
  })

  test('reports a file that cannot be written, and exits 3', async () => {
    const { code, stdout, stderr } = await blazon(['fmt', '--write', 'a.json', 'b.yaml'], {
      files,
      readOnly: ['a.json'],
    })
    expect([code, stdout]).toEqual([3, 'b.yaml\n'])
    expect(stderr).toContain('a.json:1:1 error DOC-124')
  })

  test('--format json contains the texts', async () => {
    const { stdout } = await blazon(['fmt', 'a.json', 'good.json', '--format', 'json'], { files })
    expect(JSON.parse(stdout).results).toMatchObject([
      { file: 'a.json', valid: true, formatted: false, text: A },
      { file: 'good.json', valid: true, formatted: true },
    ])
  })

  test.each([
    ['--check --write a.json', '--check and --write exclude each other'],
    ['--write -', '- cannot be written'],
    ['a.json#/a', 'expected a whole document, got a.json#/a'],
  ])('blazon fmt %s is wrong usage', async (line, message) => {
    const { code, stderr } = await blazon(['fmt', ...line.split(' ')], { files, stdin: '1' })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
