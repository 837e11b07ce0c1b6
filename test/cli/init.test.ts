import { spawnSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { TEMPLATES } from '../../bindings/adl/templates.ts'
import { validate } from '../../bindings/adl/verbs.ts'
import { validate as validateCard } from '../../bindings/card/verbs.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { validate as validateMetadata } from '../../bindings/wellknown/index.ts'
import { FORMS, KEY } from '../card/support.ts'
import { blazon } from './terminal.ts'

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()

describe.each(Object.keys(TEMPLATES))('the template %s', (template) => {
  // The two files of one template may be written in different seconds, and they contain the time.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is valid, in YAML and in JSON, and the same in both', async () => {
    const yaml = await blazon(['init', 'invoice-agent.adl.yaml', '--template', template])
    const json = await blazon(['init', 'invoice-agent.adl.json', '--template', template])
    expect([yaml.code, json.code]).toEqual([0, 0])
    const document = text(json.saved.get('invoice-agent.adl.json'))
    expect(parseYaml(text(yaml.saved.get('invoice-agent.adl.yaml')))).toEqual(JSON.parse(document))
    expect(JSON.parse(document).name).toBe('Invoice agent')
    for (const { saved } of [yaml, json]) {
      const files = Object.fromEntries([...saved].map(([name, bytes]) => [name, text(bytes)]))
      expect(await blazon(['fmt', '--check', ...saved.keys()], { files })).toMatchObject({ code: 0, stdout: '' })
    }
    const findings = validate(document).diagnostics.filter(({ severity }) => severity !== 'info')
    expect([...new Set(findings.map(({ rule }) => rule))]).toEqual(['placeholder'])
  })
})

test.each([
  ['invite', 'blazon invite create'],
  ['trace', 'blazon discover DOMAIN --record'],
  ['a2a', 'blazon convert FILE --to a2a-1.0'],
  ['adl-discovery', 'blazon publish'],
  ['cart', 'did you mean card?'],
])('the kind %s is refused with a hint on how to get one', async (kind, way) => {
  const { code, stderr, saved } = await blazon(['init', '--kind', kind])
  expect([code, saved.size, stderr]).toEqual([2, 0, expect.stringContaining(way)])
})

test.each(['adl', 'card', 'mcp-server', 'ai-catalog'])('a %s without a name is wrong usage', async (kind) => {
  for (const name of ['', ' ']) {
    const { code, stderr, saved } = await blazon(['init', '--kind', kind, '--name', name])
    expect([code, saved.size, stderr]).toEqual([2, 0, expect.stringContaining('--name: expected a name')])
  }
})

test('a shown command is quoted for the shell', async () => {
  const { stderr, saved } = await blazon(['init', "bob's #1.adl.json"])
  const [, command] = /^then sign it: (.+)$/m.exec(stderr)!
  const { stdout } = spawnSync('sh', ['-c', `blazon() { printf '%s\\n' "$@"; }; ${command}`], { encoding: 'utf8' })
  const [name] = [...saved.keys()]
  expect(stdout.split('\n')).toEqual(['sign', name, '--key', 'KEY', '--out', name, ''])
  expect((await blazon(['init', 'a/b-c_1.adl.json'])).stderr).toContain('sign a/b-c_1.adl.json --key')
})

test('never overwrites a file', async () => {
  const { code, stderr, saved } = await blazon(['init', 'a.adl.json'], { files: { 'a.adl.json': '{}' } })
  expect(code).toBe(2)
  expect(stderr).toContain('a.adl.json exists already')
  expect(saved.size).toBe(0)
})

