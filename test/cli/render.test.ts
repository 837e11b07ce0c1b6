import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

describe('blazon render', () => {
  test('[adl/7.2-3] [adl/7.2-5] [adl/7.2-6] replaces only names by values', async () => {
    const argv = ['render', '--text', 'Hi {{name}}, \\{{x}} {{n}}', '--var', 'name={{n}}=', '--var', 'n=']
    expect(await blazon(argv)).toMatchObject({ code: 0, stdout: 'Hi {{n}}=, {{x}} ', stderr: '' })
  })

  test('the template comes from a file or stdin, values from a file; --var wins', async () => {
    const files = { 't.txt': '{{a}} {{b}} {{c}}\n', 'v.json': '{"a": "A", "b": 1.0, "c": true, "unused": [1]}' }
    const argv = ['--vars', 'v.json', '--var', 'a=Z']
    expect((await blazon(['render', 't.txt', ...argv], { files })).stdout).toBe('Z 1 true\n')
    expect((await blazon(['render', '-', ...argv], { files, stdin: files['t.txt'] })).stdout).toBe('Z 1 true\n')
    const fromStdin = await blazon(['render', 't.txt', '--vars', '-'], { files, stdin: files['v.json'] })
    expect(fromStdin.stdout).toBe('A 1 true\n')
  })

  test('shows where a variable without a value is used', async () => {
    const { code, stdout, stderr } = await blazon(['render', '--text', 'a\n{{b}} {{c}}', '--var', 'b=1'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('<text>:2:7 error DOC-155')
  })

  test('shows where a malformed template breaks off', async () => {
    const { code, stderr } = await blazon(['render', 't.txt'], { files: { 't.txt': 'x {{a' } })
    expect(code).toBe(1)
    expect(stderr).toContain('t.txt:1:3 error DOC-150')
  })

  test('treats names of Object.prototype like others', async () => {
    const text = '{{constructor}}'
    expect((await blazon(['render', '--text', text])).code).toBe(1)
    expect((await blazon(['render', '--text', text, '--var', 'constructor=x'])).stdout).toBe('x')
    const files = { 'v.json': '{"__proto__": {"a": "b"}}' }
    expect((await blazon(['render', '--text', '{{a}}', '--vars', 'v.json'], { files })).code).toBe(1)
  })

  test.each([
    ['[1]', 'DOC-160'],
    ['{"a": 1,}', 'DOC-101'],
    ['{"a": {"b": 1}}', 'DOC-156'],
  ])('values %s end with %s', async (values, expected) => {
    const { code, stdout, stderr } = await blazon(['render', '--text', '{{a}}', '--vars', '-'], { stdin: values })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(expected)
  })

  test('reports missing files', async () => {
    expect((await blazon(['render', 'none.txt'])).code).toBe(3)
    expect((await blazon(['render', '--text', 'x', '--vars', 'none.json'])).code).toBe(3)
  })

  test('notes a --var that the template does not use, unless quiet', async () => {
    const argv = ['render', '--text', 'x', '--var', 'nmae=1']
    expect(await blazon(argv)).toMatchObject({
      code: 0,
      stdout: 'x',
      stderr: '--var nmae: the template has no {{nmae}}\n',
    })
    expect((await blazon([...argv, '-q'])).stderr).toBe('')
  })
})
