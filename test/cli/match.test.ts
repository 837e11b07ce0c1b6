import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

describe('blazon match', () => {
  test.each([
    ['host', ['*.example.com'], 'API.example.com', '*.example.com'],
    ['path', ['/tmp/*', '/data/**'], '/data/a/b', '/data/**'],
    ['env', ['HOME', 'APP_*'], 'APP_PORT', 'APP_*'],
    ['command', ['git', 'npm-*'], 'npm-audit', 'npm-*'],
    ['tag', ['vision', 'nlp'], 'nlp/translation', 'nlp'],
  ])('%s: shows the pattern that decided', async (kind, patterns, subject, decided) => {
    const ran = await blazon(['match', '--kind', kind, ...patterns, '--', subject])
    expect(ran).toMatchObject({ code: 0, stdout: `${subject}\t${decided}\n`, stderr: '' })
  })

  test('the first matching pattern decides; exits 1 for a subject without one', async () => {
    const argv = ['match', '--kind', 'host', 'a.example', '*.example', '--', 'a.example', 'b.example', 'c.test']
    const { code, stdout } = await blazon(argv)
    expect([code, stdout]).toEqual([1, 'a.example\ta.example\nb.example\t*.example\nc.test\t\n'])
  })

  test('--ignore-case', async () => {
    const argv = ['match', '--kind', 'path', '/Data/*', '--', '/data/a']
    expect((await blazon(argv)).code).toBe(1)
    expect((await blazon(['match', '--ignore-case', ...argv.slice(1)])).code).toBe(0)
  })

  test('subjects may begin with a dash, and come from stdin', async () => {
    const argv = ['match', '--kind', 'command', '-x*', '--kind', 'command', '--', '-']
    expect((await blazon(argv, { stdin: '' })).code).toBe(2) // a pattern is not an option
    const ran = await blazon(['match', '--kind', 'command', '*', '--', '-rf', '-'], { stdin: 'ls\r\n\ncat\n' })
    expect(ran.stdout).toBe('-rf\t*\nls\t*\n\t*\ncat\t*\n')
  })

  test('an empty stdin is not a miss', async () => {
    expect(await blazon(['match', '--kind', 'env', 'A', '--', '-'], { stdin: '' })).toMatchObject({
      code: 0,
      stdout: '',
    })
  })

  test('nothing matches a name that is not UTF-8, not even a star', async () => {
    const stdin = Buffer.concat([Buffer.from('/a/x\n/a/'), Buffer.from([0xff, 10]), Buffer.from('/a/\ufffd\n')])
    const { code, stdout } = await blazon(['match', '--kind', 'path', '/a/**', '--', '-'], { stdin })
    expect([code, stdout]).toEqual([1, '/a/x\t/a/**\n/a/\ufffd\t\n/a/\ufffd\t/a/**\n'])
  })

  test('marks the fault in a refused pattern, and exits 2', async () => {
    const { code, stdout, stderr } = await blazon(['match', '--kind', 'path', '/ok', '/é/a**b', '--', '/x'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('<pattern 2>:1:5 error DOC-137')
    expect(stderr).toContain('> 1 | /é/a**b\n    |     ^^\n')
  })

  test('names the specification of the kind', async () => {
    const specification = async (kind: string, pattern: string) => {
      const { stdout } = await blazon(['match', '--format', 'json', '--kind', kind, pattern, '--', 'x'])
      return JSON.parse(stdout).results[0].diagnostics[0].spec
    }
    expect(await specification('tag', '')).toMatch(/^Agent Card/)
    expect(await specification('host', '')).toMatch(/^ADL/)
  })

  test('still uses patterns with warnings', async () => {
    const { code, stdout, stderr } = await blazon(['match', '--kind', 'host', '*', '--', 'a'])
    expect([code, stdout]).toEqual([0, 'a\t*\n'])
    expect(stderr).toContain('<pattern 1>:1:1 warning DOC-142')
  })

  test('control characters of subjects reach files, not terminals', async () => {
    const argv = ['match', '--kind', 'path', '/**', '--', '/\x1b[31m']
    expect((await blazon(argv)).stdout).toBe('/\x1b[31m\t/**\n')
    expect((await blazon(argv, { tty: true })).stdout).toBe('/\u241b[31m\t/**\n')
  })

  test('writes JSON', async () => {
    const { stdout } = await blazon(['match', '--format', 'json', '--kind', 'env', 'A', 'B*', '--', 'BC', 'C'])
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'match',
      results: [
        { file: null, subject: 'BC', matched: true, pattern: 'B*', number: 1 },
        { file: null, subject: 'C', matched: false, pattern: null, number: -1 },
      ],
      summary: { exitCode: 1 },
    })
  })
})
