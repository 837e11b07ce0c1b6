// For people who do not know the tool, or made a mistake.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMMANDS, JOBS } from '../../cli/commands.ts'
import { EVERY_COMMAND } from './every-command.ts'
import { blazon } from './terminal.ts'
import { agent, findings, validate, WILD } from './validating.ts'

describe('help', () => {
  test('starts with the first steps, then lists each command once by job', async () => {
    const { stderr } = await blazon([])
    expect(stderr.indexOf('blazon init')).toBeGreaterThan(0)
    expect(stderr.indexOf('blazon init')).toBeLessThan(stderr.indexOf('Write and check documents:'))
    const rows = [...stderr.split('\nOptions of every command')[0]!.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(
      ([, name]) => name,
    )
    expect([...rows].sort()).toEqual([...Object.keys(COMMANDS), 'help'].sort())
    expect(
      Object.values(JOBS)
        .flat()
        .filter((name) => !(name in COMMANDS)),
    ).toEqual([])
  })

  test('help on help is help', async () => {
    const { stdout } = await blazon(['help'])
    expect(stdout).toContain('Begin with:')
    for (const argv of [
      ['help', 'help'],
      ['help', '--help'],
      ['help', '-h'],
      ['--help', 'help'],
      ['help', 'help', '--format=json'],
    ])
      expect(await blazon(argv)).toMatchObject({ code: 0, ...(argv.length < 3 && { stdout }) })
    expect((await blazon(['help', 'init'])).stdout).toContain('blazon init')
  })

  test('as JSON: every command with its declarations', async () => {
    const { code, stdout } = await blazon(['help', '--format', 'json'])
    expect(code).toBe(0)
    const { help } = JSON.parse(stdout).results[0]
    expect(help.commands.map(({ name }: { name: string }) => name)).toEqual(EVERY_COMMAND.map(({ name }) => name))
    for (const [i, { command }] of EVERY_COMMAND.entries())
      expect(help.commands[i].options.map(({ name }: { name: string }) => name)).toEqual(Object.keys(command.options))
    expect(help.exitCodes[4]).toBe('signature not valid')
    const one = await blazon(['validate', '--help', '--format=json'])
    expect(JSON.parse(one.stdout).results[0].help.commands).toMatchObject([{ name: 'validate' }])
    expect(await blazon(['--format', 'json'])).toMatchObject({ code: 2, stdout: '' })
  })
})

test('help is text, json or jsonl, but no other format', async () => {
  const [result = '', run = '', end] = (await blazon(['help', '--format', 'jsonl'])).stdout.split('\n')
  const { results, ...others } = JSON.parse((await blazon(['help', '--format', 'json'])).stdout)
  expect([[JSON.parse(result)], JSON.parse(run), end]).toEqual([results, others, ''])
  expect((await blazon(['help', '--format', 'pretty'])).stdout).toBe((await blazon(['help'])).stdout)
  for (const format of ['html', 'tap', 'json:help.json']) {
    const { code, stdout, stderr } = await blazon(['help', 'validate', '--format', format])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('it is text, or json or jsonl on stdout')
  }
})

describe('quiet', () => {
  test.each([
    ['--max-warnings 0', 1],
    ['--fail-on warning', 1],
  ])('%s: a failed run gives its reason in a line', async (options, exit) => {
    const { code, stdout, stderr } = await validate(['a.adl.json', '-q', ...options.split(' ')], {
      'a.adl.json': agent(WILD),
    })
    expect([code, stdout]).toEqual([exit, ''])
    expect(stderr).toMatch(/^a\.adl\.json:\d+:\d+ warning BADL-\d+ [^\n]+; 1 warning in all \(exit code 1\)\n$/)
  })

  test('a successful run writes nothing', async () => {
    expect(await validate(['a.adl.json', '-q'], { 'a.adl.json': agent(WILD) })).toMatchObject({ code: 0, stderr: '' })
  })

  test('a search that finds nothing', async () => {
    const files = { 'c.json': '{"id": "agent://a", "name": "a"}' }
    const { code, stderr } = await blazon(['search', 'zzz', '--from', 'c.json', '-q'], { files })
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([1, 1])
    expect(stderr).toContain('(exit code 1)')
  })
})

describe('verbose', () => {
  test('reports the files, their kinds, the configuration and the time', async () => {
    const files = { 'a.adl.json': agent(), 'b.json': '[' }
    const { code, stdout, stderr } = await validate(['a.adl.json', 'b.json', '--verbose'], files)
    expect([code, stdout]).toEqual([1, ''])
    for (const line of [
      'configuration: none',
      `read a.adl.json: ${agent().length} bytes`,
      'read b.json: 1 byte',
      'a.adl.json: adl, 0 findings',
      'b.json: of no kind, 1 finding',
    ])
      expect(stderr.split('\n')).toContain(line)
    expect(stderr).toMatch(/\nexit code 1 after \d+ ms\n$/)
  })

  test('is off by default, and never writes to stdout', async () => {
    const { stdout } = await validate(['a.adl.json', '--verbose', '--format', 'json'], { 'a.adl.json': agent() })
    expect(() => JSON.parse(stdout)).not.toThrow()
    expect((await validate(['a.adl.json'], { 'a.adl.json': agent() })).stderr).not.toContain('read a.adl.json')
  })
})

test('a document of unknown kind: lists the kinds that can be checked', async () => {
  const { stderr } = await validate(['a.json'], { 'a.json': '{"x": 1}' })
  expect(stderr).toMatch(/hint: name its kind with --as: adl, .+ or [a-z\d]+\n/)
  const help = (await blazon(['validate', '--help'])).stdout.replace(/\s+/g, ' ')
  expect(help).toContain('--as KIND the kind of the documents (default: detected): adl, ')
})

describe('a dry run of fixes without a diff gives the reason', () => {
  test.each([
    [agent(), 'nothing to fix', 'clean'],
    [agent({ version: 'one' }), 'no finding can be fixed automatically', 'no-fix'],
  ])('%s', async (content, words, reason) => {
    const { stdout, stderr } = await validate(['a.adl.json', '--fix-dry-run'], { 'a.adl.json': content })
    expect(stdout).toBe('')
    expect(stderr).toContain(`a.adl.json: ${words}`)
    const argv = ['a.adl.json', '--fix-dry-run', '--format', 'json']
    const report = JSON.parse((await validate(argv, { 'a.adl.json': content })).stdout)
    expect(report.results).toMatchObject([{ fixes: 0, withoutFixes: reason }])
    const schema = JSON.parse(readFileSync('docs/schema/cli-output.schema.json', 'utf8'))
    expect(schema.$defs.result.properties.withoutFixes.enum).toContain(reason)
  })
})

describe('a missing member', () => {
  const files = { 'a.adl.json': agent().replace('"description"', '"descripton"') }

  test('is reported where it is misspelled', async () => {
    const { stderr } = await validate(['a.adl.json'], files)
    expect(stderr).toMatch(/a\.adl\.json:5:3 error ADL-1003/)
    expect(stderr).toMatch(/> 5 \| {3}"descripton"[^\n]+\n +\| {3}\^{12}\n/)
  })

  test('without a trace in the document is at one line in github and sarif', async () => {
    const whole = { 'a.adl.json': agent({ name: undefined }) }
    const { stdout } = await validate(['a.adl.json', '--format', 'github'], whole)
    expect(stdout).toMatch(/^::error file=a\.adl\.json,line=1,col=1,title=/)
    const sarif = JSON.parse((await validate(['a.adl.json', '--format', 'sarif'], whole)).stdout)
    expect(sarif.runs[0].results[0].locations[0].physicalLocation.region).toEqual({ startLine: 1, startColumn: 1 })
  })
})

test.each([
  ['{"rules": {"x": "off"}}', '1:12', 'blazon explain lists all'],
  ['{\n "rules": {"bare-wildcart": "off"}}', '2:12', 'did you mean bare-wildcard?'],
  ['{"overrides": [{"rules": {"bare-wildcart": "off"}}]}', '1:27', 'did you mean bare-wildcard?'],
  ['{"suppress": [{"rule": "bare-wildcart", "reason": "x"}]}', '1:24', 'did you mean bare-wildcard?'],
])('a misspelled rule in the configuration %s is reported at its place', async (config, place, hint) => {
  const { code, stderr } = await validate(['a.adl.json'], { 'a.adl.json': agent(), 'blazon.config.json': config })
  expect(code).toBe(2)
  expect(stderr).toContain(`blazon.config.json:${place}: unknown rule or code`)
  expect(stderr).toContain(hint)
})

test.each([
  ['{"rulset": "strict"}', '1:2: the member "rulset" is not allowed here', 'did you mean ruleset?'],
  ['{"overrides": [{"file": ["a"], "rules": {}}]}', '1:17: the member "file" is not allowed', 'did you mean files?'],
  ['{"ruleset": "strickt"}', '1:13: expected one of "spec"', 'did you mean strict?'],
  ['{"rules": {"bare-wildcard": "of"}}', '1:29: expected one of "error"', 'did you mean off?'],
  ['{"xyz": 1}', '1:2: the member "xyz"', 'one of $schema, extends, ruleset, rules, overrides, suppress, baseline'],
  ['{"overrides": [{"files": ["a", "**.yaml"], "rules": {}}]}', '1:32: expected "**" as a whole segment', '*.yaml'],
  ['{"suppress": [{"rule": "VAL-02", "reason": "x", "files": ["a**"]}]}', '1:59: expected "**"', 'as in agents/**'],
  ['{"overrides": [{"pointers": ["name"], "rules": {}}]}', '1:30: expected a JSON Pointer, found "name"', '/tools/0'],
  ['{"suppress": [{"rule": "VAL-02", "reason": "x", "pointer": "a"}]}', '1:60: expected a JSON Pointer', '/tools/0'],
])('a fault in the configuration %s is reported at its place with a hint', async (config, message, hint) => {
  const { code, stderr } = await validate(['a.adl.json'], { 'a.adl.json': agent(), 'blazon.config.json': config })
  expect([code, stderr]).toEqual([2, expect.stringContaining(`blazon.config.json:${message}`)])
  expect(stderr).toContain(hint)
})

test.each([
  [[], 'blazon.config.json'],
  [['--config', 'own.json'], 'own.json'],
  [['--baseline', 'base.json'], 'base.json'],
  [['--write-baseline', 'base.json'], 'base.json'],
])('%j: an unreadable file does not count as absent', async (argv, file) => {
  const all = { 'a.adl.json': agent(), 'own.json': '{}', 'base.json': '{}', [file]: '{"ruleset": "strict"}' }
  const { code, stderr, saved } = await validate(['a.adl.json', ...argv], all, { locked: [file] })
  expect([code, saved.size]).toEqual([2, 0])
  expect(stderr).toContain(`${file} cannot be read: permission denied`)
})

test('file patterns of the configuration may begin with ./', async () => {
  const source = agent({ permissions: { network: { allowed_hosts: ['*'] } } })
  const config = '{"overrides": [{"files": ["./a/**"], "rules": {"bare-wildcard": "off"}}]}'
  const { stderr } = await validate(['a/b/c.adl.json'], { 'a/b/c.adl.json': source, 'blazon.config.json': config })
  expect(stderr).toBe('a/b/c.adl.json is valid (adl)\n')
})

describe('diff', () => {
  const diff = (old: object, now: object, ...more: string[]) =>
    blazon(['diff', 'old.json', 'new.json', ...more], { files: { 'old.json': agent(old), 'new.json': agent(now) } })

  test('shows one step for 0.x versions', async () => {
    const [before, after] = [{ version: '0.1.0' }, { version: '0.2.0', ...WILD }]
    const { code, stdout, stderr } = await diff(before, after)
    expect(code).toBe(1)
    expect(stdout).toContain('widened (minor)')
    expect(stdout + stderr).not.toContain('major')
    const { changes, versionCheck } = JSON.parse((await diff(before, after, '--format', 'json')).stdout).results[1]
    expect([versionCheck.needed, ...new Set(changes.map(({ bump }: { bump: string }) => bump))]).toEqual([
      'minor',
      'minor',
    ])
    expect((await diff({ version: '1.0.0' }, { version: '2.0.0', ...WILD })).stdout).toContain('widened (major)')
  })

  test('notes that the new document is invalid', async () => {
    expect((await diff({}, { name: 'B', lifecycle: 7 })).stderr).toMatch(
      /new\.json is not valid \(\d errors?\): blazon validate new\.json/,
    )
    expect((await diff({}, { name: 'B' })).stderr).not.toContain('not valid')
  })
})

test('a terminal that reports width 0 counts as 80 columns', async () => {
  const files = { 'a.adl.json': agent({ version: 'one' }) }
  const wide = await validate(['a.adl.json'], files, { columns: 80 })
  expect((await validate(['a.adl.json'], files, { columns: 0 })).stderr).toBe(wide.stderr)
})

test.each([[[]], [['-']]])('--watch %j is wrong usage: there is nothing to watch', async (argv) => {
  const { code, stderr } = await validate(['--watch', ...argv], {}, { stdin: agent() })
  expect(code).toBe(2)
  expect(stderr).toContain('name a file or a folder to watch')
  expect(await findings(['a.adl.json'], { 'a.adl.json': agent() })).toEqual([])
})
