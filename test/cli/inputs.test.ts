import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processHost } from '../../cli/host.ts'
import { expandBraces, matchesName } from '../../cli/inputs.ts'
import { casesOf } from '../support/cases.ts'
import { blazon, type Setting } from './terminal.ts'

/** The files that canonicalize reads, in order. */
async function read(argv: readonly string[], setting: Setting = {}): Promise<string[]> {
  const { stdout } = await blazon(['canonicalize', '--format', 'json', ...argv], { stdin: '', ...setting })
  return (JSON.parse(stdout) as { results: { file: string }[] }).results.map(({ file }) => file)
}

const files = Object.fromEntries(
  [
    'a.json',
    'b.yaml',
    'c.adl.json',
    'agents/one.adl.json',
    'agents/two.adl.yaml',
    'agents/three.adl',
    'agents/package.json',
    'agents/deep/er/four.adl.yml',
    'agents/.git/five.adl.json',
    'agents/node_modules/x/six.adl.json',
    'other/a1.json',
    'other/a2.json',
    'other/a12.json',
  ].map((name) => [name, '{}']),
)

describe('what a command reads', () => {
  test.each<[string[], string[]]>([
    [
      ['b.yaml', 'a.json'],
      ['b.yaml', 'a.json'],
    ],
    [['*.json'], ['a.json', 'c.adl.json']],
    [['./*.json'], ['a.json', 'c.adl.json']],
    [['other/a?.json'], ['other/a1.json', 'other/a2.json']],
    [['other/a{2,1,9}.json'], ['other/a2.json', 'other/a1.json']],
    [['{a,b}.{json,yaml}'], ['a.json', 'b.yaml']],
    [['**/*.adl.json'], ['agents/one.adl.json', 'c.adl.json']],
    [
      ['agents/**/*.adl*'],
      ['agents/three.adl', 'agents/one.adl.json', 'agents/two.adl.yaml', 'agents/deep/er/four.adl.yml'],
    ],
    [['agents/.git/*.json'], ['agents/.git/five.adl.json']],
    [['*/deep/**'], ['agents/deep/er/four.adl.yml']],
    [['agents'], ['agents/deep/er/four.adl.yml', 'agents/one.adl.json', 'agents/three.adl', 'agents/two.adl.yaml']],
    [['agents/deep/', 'agents/deep'], ['agents/deep/er/four.adl.yml']],
    [['/home/me/*.yaml'], ['/home/me/b.yaml']],
    [
      ['a.json', '*.json'],
      ['a.json', 'c.adl.json'],
    ],
    [['-'], ['<stdin>']],
  ])('%j: %j', async (argv, expected) => {
    expect((await read(argv, { files, stdin: '{}' })).sort()).toEqual(expected.sort())
  })

  test('arguments after -- are files, even with a leading dash', async () => {
    const files = { 'a.json': '1', '-b.json': '2', '--fix': '3' }
    expect(await read(['a.json', '--', '-b.json', '--fix'], { files })).toEqual(['a.json', '-b.json', '--fix'])
    expect((await blazon(['validate', '--', 'none.json'], { files })).code).toBe(3)
  })

  test('globs and folders give files in the order of their names', async () => {
    expect(await read(['other', 'other/*'], { files })).toEqual([
      'other',
      'other/a1.json',
      'other/a12.json',
      'other/a2.json',
    ])
  })

  test.each([
    ['x/*.json', 'no file matches'],
    ['a{.yaml,.yml}', 'no file matches'],
    ['other', 'the folder has no file that ends in .adl.json, .adl.yaml, .adl, .card.json or .card.yaml'],
    ['none.json', 'the file does not exist'],
  ])('%s: exit code 3, %s', async (name, reason) => {
    const { code, stderr } = await blazon(['canonicalize', name, 'a.json'], { files })
    expect(code).toBe(3)
    expect(stderr).toContain(`cannot read ${name}: ${reason}`)
  })

  const CARD = '{"id": "agent://scout", "name": "Scout", "description": "Finds papers.", "seq": 1}'
  const PAIR = { 'two/a.card.json': CARD, 'two/b.card.json': CARD, 'none/c.json': CARD, 'one/d.card.json': CARD }
  test.each(['bump', 'revoke', 'probe', 'convert --to a2a-1.0 --url https://a.example/'])(
    '%s takes one document of a folder, and says so where there is none or several',
    async (command) => {
      const run = (folder: string) => blazon([...command.split(' '), folder], { files: PAIR })
      expect(await run('two')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('found several\n  name one of'),
      })
      const none = 'blazon: none: expected one document, found a folder\n  name a file in it\n'
      expect(await run('none')).toMatchObject({ code: 2, stderr: none })
      expect((await run('one')).code).toBe(0)
    },
  )

  test('canonicalize also takes the cards of a folder', async () => {
    expect((await read(['two'], { files: PAIR })).length).toBe(2)
  })

  test('many files are read concurrently, and reported in order', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [`n${String(i).padStart(2, '0')}.json`, `[${i}]`]),
    )
    const { stdout } = await blazon(['canonicalize', '*.json'], { files: many })
    expect(stdout).toBe(
      Object.values(many)
        .map((text) => `${text}\n`)
        .join(''),
    )
  })

  test('[adl/17.1-22] only commands that look at parts take a fragment', async () => {
    const { code, stderr } = await blazon(['canonicalize', 'a.json#/x/0'], { files })
    expect([code, stderr]).toEqual([
      2,
      'blazon: expected a whole document, got a.json#/x/0\n  leave out the # and what follows it\n',
    ])
    const broken = '{"adl_spec": "0.1.0", "name": 7, "version": true}'
    const { stdout } = await blazon(['validate', 'x.adl#/name', '--format', 'json'], { files: { 'x.adl': broken } })
    const [{ diagnostics }] = JSON.parse(stdout).results
    expect(diagnostics.map(({ source }: { source: { pointer: string } }) => source.pointer)).toEqual(['/name'])
    expect((await blazon(['canonicalize', 'a.json#/~2'], { files })).stderr).toContain(
      'expected a JSON Pointer after #',
    )
    expect(await read(['x#/y.json'], { files: { 'x#/y.json': '1' } })).toEqual(['x#/y.json'])
  })

  test.each([
    [['canonicalize', ''], 'expected a FILE, got an empty name'],
    [['fmt', '--write', 'a.json', ''], 'expected a FILE, got an empty name'],
    [['search', 'x', '--from', ''], '--from needs a value'],
    [['sign', 'a.json', '--key', ''], '--key needs a value'],
    [['keygen', '--out='], '--out needs a value'],
    [['review', 'a.json', '--public', ''], '--public needs a value'],
    [['chat', 'a.example', '--as', 'b.example', '--key', 'k', '--token', ''], '--token needs a value'],
    [['convert', 'a.json', '--to', 'card', '--out', ''], '--out needs a value'],
  ])('%j: an empty name, as from an unset variable, is wrong usage', async (argv, message) => {
    const { code, stderr, saved } = await blazon(argv, { files: { 'a.json': '{"a":1}' }, stdin: '' })
    expect([code, saved.size]).toEqual([2, 0])
    expect(stderr).toContain(message)
  })

  test.each([
    ['.'],
    ['**/*.json'],
    ['a.json', 'locked/x.adl.json'],
    ['a.json', 'locked'],
    ['a.json', 'locked/*.json#/a'],
  ])('%j: reports an unreadable folder, and reads the others', async (...argv) => {
    const files = { 'a.json': '1', 'a.adl.json': '1', 'locked/x.adl.json': '1' }
    const { code, stderr } = await blazon(['validate', ...argv], { files, locked: ['locked'], stdin: '' })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^locked(?:\/x\.adl\.json|\/\*\.json)?:1:1 error DOC-115/m)
    expect(stderr).toContain(': permission denied')
    expect(stderr).toMatch(/^a\.(?:adl\.)?json:1:1 error/m)
  })

  test('too many alternatives and stdin twice are wrong usage', async () => {
    expect((await blazon(['canonicalize', '{a,b}'.repeat(12)], { files })).code).toBe(2)
    expect((await blazon(['canonicalize', '-', '-'], { stdin: '1' })).stderr).toContain('stdin can be read only once')
  })
})