describe('with the key that will sign it', () => {
  const files = { 'a.key': '', 'ec.key': '' }
  beforeAll(async () => {
    files['a.key'] = await exportKey(KEY, 'pem')
    files['ec.key'] = await exportKey(await generateKey('ES256'), 'pem')
  })

  test('a card gets the id of the key, and a definition the public key', async () => {
    const card = await blazon(['init', 'a.card.json', '--kind', 'card', '--key', 'a.key'], { files })
    // The fixtures of test/card/support.ts, made with node:crypto.
    const id = `agent://${FORMS['libp2p peer id in base32']}`
    expect(JSON.parse(text(card.saved.get('a.card.json')))).toMatchObject({ id, endpoints: [{ uri: id }] })
    expect(card.stderr).toContain('blazon sign a.card.json --key a.key --out a.card.json')
    const adl = await blazon(['init', 'a.adl.yaml', '--key', 'a.key'], { files })
    const { cryptographic_identity: identity } = parseYaml(text(adl.saved.get('a.adl.yaml')))
    const spki = createPublicKey(files['a.key']).export({ type: 'spki', format: 'der' }).toString('base64')
    expect(identity).toEqual({ public_key: { algorithm: 'Ed25519', value: spki } })
    expect(adl.stderr).toContain('blazon sign a.adl.yaml --key a.key --out a.adl.json')
  })

  test('--new-key makes it, and the signed document verifies without any other key', async () => {
    for (const [file, kind] of [
      ['b.card.json', 'card'],
      ['b.adl.json', 'adl'],
    ] as const) {
      const made = await blazon(['init', file, '--kind', kind, '--new-key', 'b.key'])
      expect(made.code).toBe(0)
      const signed = await blazon(['sign', file, '--key', 'b.key'], { files: Object.fromEntries(made.saved) })
      expect(signed.code).toBe(0)
      expect((await blazon(['verify', 'c'], { files: { c: signed.stdout } })).stdout).toContain('c: verified')
    }
  })

  test.each([
    [['--key', 'a.key', '--new-key', 'b.key'], 'exclude each other'],
    [['--new-key', 'b.key', '--dry-run'], '--dry-run writes no key'],
    [['--new-key', 'a.key'], 'a.key exists already'],
    [['--key', 'none.key'], 'the file does not exist'],
    [['--kind', 'card', '--key', 'ec.key'], 'expected a key of Ed25519'],
    [['--kind', 'card', '--template', 'healthcare', '--new-key', 'b.key'], 'templates of cards are'],
  ])('%j is wrong usage, and writes nothing', async (argv, words) => {
    const { code, stderr, saved } = await blazon(['init', ...argv], { files })
    expect([code, saved.size]).toEqual([2, 0])
    expect(stderr).toContain(words)
  })

  test('a new key is not lost if the file turns out to exist', async () => {
    const { code, stderr, saved } = await blazon(['init', 'a.adl.json', '--new-key', 'b.key'], {
      files: { 'a.adl.json': '{}' },
    })
    expect([code, [...saved.keys()]]).toEqual([2, ['b.key']])
    expect(stderr).toContain('the key exists now: continue with --key b.key')
  })
})

describe('--description and --skill', () => {
  const SAID = ['--name', 'Scout', '--description', 'Finds papers.']

  test('a card with both is signed without a warning and published', async () => {
    const init = ['init', 's.card.json', '--kind', 'card', ...SAID, '--skill', 'research', '--skill', 'analysis']
    const made = await blazon([...init, '--new-key', 's.key'])
    const document = text(made.saved.get('s.card.json'))
    expect(JSON.parse(document)).toMatchObject({ description: 'Finds papers.', skills: ['research', 'analysis'] })
    expect(validateCard(document, { ruleset: 'strict' }).diagnostics.map(({ rule }) => rule)).not.toContain(
      'placeholder',
    )
    const files = { 's.card.json': document, 's.key': text(made.saved.get('s.key')) }
    const signed = await blazon(['sign', 's.card.json', '--key', 's.key'], { files })
    expect([signed.code, signed.stderr]).toEqual([0, ''])
    const server = () => Response.json({ stored: true, reason: 'first', diagnostics: [] })
    const sent = await blazon(['publish', 's.json', '--to', 'https://d.example'], {
      files: { 's.json': signed.stdout },
      server,
    })
    expect([sent.code, sent.stdout]).toEqual([0, expect.stringMatching(/\tfirst\n$/)])
  })

  test.each([
    ['adl', ['/description'], []],
    ['wellknown', ['/capabilities/0/description'], ['--domain', 'alice.example.com', '--new-key', 'a.key']],
    ['mcp-server', ['/description'], []],
    ['ai-catalog', ['/entries/0/description'], []],
  ])('%s: the description replaces its placeholder', async (kind, [pointer], more) => {
    const placeholders = async (said: readonly string[]) => {
      const made = await blazon(['init', 'x.json', '--kind', kind, ...more, ...said])
      const files = { 'x.json': text(made.saved.get('x.json')) }
      const { stdout } = await blazon(['validate', 'x.json', '--format', 'json'], { files })
      const [{ diagnostics }] = JSON.parse(stdout).results as [
        { diagnostics: { rule: string; source: { pointer: string } }[] },
      ]
      return diagnostics.filter(({ rule }) => rule === 'placeholder').map(({ source }) => source.pointer)
    }
    expect(await placeholders([])).toContain(pointer)
    expect(await placeholders(SAID)).not.toContain(pointer)
  })

  test.each([
    ['--skill is for cards', ['--skill', 'research']],
    ['an empty description', ['--description', ' ']],
    ['an empty skill', ['--kind', 'card', '--skill', '']],
    ['--from has a description already', ['--kind', 'wellknown', '--from', 'a.example', '--description', 'x']],
  ])('%s: wrong usage, and writes nothing', async (_, argv) => {
    const { code, saved } = await blazon(['init', ...argv])
    expect([code, saved.size]).toEqual([2, 0])
  })
})

