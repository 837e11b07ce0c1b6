import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { COMMON } from '../../cli/command.ts'
import { processHost } from '../../cli/host.ts'
import { beginWatch } from '../../cli/validate/watching.ts'
import { agent, findings, validate, WILD } from './validating.ts'

describe('the documents', () => {
  test('reports a valid document and its kind', async () => {
    const { code, stdout, stderr } = await validate(['a.adl.json'], { 'a.adl.json': agent() })
    expect([code, stdout, stderr]).toEqual([0, '', 'a.adl.json is valid (adl)\n'])
  })

  test.each([
    ['a.adl.json', '{"adl_spec": "0.1.0"}', 'a.adl.json is not valid (adl)'],
    ['a.json', '{"adl_spec', '1 error'],
  ])('%s: reports the kind also when there are errors, if it is known', async (name, source, last) => {
    const { code, stderr } = await validate([name], { [name]: source })
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([1, last])
  })

  test.each([
    ['a.adl.json', agent({ x_a: [[[]]] })],
    ['a.adl.yaml', 'adl_spec: 0.1.0\nx_a: [[[]]]\n'],
    ['a.json', '[[[[]]]]'],
  ])('%s: --max-depth applies, but cannot exceed the limit of the kind', async (name, source) => {
    const check = async (depth: string) => (await validate([name, '--max-depth', depth], { [name]: source })).stderr
    expect(await check('3')).toContain('expected at most 3 containers inside of each other')
    for (const depth of ['4', '5000']) expect(await check(depth)).not.toContain('containers inside of each other')
    const deep = { 'a.adl.json': agent({ x_a: JSON.parse('['.repeat(40) + ']'.repeat(40)) }) }
    expect((await validate(['a.adl.json', '--max-depth', '5000'], deep)).stderr).toContain('at most 32 containers')
  })

  test('takes files, folders, globs and stdin', async () => {
    const files = { 'x/a.adl.json': agent(), 'x/b.adl.yaml': 'name: Scout\n', 'x/c.txt': '?', 'y.adl.json': agent() }
    const { code, stderr } = await validate(['x', '*.adl.json'], files)
    expect(code).toBe(1)
    expect(stderr).toContain('x/b.adl.yaml:1:1 error ADL-1003')
    expect(stderr).toContain('2 of 3 documents are valid')
    expect((await validate(['-'], {}, { stdin: agent() })).code).toBe(0)
    expect((await validate(['none/*.json'], files)).code).toBe(3)
  })

  test('findings have positions in the YAML', async () => {
    const yaml =
      'adl_spec: 0.1.0\nname: Scout # the scout\ndescription: Looks for things in a test.\nversion: 1\ndata_classification:\n  sensitivity: secret\n'
    const { code, stderr } = await validate(['a.adl.yaml'], { 'a.adl.yaml': yaml })
    expect(code).toBe(1)
    expect(stderr).toContain('a.adl.yaml:4:10 error ADL-1004')
    expect(stderr).toContain('a.adl.yaml:6:16 error ADL-2020')
  })

  test('checks only the part after #', async () => {
    const files = { 'a.adl.json': agent({ ...WILD, version: '1' }) }
    const { code, stderr } = await validate(['a.adl.json#/permissions'], files)
    expect(code).toBe(0)
    expect(stderr).toContain('bare-wildcard')
    expect(stderr).not.toContain('/version')
  })

  test('a part of an unchecked document is invalid, and so is a missing part', async () => {
    for (const text of ['{', '[]', agent({ adl_spec: '0.2.0' })]) {
      const { code, stderr } = await validate(['a.adl.json#/tools/0', '--as', 'adl'], { 'a.adl.json': text })
      expect(code).toBe(1)
      expect(stderr).not.toContain('is valid')
    }
    const { code, stderr } = await validate(['a.adl.json#/tools/0'], { 'a.adl.json': agent() })
    expect(code).toBe(1)
    expect(stderr).toContain('the document has nothing at /tools/0')
    const fine = await validate(['a.adl.json#/name'], { 'a.adl.json': agent({ version: 1 }) })
    expect([fine.code, fine.stderr]).toEqual([0, 'no error at /name of a.adl.json\n'])
  })

  test('an unknown kind is an error without --as', async () => {
    const files = { 'a.json': '{}' }
    expect(await findings(['a.json'], files)).toEqual(['error kind/undetected'])
    expect(
      (await findings(['a.json', '--as', 'adl'], files)).filter((rule) => rule === 'error missing-member'),
    ).toHaveLength(5)
  })
})

