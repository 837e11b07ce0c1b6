import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../cli/commands.ts'
import { EVERY_COMMAND } from './every-command.ts'
import { blazon } from './terminal.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

describe('version and help', () => {
  test.each(['--version', '-V'])('%s', async (option) => {
    expect(await blazon([option])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test.each([['--help'], ['-h'], ['help']])('%s shows help on stdout', async (option) => {
    const { code, stdout, stderr } = await blazon([option])
    expect([code, stderr]).toEqual([0, ''])
    await expect(stdout).toMatchFileSnapshot('../../fixtures/cli/help/general.txt')
  })

  test('without a command the same help goes to stderr, as wrong usage', async () => {
    const { code, stdout, stderr } = await blazon([])
    expect([code, stdout]).toEqual([2, ''])
    await expect(stderr).toMatchFileSnapshot('../../fixtures/cli/help/general.txt')
  })

  test.each([...EVERY_COMMAND.map(({ name }) => name), 'agent', 'directory', 'tags', 'token'])(
    'help of %s',
    async (name) => {
      const words = name.split(' ')
      const { code, stdout } = await blazon([...words, '--help'])
      expect(code).toBe(0)
      await expect(stdout).toMatchFileSnapshot(`../../fixtures/cli/help/${words.join('-')}.txt`)
      expect(await blazon(['help', ...words])).toMatchObject({ code, stdout })
      for (const line of stdout.split('\nExamples:')[0]!.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
    },
  )

  test('help names every command and explains network use', async () => {
    const { stdout } = await blazon(['--help'])
    for (const [name, [about]] of Object.entries(COMMANDS)) expect(stdout).toContain(`${name.padEnd(12)}  ${about}`)
    expect(stdout).toContain('Blazon reads documents from the network only with --allow-network')
  })
})

describe('wrong usage ends with 2, a reason and a hint', () => {
  test.each([
    ['canonicalise a.json', 'unknown command "canonicalise"', 'did you mean canonicalize?'],
    ['canon a.json', 'unknown command "canon"', 'did you mean canonicalize?'],
    ['frobnicate', 'unknown command "frobnicate"', 'blazon --help lists the commands'],
    ['--quite canonicalize a', 'unknown option --quite', 'did you mean --quiet?'],
    ['--frobnicate', 'unknown option --frobnicate', 'blazon --help lists the options'],
    ['selftest a', 'unexpected argument "a"', 'selftest takes no arguments'],
    ['tags list a', 'unexpected argument "a"', 'tags list takes no arguments'],
    ['doctor a', 'unexpected argument "a"', 'doctor takes no arguments'],
    ['keygen a', 'unexpected argument "a"', 'keygen takes no arguments'],
    ['directory list a --at https://a.example', 'unexpected argument "a"', 'directory list takes no arguments'],
    ['directory export a --from https://a.example', 'unexpected argument "a"', 'directory export takes no arguments'],
    ['help mtach', 'unknown command "mtach"', 'did you mean match?'],
    ['canonicalize --hsah sha256 a', 'unknown option --hsah', 'did you mean --hash?'],
    ['canonicalize --Hash sha256 a', 'unknown option --Hash', 'did you mean --hash?'],
    ['canonicalize --frobnicate', 'unknown option --frobnicate', 'blazon canonicalize --help lists the options'],
    ['canonicalize -x', 'unknown option -x', 'lists the options'],
    ['canonicalize --hash sha265 a', '--hash has no value "sha265"', 'did you mean sha256?'],
    ['canonicalize --hash md5 a', '--hash has no value "md5"', 'one of sha256, sha384, sha512'],
    ['canonicalize --hash', '--hash needs a value', 'as in --hash sha256'],
    ['canonicalize --without --hash sha256', '--without needs a value', '--without=-...'],
    ['canonicalize --quiet=yes a', '--quiet takes no value', 'write --quiet alone'],
    [
      'canonicalize --max-depth ten a',
      '--max-depth: expected an integer from 0 to 4294967295, got "ten"',
      'as in --max-depth 10',
    ],
    ['canonicalize --max-depth 99999999999 a', '--max-depth: expected an integer from 0 to 4294967295', ''],
    ['canonicalize --without signature a', '--without: expected a JSON Pointer', '/signature'],
    ['canonicalize --without= a', '--without: expected a JSON Pointer to a part', ''],
    ['canonicalize', 'expected a FILE', 'name a file, or - for stdin'],
    ['canonicalize - -', 'stdin can be read only once', 'use - once'],
    ['match --kind hots x -- y', '--kind has no value "hots"', 'did you mean host?'],
    ['match x -- y', 'match needs --kind', "as in blazon match --kind host '*.example.com'"],
    ['match --kind host -- y', 'match: expected a PATTERN', ''],
    ['match --kind host x y', 'match: expected -- and a SUBJECT', ''],
    ['match --kind host x --', 'match: expected -- and a SUBJECT', ''],
    ['diff a', 'diff: expected two documents, got 1', 'as in blazon diff OLD NEW'],
    ['diff --canonical a', 'diff: expected two documents, got 1', ''],
    ['render --text x a.txt', 'render: expected one template, got 2', '--text'],
    ['render --text x --var name', '--var: expected NAME=VALUE, got "name"', '--var name=World'],
    ['render --text x --var =v', '--var: expected NAME=VALUE', ''],
    ['completion zhs', 'completion: expected one of bash, zsh, fish, powershell', 'did you mean zsh?'],
    ['completion', 'completion: expected one of', 'as in blazon completion bash'],
  ])('blazon %s', async (line, message, hint) => {
    const argv = line.split(' ')
    const { code, stdout, stderr } = await blazon(argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^blazon: [^\n]+\n {2}[^\n]+\n$/)
    expect(stderr).toContain(message)
    expect(stderr).toContain(hint)

    // With --format json the same as one object, wherever the option is.
    const asJson = await blazon(['--format', 'json', ...argv])
    expect([asJson.code, asJson.stdout]).toEqual([2, ''])
    expect(asJson.stderr).toMatch(/^[^\n]+\n$/)
    const envelope = JSON.parse(asJson.stderr) as Record<string, string>
    expect(Object.keys(envelope)).toEqual(['code', 'message', 'hint'])
    expect(stderr).toBe(`blazon: ${envelope['message']}\n  ${envelope['hint']}\n`)
  })
})

describe('options of every command', () => {
  const files = { 'a.json': '[9007199254740993]', 'bad.json': '[1,]' }

  test('may stand before the command', async () => {
    expect((await blazon(['--quiet', '--max-depth', '9', 'canonicalize', 'a.json'], { files })).stderr).toBe('')
    expect((await blazon(['--max-depth=0', 'canonicalize', 'a.json'], { files })).code).toBe(1)
  })

  test('--fail-on and --max-warnings make warnings count', async () => {
    const exit = async (...options: string[]) =>
      (await blazon(['canonicalize', 'a.json', ...options], { files, stdin: '' })).code
    expect(await exit()).toBe(0)
    expect(await exit('--fail-on', 'error')).toBe(0)
    expect(await exit('--fail-on', 'warning')).toBe(1)
    expect(await exit('--fail-on', 'info')).toBe(1)
    expect(await exit('--max-warnings', '1')).toBe(0)
    expect(await exit('--max-warnings', '0')).toBe(1)
  })

  test('--quiet leaves errors only', async () => {
    const { stderr } = await blazon(['canonicalize', 'a.json', 'bad.json', '-q'], { files })
    expect(stderr).toContain('DOC-101')
    expect(stderr).not.toContain('DOC-120')
    expect(stderr).not.toContain('1 warning')
  })

  test('an unreadable file outweighs findings in the exit code', async () => {
    expect((await blazon(['canonicalize', 'bad.json'], { files })).code).toBe(1)
    expect((await blazon(['canonicalize', 'bad.json', 'none.json'], { files })).code).toBe(3)
  })

  test('--stdin-filepath names the document on stdin', async () => {
    const { stderr } = await blazon(['canonicalize', '--stdin-filepath', 'x/y.json'], { stdin: '[1,]' })
    expect(stderr).toContain('x/y.json:1:4 error')
    expect((await blazon(['canonicalize', '-'], { stdin: '[1,]' })).stderr).toContain('<stdin>:1:4 error')
  })

  test('uses color on terminals, controlled by NO_COLOR, FORCE_COLOR and the options', async () => {
    const colored = async (argv: string[], env: Record<string, string>, tty: boolean) =>
      (await blazon(['canonicalize', 'bad.json', ...argv], { files, env, tty })).stderr.includes('\x1b[')
    expect(await colored([], {}, true)).toBe(true)
    expect(await colored([], {}, false)).toBe(false)
    expect(await colored([], { TERM: 'dumb' }, true)).toBe(false)
    expect(await colored([], { NO_COLOR: '1' }, true)).toBe(false)
    expect(await colored([], { NO_COLOR: '' }, true)).toBe(true)
    expect(await colored([], { FORCE_COLOR: '1' }, false)).toBe(true)
    expect(await colored([], { FORCE_COLOR: '0' }, true)).toBe(false)
    expect(await colored(['--color'], { NO_COLOR: '1' }, false)).toBe(true)
    expect(await colored(['--no-color'], { FORCE_COLOR: '1' }, true)).toBe(false)
  })

  test('color does not change the text', async () => {
    const run = async (...options: string[]) =>
      (await blazon(['canonicalize', 'bad.json', ...options], { files })).stderr
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences that color is made of
    expect((await run('--color')).replaceAll(/\x1b\[\d+m/g, '')).toBe(await run())
  })
})

describe('progress', () => {
  const files = { 'a.json': '1', 'b.json': '2' }
  const argv = ['canonicalize', 'a.json', 'b.json']

  test('appears on a terminal after 300 ms, and is removed', async () => {
    const { stderr } = await blazon(argv, { files, tty: true, tick: 200 })
    expect(stderr).toBe('\r\x1b[Kreading b.json\r\x1b[K')
  })

  test.each([
    ['work is short', argv, { tty: true, tick: 1 }],
    ['stderr is no terminal', argv, { tty: false, tick: 1000 }],
    ['it should be quiet', [...argv, '-q'], { tty: true, tick: 1000 }],
  ])('does not appear when %s', async (_, args, setting) => {
    expect((await blazon(args, { files, ...setting })).stderr).toBe('')
  })
})

test.each([
  ['ENOSPC', [], 'blazon: stdout cannot be written: the disk is full\n'],
  ['EFBIG', [], 'blazon: stdout cannot be written: the system refuses it (EFBIG)\n'],
  ['ENOSPC', ['--format', 'json'], '{"code":"unwritable","message":"stdout cannot be written: the disk is full",'],
])('a full disk for stdout (%s) is not an internal error', async (full, argv, message) => {
  const { code, stderr } = await blazon(['canonicalize', '-', ...argv], { stdin: '1', full })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(stderr).not.toContain('report')
})

describe('an internal error', () => {
  const broken = { files: {}, stdin: '' }
  test('exits 5 with a line on how to report it', async () => {
    // The program does not expect an error without a system code.
    const { code, stdout, stderr } = await blazon(['canonicalize', 'a\0b'], {
      ...broken,
      get files(): Record<string, string> {
        return new Proxy(
          {},
          {
            get() {
              throw new Error('surprise')
            },
          },
        )
      },
    })
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toMatch(
      /^blazon: internal error: surprise\n {2}this is a fault of Blazon: please report it[^\n]+\n$/,
    )
  })
})