describe('the text of a template', () => {
  const make = async (file: string, argv: readonly string[]) => {
    const { saved } = await blazon(['init', file, ...argv, '--new-key', 'a.key'])
    const files = Object.fromEntries([...saved].map(([name, bytes]) => [name, text(bytes)]))
    const signed = await blazon(['sign', file, '--key', 'a.key'], { files })
    return { signed, files: { [file]: signed.stdout } }
  }

  test.each([
    ['a.card.json', ['--kind', 'card'], 'CARD-149', ['/description', '/skills/0']],
    ['a.adl.json', [], 'BADL-149', ['/description']],
    ['a.json', ['--kind', 'wellknown', '--domain', 'a.example'], 'WK-149', ['/capabilities/0/description']],
  ])('in %s: sign warns about it, publish refuses it unless allowed', async (file, argv, code, pointers) => {
    const { signed, files } = await make(file, argv)
    expect(signed.code).toBe(0)
    for (const pointer of pointers) expect(signed.stderr).toMatch(new RegExp(`warning ${code}[^]*${pointer}`))
    const setting = {
      files,
      env: { BLAZON_TOKEN: 'secret' },
      server: () => Response.json({ stored: true, reason: 'first', url: 'https://d.example/a', diagnostics: [] }),
    }
    const refused = await blazon(['publish', file, '--to', 'https://d.example'], { ...setting, server: undefined! })
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toContain(`${pointers[0]} is still a template text`)
    expect(refused.stderr).toContain('--allow-placeholders')
    const sent = await blazon(['publish', file, '--to', 'https://d.example', '--allow-placeholders'], setting)
    expect([sent.code, sent.stdout]).not.toEqual([sent.code, ''])
    expect(sent.code).toBe(0)
  })
})

test('--schema becomes the first member, for editors', async () => {
  const uri = 'https://agents.example.com/schema/card.json'
  const { stdout } = await blazon(['init', 'a.card.json', '--kind', 'card', '--schema', uri, '--dry-run'])
  expect(Object.entries(JSON.parse(stdout))[0]).toEqual(['$schema', uri])
  expect(validateCard(stdout).diagnostics.filter(({ source }) => source.pointer === '/$schema')).toEqual([])
  const definition = await blazon(['init', 'a.adl.json', '--schema', uri, '--dry-run'])
  expect(Object.entries(JSON.parse(definition.stdout))[0]).toEqual(['$schema', uri])
})

test('--dry-run prints the document and writes nothing', async () => {
  const { code, stdout, saved } = await blazon(['init', '--dry-run', '--name', 'Scout'])
  expect(code).toBe(0)
  expect(parseYaml(stdout)).toMatchObject({ name: 'Scout', adl_spec: '0.1.0' })
  expect(saved.size).toBe(0)
})

test.each([[['a.txt']], [['a.adl.json', 'b.adl.json']], [['--template', 'none']]])(
  '%j is wrong usage',
  async (argv) => {
    expect((await blazon(['init', ...argv])).code).toBe(2)
  },
)