describe('which findings matter', () => {
  const files = { 'a.adl.json': agent(WILD) }

  test('rulesets and single rules decide', async () => {
    expect(await findings(['a.adl.json'], files)).toContain('warning bare-wildcard')
    expect(await findings(['a.adl.json', '--rule', 'bare-wildcard=error'], files)).toContain('error bare-wildcard')
    expect(await findings(['a.adl.json', '--rule', 'bare-wildcard=off'], files)).not.toContain('warning bare-wildcard')
    expect(await findings(['a.adl.json', '--ruleset', 'security'], files)).toContain('error bare-wildcard')
    expect((await validate(['a.adl.json', '--rule', 'bare-wildcard'], files)).code).toBe(2)
    expect((await validate(['a.adl.json', '--rule', 'bare-wildcard=bad'], files)).code).toBe(2)
    const misspelt = await validate(['a.adl.json', '--rule', 'bare-wildcart=off'], files)
    expect([misspelt.code, misspelt.stderr.includes('did you mean bare-wildcard?')]).toEqual([2, true])
  })

  test('a configuration here or above decides, with the one that it extends', async () => {
    const config = { extends: 'base.config.yaml', rules: { 'bare-wildcard': 'info' } }
    const base = 'ruleset: security\nfailOn: info\n'
    const all = { ...files, 'blazon.config.json': JSON.stringify(config), 'base.config.yaml': base }
    expect(await findings(['a.adl.json'], all)).toContain('info bare-wildcard')
    expect((await validate(['a.adl.json'], all)).code).toBe(1)
    expect((await validate(['a.adl.json', '--fail-on', 'error', '--rule', 'allow-shell=off'], all)).code).toBe(0)
  })

  test('a configuration that another one extends cannot extend a third', async () => {
    const all = {
      ...files,
      'blazon.config.json': '{"extends": "team/base.yaml"}',
      'team/base.yaml': 'failOn: info\nextends: third.yaml\n',
    }
    const { code, stderr } = await validate(['a.adl.json'], all)
    expect(code).toBe(2)
    expect(stderr).toContain('team/base.yaml:2:10: ')
    expect(stderr).toContain('copy the settings of the third file')
  })

  test('overrides apply by file and place, and the last one counts', async () => {
    const two = { permissions: { network: { allowed_hosts: ['*'] }, environment: { allowed_variables: ['*'] } } }
    const overrides = [
      { files: ['old/**'], rules: { 'bare-wildcard': 'off' } },
      { pointers: ['/permissions/environment'], rules: { 'bare-wildcard': 'error' } },
    ]
    const all = {
      'old/a.adl.json': agent(WILD),
      'new/a.adl.json': agent(two),
      'blazon.config.json': JSON.stringify({ overrides }),
    }
    expect(await findings(['old'], all)).not.toContain('warning bare-wildcard')
    const rules = await findings(['new'], all)
    expect(rules.filter((rule) => rule.endsWith('bare-wildcard'))).toEqual([
      'warning bare-wildcard',
      'error bare-wildcard',
    ])
  })

  test.each([
    ['{"rulset": "strict"}', 'blazon.config.json:1'],
    ['{"rules": {"x": "fatal"}}', 'blazon.config.json:1:17'],
    ['{"rules": {"secrt": "off"}}', 'unknown rule'],
    ['{', 'blazon.config.json:1'],
    ['{"extends": "none.json"}', 'none.json'],
    ['{"extends": "blazon.config.json"}', 'blazon.config.json:1:13: a configuration that another one extends'],
    ['{"suppress": [{"rule": "x"}]}', 'blazon.config.json:1:15'],
  ])('the configuration %s is wrong usage, with its place', async (config, words) => {
    const { code, stderr } = await validate(['a.adl.json'], { ...files, 'blazon.config.json': config })
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  })
})

test('a scheme that the deployment allows is not reported [adl/18.7-4]', async () => {
  const resources = [{ name: 'papers', type: 'file', uri: 's3://research/papers/' }]
  const files = { 'a.adl.json': agent({ resources }) }
  expect(await findings(['a.adl.json'], files)).toEqual(['warning uri-scheme'])
  expect(await findings(['a.adl.json', '--ruleset', 'strict', '--allow-scheme', 'S3'], files)).toEqual([])
  expect(await findings(['a.adl.json', '--allow-scheme', 'gs'], files)).toEqual(['warning uri-scheme'])
})

