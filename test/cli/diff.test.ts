import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const argv = ['diff', '--canonical', 'a.json', 'b.json']

describe('blazon diff --canonical', () => {
  test('[adl/18.9-2] shows no contact of a confidential definition', async () => {
    const of = (contact: string, sensitivity = 'confidential') =>
      JSON.stringify(
        { adl_spec: '0.1.0', data_classification: { sensitivity }, provider: { name: 'A', contact } },
        null,
        1,
      )
    const { stdout, code } = await blazon(argv, {
      files: { 'a.json': of('ada@a.example'), 'b.json': of('bob@b.example') },
    })
    expect(code).toBe(1)
    expect(stdout).toContain('/provider/contact')
    expect(stdout).not.toMatch(/[ab]\.example/)
    const before = await blazon(argv, {
      files: { 'a.json': of('ada@a.example'), 'b.json': of('ada@a.example', 'public') },
    })
    expect(before.stdout).toContain('not shown: the other document is confidential')
    expect(before.stdout).not.toMatch(/a\.example/)
  })

  test('writes nothing and exits 0 for equal forms', async () => {
    const files = { 'a.json': '{"b":1.0,\n"a":"\\u0041"}', 'b.json': '{"a":"A","b":1}' }
    expect(await blazon(argv, { files })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'a.json and b.json have the same canonical form\n',
    })
    expect((await blazon([...argv, '-q'], { files })).stderr).toBe('')
  })

  test.each([
    ['value', '{\n  "b": [1, 2.50],\n  "a": "x"\n}\n', '{"a":"x","b":[1,2.25]}'],
    ['string', '{"t":\n "caf\\u00e9 noir"}', '{"t": "café nuit"}'],
    ['type', '[1, {"a": "1"}]', '[1, {"a": 1}]'],
    ['member', '{"permissions": {"hosts": [], "paths": []}}', '{"permissions":\n  {"hosts": []}}'],
    ['element', '["a"]', '["a",\n "b"]'],
  ])('different %s', async (name, a, b) => {
    const { code, stdout, stderr } = await blazon(argv, { files: { 'a.json': a, 'b.json': b } })
    expect([code, stderr]).toEqual([1, ''])
    await expect(stdout).toMatchFileSnapshot(`../../fixtures/cli/report/diff-${name}.txt`)
  })

  test('reports an unreadable or refused document', async () => {
    expect((await blazon(argv, { files: { 'a.json': '1' } })).code).toBe(3)
    const { code, stdout, stderr } = await blazon(argv, { files: { 'a.json': '[1,]', 'b.json': '{"a":1,"a":1}' } })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('a.json:1:4 error DOC-101')
    expect(stderr).toContain('b.json:1:8 error DOC-107')
  })

  test('reads one of the two from stdin', async () => {
    const ran = await blazon(['diff', '--canonical', '-', 'b.json'], { stdin: '[1]', files: { 'b.json': '[2]' } })
    expect(ran.stdout).toContain('<stdin>:1:2')
  })

  test('writes JSON', async () => {
    const files = { 'a.json': '{"a": 1}', 'b.json': '{"b": 2, "a": 1}' }
    const { code, stdout } = await blazon([...argv, '--format', 'json'], { files })
    expect(code).toBe(1)
    const common = { kind: 'member', pointer: '/b', only: 'b', canonicalOffset: 6 }
    expect(JSON.parse(stdout).results).toMatchObject([
      { file: 'a.json', valid: true, equal: false, difference: { ...common, source: { line: 1, column: 1 } } },
      { file: 'b.json', valid: true, equal: false, difference: { ...common, source: { line: 1, column: 7 } } },
    ])
    const equal = await blazon(['diff', '--canonical', 'a.json', 'a.json', '--format', 'json'], { files })
    expect(JSON.parse(equal.stdout).results[0]).toMatchObject({ file: 'a.json', equal: true })
  })
})