describe('metadata', () => {
  test.each(['bücher.example', 'agent:BÜCHER.example.', 'xn--bcher-kva.example'])(
    'has the domain as the DNS has it, however it is written: %s',
    async (domain) => {
      const args = ['init', '--kind', 'wellknown', '--domain', domain, '--new-key', 'a.key']
      const { code, saved } = await blazon(args)
      expect(code).toBe(0)
      const document = text(saved.get('agent.json'))
      expect(JSON.parse(document).identity).toMatchObject({ id: 'agent:xn--bcher-kva.example' })
      expect(JSON.parse(document).identity.name).toMatch(/^(?:bücher|xn bcher kva)$/i)
      expect(JSON.parse(document).endpoints).toMatchObject({
        chat: 'wss://xn--bcher-kva.example/agent/chat',
        tasks: 'https://xn--bcher-kva.example/agent/tasks',
      })
      const files = { 'agent.json': document, 'a.key': text(saved.get('a.key')) }
      const signed = await blazon(['sign', 'agent.json', '--key', 'a.key', '--out', 'agent.json'], { files })
      const verified = await blazon(['verify', 'agent.json', '--key', 'a.key', '--expect-id', 'agent:Bücher.example'], {
        files: { ...files, 'agent.json': text(signed.saved.get('agent.json')) },
      })
      expect(verified.code).toBe(0)
    },
  )

  test('contains the domain and a new key, and leaves the description to fill in', async () => {
    const args = [
      'init',
      '--kind',
      'wellknown',
      '--domain',
      'Alice.example.com',
      '--name',
      'Alice',
      '--new-key',
      'a.key',
    ]
    const { code, saved, stderr } = await blazon(args)
    expect(code).toBe(0)
    const document = text(saved.get('agent.json'))
    expect(JSON.parse(document).identity).toMatchObject({ id: 'agent:alice.example.com', name: 'Alice' })
    const { diagnostics } = validateMetadata(document, { ruleset: 'security' })
    expect(diagnostics.map(({ code, source }) => [code, source.pointer])).toEqual([
      ['WK-149', '/capabilities/0/description'],
    ])
    expect(stderr).toContain('left to fill in')
    const files = { 'agent.json': document, 'a.key': text(saved.get('a.key')) }
    const signed = await blazon(['sign', 'agent.json', '--key', 'a.key', '--out', 'agent.json'], { files })
    expect(signed.code).toBe(0)
  })

  test.each([
    ['no domain', ['--new-key', 'a.key']],
    ['no key', ['--domain', 'alice.example.com']],
    ['a domain that is none', ['--domain', 'https://alice.example.com', '--new-key', 'a.key']],
    ['a template', ['--domain', 'alice.example.com', '--new-key', 'a.key', '--template', 'tools']],
    ['a resolver for nobody', ['--domain', 'alice.example.com', '--new-key', 'a.key', '--resolver', '192.0.2.53']],
    ['two domains', ['--domain', 'alice.example.com', '--from', 'alice.example.com', '--new-key', 'a.key']],
    ['--from without a dot', ['--from', 'localhost']],
  ])('%s: writes nothing, not even a key', async (_, args) => {
    const { code, saved } = await blazon(['init', '--kind', 'wellknown', ...args])
    expect([code, saved.size]).toEqual([2, 0])
  })

  test('--from and --domain are for metadata', async () => {
    for (const option of ['--from', '--domain']) expect((await blazon(['init', option, 'a.example'])).code).toBe(2)
  })

  test('--from a domain without an answer writes nothing', async () => {
    const { code, stderr, saved } = await blazon(['init', '--kind', 'wellknown', '--from', 'alice.example.com'])
    expect(code).toBe(1)
    expect(stderr).toContain('DNS-107')
    expect(saved.size).toBe(0)
  })
})

describe.each([
  ['mcp-server', 'server.json'],
  ['ai-catalog', 'ai-catalog.json'],
] as const)('%s', (kind, file) => {
  test('is valid, is detected by its members, and validate names each placeholder', async () => {
    const { code, saved, stderr } = await blazon(['init', '--kind', kind, '--name', 'Scout'])
    expect([code, [...saved.keys()]]).toEqual([0, [file]])
    expect(stderr).not.toContain('sign it')
    const files = { 'x.json': text(saved.get(file)) }
    const { results } = JSON.parse((await blazon(['validate', 'x.json', '--format', 'json'], { files })).stdout)
    expect([results[0].kind, results[0].valid]).toEqual([kind, true])
    const left = results[0].diagnostics as { rule: string; severity: string; source: { pointer: string } }[]
    expect(left.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(new Set(left.map(({ rule }) => rule))).toEqual(new Set(['placeholder']))
    expect(left.length).toBeGreaterThan(2)
  })

  test.each([
    ['--key', 'a.key'],
    ['--new-key', 'a.key'],
    ['--template', 'minimal'],
  ])('%s is wrong usage, because the kind is not signed', async (...option) => {
    const { code, saved, stderr } = await blazon(['init', '--kind', kind, ...option], { files: { 'a.key': '' } })
    expect([code, saved.size]).toEqual([2, 0])
    expect(stderr).toContain('takes no key and no template')
  })
})