describe('what is confidential', () => {
  const secret = 'ada.lovelace@acme.example.com'
  const document = (sensitivity: string) => ({
    data_classification: { sensitivity },
    provider: { name: 'Acme', contact: secret },
    metadata: { authors: [{ name: 'Ada Lovelace', email: secret }], licence: 'MIT' },
    system_prompt: 'The plan is {{unknwon}}',
  })

  test.each(COMMON.format.choices)(
    'is hidden in the %s report: contacts, authors, prompts [adl/18.9-2]',
    async (format) => {
      for (const [sensitivity, shown] of [
        ['restricted', false],
        ['confidential', false],
        ['internal', true],
      ] as const) {
        const files = { 'a.adl.json': agent(document(sensitivity)) }
        const { stdout, stderr } = await validate(['a.adl.json', '--format', format], files)
        const text = stdout + stderr
        expect(text).toMatch(format === 'adl' ? /licence/ : /personal-contact|BADL-120/)
        if (!shown) for (const word of [secret, 'Lovelace', 'The plan is']) expect(text).not.toContain(word)
        else if (format !== 'adl')
          expect(text.replaceAll('\\\\', '')).toContain(format === 'markdown' ? 'lovelace' : secret)
      }
    },
  )

  test('is starred in the excerpt without moving other text', async () => {
    const files = { 'a.adl.json': agent(document('restricted')) }
    const { stderr } = await validate(['a.adl.json'], files)
    const before =
      agent(document('internal'))
        .split('\n')
        .findIndex((line) => line.includes('"contact"')) + 1
    expect(stderr).toMatch(new RegExp(`> ${before} \\|     "contact": \\*+\n`))
  })
})

describe('watching', () => {
  test('checks again when a file changes, and exits with the last result', async () => {
    let round = 0
    const changes = (files: Record<string, string>) => {
      round++
      if (round === 1) files['a.adl.json'] = agent({ version: 1 })
      if (round === 2) files['a.adl.json'] = agent()
      return round < 3 ? Promise.resolve() : undefined
    }
    const files = { 'a.adl.json': agent() }
    const { code, stderr } = await validate(['a.adl.json', '--watch'], files, { changes })
    expect(code).toBe(0)
    expect(stderr.match(/is valid|ADL-1004/g)).toEqual(['is valid', 'ADL-1004', 'is valid'])
    expect(stderr).toContain('watching 1 file;')
  })

  test.each(['agents', 'agents/*.json'])('checks files added to %s', async (named) => {
    const files = { 'agents/a.adl.json': agent() }
    let round = 0
    const changes = (files: Record<string, string>) => {
      if (round++ === 0) files['agents/b.adl.json'] = agent({ version: 1 })
      return round < 2 ? Promise.resolve() : undefined
    }
    const { code, stderr } = await validate([named, '--watch'], files, { changes })
    expect([code, stderr.includes('agents/b.adl.json:')]).toEqual([1, true])
    expect(stderr).toContain('watching 2 files;')
  })

  test('waits for a missing folder', async () => {
    let round = 0
    const changes = (files: Record<string, string>) => {
      if (round++ === 0) files['none/a.adl.json'] = agent()
      return round < 2 ? Promise.resolve() : undefined
    }
    const { code, stderr } = await validate(['none/a.adl.json', '--watch'], { 'b.adl.json': agent() }, { changes })
    expect(code).toBe(0)
    expect(stderr).toMatch(/the file does not exist.*watching 1 file;.*none\/a\.adl\.json is valid/s)
  })

  describe('with real files', () => {
    const host = processHost(new URL('file:///none'))
    let folder: string
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'blazon-watch-'))
    })
    afterEach(() => rmSync(folder, { recursive: true }))
    const at = (name: string) => join(folder, name)
    const begin = (...names: string[]) => beginWatch(names.map(at), 'definitions', host)

    test('notices a change before the caller waits for it', async () => {
      writeFileSync(at('a.json'), '1')
      const change = await begin('a.json')
      writeFileSync(at('a.json'), '12')
      expect(await change()).toBe(true)
    })

    test('notices a replaced file', async () => {
      writeFileSync(at('a.json'), '1')
      const changed = (await begin('a.json'))()
      writeFileSync(at('a.json.tmp'), '2')
      renameSync(at('a.json.tmp'), at('a.json'))
      expect(await changed).toBe(true)
    })

    test('notices a file added to a folder, or with a folder', async () => {
      const changed = (await begin(''))()
      writeFileSync(at('a.adl.json'), '1')
      expect(await changed).toBe(true)
      const below = (await begin('b/c/a.json'))()
      mkdirSync(at('b/c'), { recursive: true })
      expect(await below).toBe(true)
    })

    test('ignores other files, and its own writes', async () => {
      writeFileSync(at('a.json'), '1')
      const changed = (await begin('a.json', '*.txt'))()
      writeFileSync(at('ba.json'), '1')
      await host.write(at('a.json'), Buffer.from('2'))
      await host.write(at('report.txt'), Buffer.from('2'))
      const first = await Promise.race([changed, new Promise((r) => setTimeout(r, 300, 'nothing'))])
      expect(first).toBe('nothing')
      writeFileSync(at('a.json'), '34')
      expect(await changed).toBe(true)
    })
  })
})

test('reads a URL only if allowed, and the document must belong to it', async () => {
  const url = 'https://acme.example.com/agents/scout'
  expect((await validate([url], {})).code).toBe(2)
})