describe('the network', () => {
  const url = 'https://example.com/a.json'
  const asked: string[] = []
  const fetch = async (input: string) => {
    asked.push(input)
    return input.endsWith('.json') ? new Response('{"b":1,"a":2}') : new Response('', { status: 404 })
  }

  test('is only used if allowed', async () => {
    const { code, stderr } = await blazon(['canonicalize', url], { fetch })
    expect([code, asked]).toEqual([2, []])
    expect(stderr).toContain('give --allow-network')
  })

  test('is used if allowed, by https alone', async () => {
    const { code, stdout } = await blazon(['canonicalize', '--allow-network', url], { fetch })
    expect([code, stdout]).toEqual([0, '{"a":2,"b":1}'])
    expect((await blazon(['canonicalize', '--allow-network', 'https://example.com/x'], { fetch })).code).toBe(3)
    expect((await blazon(['canonicalize', '--allow-network', 'http://example.com/a.json'], { fetch })).code).toBe(3)
    expect(asked).toEqual([url, 'https://example.com/x'])
  })
})

describe('YAML on the command line', () => {
  const yaml = 'b: [1.0, x] # é\na: &x 0x10\nc: *x\n'

  test('canonicalize writes the form of the equivalent JSON', async () => {
    const canonical = '{"a":16,"b":[1,"x"],"c":16}'
    expect((await blazon(['canonicalize', 'a.yaml'], { files: { 'a.yaml': yaml } })).stdout).toBe(canonical)
    expect((await blazon(['canonicalize', 'a.adl'], { files: { 'a.adl': yaml } })).stdout).toBe(canonical)
    const named = await blazon(['canonicalize', '-', '--stdin-filepath', 'x.yml'], { stdin: yaml })
    expect(named.stdout).toBe(canonical)
  })

  test('files without a YAML name are JSON, and all files with --json-only', async () => {
    const run = async (...argv: string[]) =>
      blazon(['canonicalize', ...argv], { files: { 'a.yaml': yaml, a: yaml }, stdin: yaml })
    expect((await run('-')).code).toBe(1)
    expect((await run('a')).code).toBe(1)
    expect((await run('a.yaml', '--json-only')).stderr).toContain('a.yaml:1:1 error DOC-101')
  })

  test('findings are shown in the YAML', async () => {
    const { code, stderr } = await blazon(['canonicalize', 'a.yaml'], { files: { 'a.yaml': 'é: 1\nx: [.nan] # é\n' } })
    expect(code).toBe(1)
    expect(stderr).toContain('a.yaml:2:5 error DOC-199')
    expect(stderr).toContain('> 2 | x: [.nan] # é\n    |     ^^^^\n')
  })

  test('diff compares the two formats', async () => {
    const setting = { files: { 'a.yaml': yaml, 'b.json': '{"a":16,"b":[1,"y"],"c":16}' } }
    const { code, stdout } = await blazon(['diff', '--canonical', 'a.yaml', 'b.json'], setting)
    expect(code).toBe(1)
    expect(stdout).toContain('different value: /b/1')
    expect(stdout).toContain('> 1 | b: [1.0, x] # é\n    |          ^')
  })
})

