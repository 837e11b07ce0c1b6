import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hasSuite, suiteFile, suiteFiles } from '../support/suites.ts'
import { blazon } from './terminal.ts'

describe('blazon canonicalize', () => {
  test.runIf(hasSuite('cyberphone-jcs'))('[rfc8785/3.2.4-1] writes exactly the published bytes', async () => {
    for (const file of suiteFiles('cyberphone-jcs', 'input')) {
      const expected = suiteFile('cyberphone-jcs', 'output', file)
      const files = { [file]: suiteFile('cyberphone-jcs', 'input', file) }
      const fromFile = await blazon(['canonicalize', file], { files })
      expect(fromFile.code, file).toBe(0)
      expect(Buffer.compare(fromFile.stdoutBytes, expected), file).toBe(0)
      const fromStdin = await blazon(['canonicalize'], { stdin: files[file]! })
      expect(Buffer.compare(fromStdin.stdoutBytes, expected), file).toBe(0)
    }
  })

  test.each(['sha256', 'sha384', 'sha512'])('--hash %s writes the digest and a newline', async (algorithm) => {
    const { code, stdout, stderr } = await blazon(['canonicalize', '-', '--hash', algorithm], {
      stdin: '{"b":1.0, "a":2}',
    })
    const digest = createHash(algorithm).update('{"a":2,"b":1}').digest('hex')
    expect([code, stdout, stderr]).toEqual([0, `${digest}\n`, ''])
  })

  test('writes a line for each of several files, with their names for --hash', async () => {
    const files = { 'a.json': '[ 1 ]', 'b.json': '[ 2 ]' }
    const plain = await blazon(['canonicalize', 'a.json', 'b.json'], { files })
    expect(plain.stdout).toBe('[1]\n[2]\n')
    const hashed = await blazon(['canonicalize', 'a.json', 'b.json', '--hash=sha256'], { files })
    expect(hashed.stdout).toMatch(/^[0-9a-f]{64} {2}a\.json\n[0-9a-f]{64} {2}b\.json\n$/)
  })

  test('--without leaves out the values at the pointers', async () => {
    const stdin = '{"b": 1, "signature": {"v": "x"}, "a": {"c~/": 2, "d": 3}}'
    const argv = ['canonicalize', '-', '--without', '/signature', '--without', '/a/c~0~1']
    expect(await blazon(argv, { stdin })).toMatchObject({ code: 0, stdout: '{"a":{"d":3},"b":1}', stderr: '' })
    const report = JSON.parse((await blazon([...argv, '--format', 'json'], { stdin })).stdout)
    expect(report.results[0]).toMatchObject({
      canonical: '{"a":{"d":3},"b":1}',
      bytes: 19,
      removed: [
        { pointer: '/signature', value: '{"v": "x"}' },
        { pointer: '/a/c~0~1', value: '2' },
      ],
    })
  })

  test('--without warns about a pointer to nothing, at the place where it would be', async () => {
    const stdin = '{\n  "a": {"b": 1}\n}'
    const { code, stdout, stderr } = await blazon(['canonicalize', '-', '--without', '/a/sig'], { stdin })
    expect([code, stdout]).toEqual([0, '{"a":{"b":1}}'])
    expect(stderr).toContain('<stdin>:2:8 warning DOC-122')
  })

  test('too many pointers are wrong usage', async () => {
    const argv = Array.from({ length: 33 }, (_, i) => `--without=/m${i}`)
    const { code, stderr } = await blazon(['canonicalize', '-', ...argv], { stdin: '{}' })
    expect(code).toBe(2)
    expect(stderr).toContain('expected at most 32 pointers, got 33')
  })

  test('writes nothing for a refused document, but writes the others', async () => {
    const files = { 'a.json': '[1]', 'bad.json': '{"a":1,"a":2}', 'c.json': '[3]' }
    const { code, stdout, stderr } = await blazon(['canonicalize', 'a.json', 'bad.json', 'c.json'], { files })
    expect([code, stdout]).toEqual([1, '[1]\n[3]\n'])
    expect(stderr).toContain('bad.json:1:8 error DOC-107')
  })

  test.each([
    ['a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x31), 'DOC-105'],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'DOC-104'],
    ['an empty document', '', 'DOC-102'],
    ['half of a surrogate pair', '"\\ud800"', 'DOC-108'],
  ])('%s is refused', async (_, stdin, code) => {
    const ran = await blazon(['canonicalize', '-'], { stdin })
    expect([ran.code, ran.stdout]).toEqual([1, ''])
    expect(ran.stderr).toContain(code)
  })

  test('--max-depth', async () => {
    const deep = (n: number) => ({ stdin: '['.repeat(n) + ']'.repeat(n) })
    expect((await blazon(['canonicalize', '-'], deep(1024))).code).toBe(0)
    expect((await blazon(['canonicalize', '-'], deep(1025))).code).toBe(1)
    expect((await blazon(['canonicalize', '-', '--max-depth', '32'], deep(33))).code).toBe(1)
    expect((await blazon(['canonicalize', '-', '--max-depth', '100000'], deep(100_000))).code).toBe(0)
    // The same limit applies with --without.
    expect((await blazon(['canonicalize', '-', '--max-depth', '2000', '--without', '/1'], deep(2000))).code).toBe(0)
  })

  test('reports why a file cannot be read, and exits 3', async () => {
    const { code, stdout, stderr } = await blazon(['canonicalize', 'none.json'])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('cannot read none.json: the file does not exist')
  })
})
