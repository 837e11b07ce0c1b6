// Reports as data, by SARIF 2.1.0, GitHub's workflow commands, and ADL 16.1.
import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'
import { agent, WILD } from './validating.ts'

/** A duplicate member at line 2, columns 3 to 6, bytes 12 to 15. Every format must escape its name. */
const NAME = '<a>&"\',:%|`'
const FILES = { 'a b/ü.json': `{ ${JSON.stringify(NAME)}: 1,\n  ${JSON.stringify(NAME)}: 2 }\n`, 'fine.json': '{}' }
const ARGV = ['canonicalize', 'a b/ü.json', 'fine.json']
const START = 3 + 2

const run = (format: string) => blazon([...ARGV, '--format', format], { files: FILES })

describe('sarif', () => {
  test('names the tool, the rules, and the place in UTF-16 columns and in bytes', async () => {
    const { code, stdout, stderr } = await run('sarif')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const log = JSON.parse(stdout)
    expect(log.version).toBe('2.1.0')
    const [{ tool, results, columnKind }] = log.runs
    expect(columnKind).toBe('utf16CodeUnits')
    expect(tool.driver).toMatchObject({ name: 'blazon', rules: [{ id: 'DOC-107/json/duplicate-member' }] })
    expect(results).toHaveLength(1)
    const [{ ruleIndex, level, locations }] = results
    expect({ ruleIndex, level }).toEqual({ ruleIndex: 0, level: 'error' })
    const { artifactLocation, region } = locations[0].physicalLocation
    // A relative reference of RFC 3986: percent-encoded spaces and non-ASCII letters.
    expect(artifactLocation.uri).toBe('a%20b/%C3%BC.json')
    expect(region).toMatchObject({ startLine: 2, startColumn: 3, endLine: 2 })
    const bytes = Buffer.from(FILES['a b/ü.json'])
    const marked = bytes.subarray(region.byteOffset, region.byteOffset + region.byteLength).toString()
    expect(JSON.parse(marked)).toBe(NAME)
    expect(region.endColumn).toBe(region.startColumn + marked.length)
    expect(region.byteOffset).toBe(Buffer.byteLength(FILES['a b/ü.json'].split('\n')[0]!) + 1 + START - 3)
  })

  test('gives fixes as replacements of bytes', async () => {
    const { stdout } = await blazon(['canonicalize', 'x.json', '--format', 'sarif'], { files: { 'x.json': '[1, 2,]' } })
    const [{ fixes }] = JSON.parse(stdout).runs[0].results
    const [{ deletedRegion, insertedContent }] = fixes[0].artifactChanges[0].replacements
    expect(deletedRegion).toEqual({ byteOffset: 5, byteLength: 1 })
    expect(insertedContent).toEqual({ text: '' })
  })
})

test('junit: a suite for each document, well-formed XML with everything escaped', async () => {
  const { stdout } = await run('junit')
  expect(stdout).toContain('<testsuites name="blazon canonicalize" tests="2" failures="1" errors="0">')
  expect(stdout).toContain('<testsuite name="fine.json" tests="1" failures="0" errors="0">')
  expect(stdout).toContain('<failure type="DOC-107"')
  expect(stdout).toContain('&lt;a&gt;&amp;')
  // Tags balance, and every bracket or ampersand in the text is escaped.
  const tags = [...stdout.matchAll(/<(\/?)([a-z-]+)[^<>]*?(\/?)>/g)]
  const open: string[] = []
  for (const [, closing, name, empty] of tags) {
    if (closing === '/') expect(open.pop()).toBe(name)
    else if (empty !== '/') open.push(name!)
  }
  expect(open).toEqual([])
  const text = stdout.replace(/<\?xml[^?]*\?>/, '').replace(/<[^<>]*>/g, '')
  expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|apos);)/)
})

