// The formats stylish (as in ESLint), jsonl, GitLab's Code Quality, TAP 14, and one HTML page.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { blazon } from './terminal.ts'
import { agent, validate, WILD } from './validating.ts'

const HOSTILE = 'a # SKIP \\ <b onclick=x>&"\'\n\u001b[2J\u202e # todo.adl.json'
const odd = agent({ [`<script>alert(1)</script> # SKIP`]: 1, ...WILD })
const files = {
  'fine.adl.json': agent(),
  'warn.adl.json': agent(WILD),
  'bad.adl.json': agent({ version: '1', 'ab\ncd': 1 }),
  [HOSTILE]: odd,
}
const run = (format: string, names: readonly string[] = Object.keys(files), ...more: string[]) =>
  validate([...names, '--format', format, ...more], files)

test('stylish: a block per document, a row per finding, and the counts', async () => {
  const { code, stdout, stderr } = await run('stylish', ['fine.adl.json', 'warn.adl.json', 'bad.adl.json'])
  expect([code, stderr]).toEqual([1, ''])
  const rows = stdout.split('\n')
  expect(rows[0]).toBe('warn.adl.json')
  expect(rows[1]).toMatch(/^ {2}\d+:\d+ {2}warning {2}.+ {2}BADL-\d+ bare-wildcard$/)
  expect(rows).toContain('bad.adl.json')
  expect(rows).not.toContain('fine.adl.json')
  expect(stdout).toMatch(/\n\n2 errors, 1 warning, 0 infos\n$/)
  expect((await run('stylish', ['fine.adl.json'])).stdout).toBe('0 errors, 0 warnings, 0 infos\n')
})

describe('jsonl', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true })
  ajv.addSchema(JSON.parse(readFileSync('docs/schema/cli-output.schema.json', 'utf8')), 'output')
  const isLine = ajv.compile({ $ref: 'output#/$defs/line' })

  test('writes a line per result, then one for the run, with the members of json', async () => {
    const lines = (await run('jsonl')).stdout.split('\n')
    expect(lines.pop()).toBe('')
    for (const line of lines) expect(isLine(JSON.parse(line)), ajv.errorsText(isLine.errors)).toBe(true)
    const { results, ...others } = JSON.parse((await run('json')).stdout)
    expect(lines.map((line) => JSON.parse(line))).toEqual([...results, others])
  })

  test('wrong usage is one JSON object', async () => {
    expect(JSON.parse((await blazon(['validate', '--oops', '--format', 'jsonl'])).stderr).code).toBe('unknown-option')
  })
})

describe('gitlab', () => {
  // docs.gitlab.com/ci/testing/code_quality: no byte order mark, one array, these members.
  const report = async (names?: readonly string[]) => JSON.parse((await run('gitlab', names)).stdout) as Issue[]
  interface Issue {
    description: string
    check_name: string
    fingerprint: string
    severity: string
    location: { path: string; lines: { begin: number } }
  }

  test('an array with the members that GitLab reads, and unique fingerprints', async () => {
    const issues = await report()
    expect(issues.length).toBeGreaterThan(4)
    for (const { description, check_name, fingerprint, severity, location } of issues) {
      expect(description).not.toBe('')
      expect(check_name).toMatch(/^[A-Z]+-\d+\/./)
      expect(fingerprint).toMatch(/^[0-9a-f]{32}$/)
      expect(['info', 'minor', 'major', 'critical', 'blocker']).toContain(severity)
      expect(Number.isInteger(location.lines.begin) && location.lines.begin > 0).toBe(true)
    }
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length)
    expect(await report(['fine.adl.json'])).toEqual([])
  })

  test('paths begin at the repository, without ./', async () => {
    expect((await report(['./warn.adl.json']))[0]!.location.path).toBe('warn.adl.json')
    expect((await report(['./warn.adl.json']))[0]!.fingerprint).toBe((await report(['warn.adl.json']))[0]!.fingerprint)
  })
})