describe('globs', () => {
  test.each<[string, string[]]>([
    ['a', ['a']],
    ['{a,b}', ['a', 'b']],
    ['x{a,{b,c}d}y{1,2}', ['xay1', 'xay2', 'xbdy1', 'xbdy2', 'xcdy1', 'xcdy2']],
    ['{a}', ['{a}']],
    ['{a,b', ['{a,b']],
    ['{a{b,c}', ['{ab', '{ac']],
    ['{,a}', ['', 'a']],
    ['}{', ['}{']],
  ])('%s stands for %j', (glob, expected) => {
    expect(expandBraces(glob)).toEqual(expected)
  })

  test('names match as the same pattern does as a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 6 })
    fc.assert(
      fc.property(pattern, text, (glob, name) => {
        const regex = glob.replace(/\./g, '\\.').replace(/\?/g, '.').replace(/\*/g, '.*')
        expect(matchesName(glob, name)).toBe(new RegExp(`^${regex}$`).test(name))
      }),
      { numRuns: casesOf(500) },
    )
  })

  test('many stars do not multiply the work', () => {
    expect(matchesName('*a'.repeat(50), 'a'.repeat(20_000))).toBe(true)
    expect(matchesName(`${'*a'.repeat(50)}b`, 'a'.repeat(20_000))).toBe(false)
  })

  test('lists folders sorted, and does not follow links', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'blazon-'))
    const { list } = processHost(new URL('file:///core.wasm'))
    try {
      mkdirSync(join(folder, 'b'))
      writeFileSync(join(folder, 'a.json'), '1')
      symlinkSync('..', join(folder, 'c'))
      expect(await list(folder)).toEqual([
        { name: 'a.json', kind: 'file' },
        { name: 'b', kind: 'folder' },
        { name: 'c', kind: 'link' },
      ])
      expect(await list(join(folder, 'a.json'))).toBeUndefined()
      expect(await list(join(folder, 'x'))).toBeUndefined()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