test('github: one command per finding, in one line, with properties escaped', async () => {
  const { stdout } = await run('github')
  expect(stdout.split('\n')).toHaveLength(2)
  expect(stdout).toMatch(
    /^::error file=a b\/ü\.json,line=2,col=3,endLine=2,endColumn=\d+,title=DOC-107 Duplicate member::/,
  )
  const { stdout: odd } = await blazon(['canonicalize', 'a:b,%.json', '--format', 'github'], {
    files: { 'a:b,%.json': '[' },
  })
  expect(odd).toContain('file=a%3Ab%2C%25.json,')
  const misspelt = {
    'server.json': '{"name": "com.example/w", "description": "W.", "version": "1", "packages": [], "icon": []}',
  }
  const { stdout: hinted } = await blazon(['validate', 'server.json', '--format', 'github'], { files: misspelt })
  expect(hinted).toMatch(/^::warning .*::'icon' is unknown here%0Ahint: did you mean 'icons'\?$/m)
})

test('markdown: no text of a document escapes its table cell', async () => {
  const { stdout } = await run('markdown')
  const rows = stdout.split('\n').filter((line) => line.startsWith('| error'))
  expect(rows).toHaveLength(1)
  expect(rows[0]!.replace(/\\./g, '').match(/\|/g)).toHaveLength(6)
  expect(stdout).toContain('2 documents, 1 valid, 1 errors, 0 warnings, 0 infos')
})

test('adl: the form of section 16.1', async () => {
  const { stdout } = await run('adl')
  const { errors, ...others } = JSON.parse(stdout)
  expect(others).toEqual({})
  expect(errors).toHaveLength(1)
  expect(Object.keys(errors[0])).toEqual(['code', 'title', 'detail', 'source'])
  expect(errors[0].source).toMatchObject({ line: 2, column: 3 })
})

describe('several at once', () => {
  test('writes files in addition to the report on the terminal', async () => {
    const argv = [...ARGV, '--format', 'sarif:out/a.sarif', '--format=markdown:b.md', '--format', 'json']
    const { stdout, stderr, saved } = await blazon(argv, { files: FILES })
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, command: 'canonicalize' })
    expect(stderr).toBe('')
    expect([...saved.keys()]).toEqual(['out/a.sarif', 'b.md'])
    expect(JSON.parse(Buffer.from(saved.get('out/a.sarif')!).toString())).toMatchObject({ version: '2.1.0' })
  })

  test('a file that cannot be written is wrong usage', async () => {
    const argv = [...ARGV, '--format', 'junit:r.xml']
    const { code, stderr } = await blazon(argv, { files: FILES, readOnly: ['r.xml'] })
    expect(code).toBe(2)
    expect(stderr).toContain('r.xml cannot be written: permission denied')
  })

  test('only files: the terminal still shows the findings', async () => {
    const { stderr, saved } = await blazon([...ARGV, '--format', 'junit:r.xml'], { files: FILES })
    expect(stderr).toContain('error DOC-107')
    expect(saved.size).toBe(1)
  })

  test.each([
    [['--format', 'json', '--format', 'sarif'], 'only one report'],
    [['--format', 'pretty:x'], 'pretty is for the terminal'],
    [['--format', 'sarf:x'], 'did you mean sarif?'],
  ])('%j is wrong usage', async (options, words) => {
    const { code, stderr } = await blazon([...ARGV, ...options], { files: FILES })
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  })
})