describe('tap', () => {
  /** A test line of TAP 14: an unescaped `#` begins a directive. */
  const LINE = /^(not )?ok (\d+) - ((?:[^\\#\n]|\\[\\#])*)$/

  test('version, plan, a point per document, findings as YAML', async () => {
    const { stdout } = await run('tap')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.slice(0, 2)).toEqual(['TAP version 14', '1..4'])
    const points = lines.filter((line) => /^(?:not )?ok/.test(line)).map((line) => LINE.exec(line))
    expect(points.map((point) => point?.slice(1, 3))).toEqual([
      [undefined, '1'],
      [undefined, '2'],
      ['not ', '3'],
      ['not ', '4'],
    ])
    expect(points[3]![3]!.replace(/\\([\\#])/g, '$1')).toContain('a # SKIP \\ <b onclick=x>')
    const blocks = [...stdout.matchAll(/^ {2}---\n([\s\S]*?)^ {2}\.\.\.$/gm)].map(([, block]) => parse(block!))
    expect(blocks).toHaveLength(3)
    const { results } = JSON.parse((await run('json')).stdout)
    expect(blocks.map(({ findings }) => findings.map(({ message }: { message: string }) => message))).toEqual(
      results
        .slice(1)
        .map(({ diagnostics }: { diagnostics: { detail: string }[] }) => diagnostics.map(({ detail }) => detail)),
    )
  })

  test('a failed run has a failed point', async () => {
    const { code, stdout } = await run('tap', ['warn.adl.json'], '--max-warnings', '0')
    expect(code).toBe(1)
    expect(stdout).toContain('\n1..2\n')
    expect(stdout).toMatch(/\nnot ok 2 - blazon validate: exit code 1, findings\n$/)
  })
})

describe('html', () => {
  test('one page without scripts and requests; text stays text', async () => {
    const { stdout } = await run('html')
    const tags = [...stdout.matchAll(/<(\/?)([a-z][a-z\d]*)([^<>]*)>/g)]
    const open: string[] = []
    for (const [, closing, name, attributes] of tags) {
      if (closing === '/') expect(open.pop()).toBe(name)
      else if (name !== 'meta') open.push(name!)
      expect(attributes).toMatch(/^(?: (?:lang|charset|name|content|http-equiv|class)="[^"]*")*$/)
    }
    expect(open).toEqual([])
    expect(new Set(tags.map(([, , name]) => name))).toEqual(
      new Set([
        'html',
        'head',
        'meta',
        'title',
        'style',
        'body',
        'main',
        'h1',
        'p',
        'section',
        'h2',
        'ul',
        'li',
        'b',
        'code',
      ]),
    )
    expect(stdout.replace(/<[^<>]*>/g, '').replace('<!doctype html>', '')).not.toMatch(
      /[<>]|&(?!(?:amp|lt|gt|quot|apos);)/,
    )
    expect(stdout).not.toMatch(/url\(|@import|https?:|javascript:/)
    expect(stdout).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(stdout).toContain("default-src 'none'")
  })
})

test('every format can go to its own file in one run', async () => {
  const names = ['stylish', 'jsonl', 'gitlab', 'html', 'tap']
  const argv = ['warn.adl.json', ...names.flatMap((name) => ['--format', `${name}:out/${name}`])]
  const { saved } = await validate(argv, files)
  expect([...saved.keys()]).toEqual(names.map((name) => `out/${name}`))
  for (const bytes of saved.values()) expect(Buffer.from(bytes).toString()).toContain('warn.adl.json')
})

describe('the printed data of a command', () => {
  const grants = { 'a.json': agent({ permissions: { environment: { allowed_variables: ['A`<b>`'] } } }) }
  const cards = { 'c.json': '{"id": "agent://a", "name": "a", "skills": ["nlp"]}' }
  const RUNS = [
    ['doctor', {}],
    ['grants a.json', grants],
    ['decide a.json environment variable=B', grants],
    ['search --tag nlp --from c.json', cards],
    ['tags normalize ML', {}],
  ] as const

  test.each(RUNS.flatMap(([line, files]) => ['stylish', 'markdown', 'html'].map((format) => [line, format, files])))(
    '%s --format %s',
    async (line, format, files) => {
      const argv = (line as string).split(' ')
      const { stdout: answer } = await blazon(argv, { files: files as Record<string, string> })
      const { stdout } = await blazon([...argv, '--format', format as string], {
        files: files as Record<string, string>,
      })
      const report =
        format === 'html' ? stdout.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&apos;', "'") : stdout
      expect(answer).not.toBe('')
      expect(report).toContain(answer.trimEnd())
      expect(stdout).not.toMatch(/0 documents|Nothing found/)
    },
  )

  test('credentials are starred, and no text escapes its block', async () => {
    const files = {
      't.txt':
        '```\n</pre><b>\u001b[2J\n-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA\n-----END PRIVATE KEY-----\n',
    }
    const render = async (format: string) => (await blazon(['render', 't.txt', '--format', format], { files })).stdout
    expect(await render('markdown')).toMatch(/\n````\n```\n.*\n````\n/s)
    expect(await render('html')).toMatch(/<pre>```\n&lt;\/pre&gt;&lt;b&gt;␛\[2J\n/)
    for (const format of ['markdown', 'html', 'stylish']) {
      const report = await render(format)
      expect([report.includes('MC4CAQ'), report.includes('\u001b')]).toEqual([false, false])
    }
  })
})