describe('a run that fails although nothing is an error', () => {
  const files = {
    'odd.json': '{"b":1}',
    'other.json': '{"b":2}',
    'agent.json': agent({ permissions: { environment: { allowed_variables: ['A'] } } }),
    'wider.json': agent({ permissions: { environment: { allowed_variables: ['A', 'B'] } } }),
    'warn.adl.json': agent(WILD),
    'card.json': '{"id": "agent://a", "name": "a"}',
  }
  const RUNS = [
    ['fmt --check odd.json', '1 of 1 file not formatted'],
    ['decide agent.json environment variable=C', 'denied: '],
    ['diff agent.json wider.json', '1 of them wider'],
    ['diff --canonical odd.json other.json', 'different value: /b'],
    ['search zzz --from card.json', 'no card found; no card has "zzz"'],
    ['search --tag zzz --from card.json', 'no card found'],
    ['match --kind host a -- a b', 'no pattern matches 1 of 2 subjects'],
    ['tags match a -- b', 'no query matches 1 of 1 tag'],
    ['validate warn.adl.json --max-warnings 0', 'findings'],
    ['validate warn.adl.json --fail-on warning', 'findings'],
  ] as const
  /** Where each format shows the failure to programs and to people who glance. */
  const FAILED: Readonly<Record<string, (report: string) => readonly string[]>> = {
    stylish: (text) => text.split('\n').filter((line) => line.startsWith('blazon ')),
    junit: (text) => text.match(/<failure .*/g) ?? [],
    tap: (text) => text.match(/^not ok .*/gm) ?? [],
    github: (text) => text.match(/^::error::.*/gm) ?? [],
    gitlab: (text) =>
      (JSON.parse(text) as { severity: string; description: string }[])
        .filter(({ severity }) => severity === 'major')
        .map(({ description }) => description),
    html: (text) => text.match(/<p class="error">.*/g) ?? [],
    markdown: (text) => text.match(/^\*\*Failed\*\*.*/gm) ?? [],
    sarif: (text) =>
      (JSON.parse(text).runs[0].invocations[0].toolExecutionNotifications ?? []).map(
        ({ level, message }: { level: string; message: { text: string } }) => `${level} ${message.text}`,
      ),
  }
  const plain = (text: string) => text.replaceAll('&quot;', '"')

  test.each(RUNS.flatMap(([line, why]) => Object.keys(FAILED).map((format) => [line, format, why] as const)))(
    '%s --format %s',
    async (line, format, why) => {
      const { code, stdout, stderr } = await blazon(['--format', format, ...line.split(' ')], { files })
      expect(code).toBeGreaterThan(0)
      const [failed = '', ...more] = FAILED[format]!(stdout).map(plain)
      expect([failed, more]).toEqual([expect.stringContaining(why), []])
      expect(failed).toContain(`blazon ${line.split(' ')[0]}: exit code ${code}, `)
      expect(stderr).toMatch(/^[^\n]+ \(exit code \d\)\n$/)
      if (format === 'junit') {
        expect(/<testsuites [^>]* failures="(\d+)"/.exec(stdout)?.[1]).toBe('1')
        const [, tests] = /<testsuites [^>]* tests="(\d+)"/.exec(stdout) ?? []
        expect(String(stdout.match(/<testcase /g)?.length)).toBe(tests)
      }
    },
  )

  test.each(Object.keys(FAILED))('a clean run, or one with errors, has no such line in %s', async (format) => {
    const { stdout, stderr } = await blazon(['fmt', '--check', 'card.json', '--format', format], {
      files: { 'card.json': '{}\n' },
    })
    expect([FAILED[format]!(stdout), stderr]).toEqual([[], ''])
    const broken = await run(format)
    expect(broken.stdout).not.toContain('exit code')
    expect(broken.stderr).toBe('')
  })

  test('the pretty report shows it, with -q in a line', async () => {
    const argv = ['decide', 'agent.json', 'environment', 'variable=C']
    const { stdout, stderr } = await blazon(argv, { files })
    expect([stdout.startsWith('denied: '), stderr]).toEqual([true, ''])
    expect((await blazon([...argv, '-q'], { files })).stderr).toMatch(/^denied: [^\n]+ \(exit code 1\)\n$/)
  })

  test('json shows it by the exit code', async () => {
    const { stdout, stderr } = await blazon(['fmt', '--check', 'odd.json', '--format', 'json'], { files })
    expect([JSON.parse(stdout).summary.exitCode, stderr]).toEqual([1, ''])
  })
})
