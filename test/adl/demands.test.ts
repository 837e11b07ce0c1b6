// Requirements of ADL that one sentence can test, section by section. Requirements with their own test files are not
// here.
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as adl from '../../bindings/adl/index.ts'
import { newDefinition, TEMPLATES, type TemplateName } from '../../bindings/adl/templates.ts'
import { convert } from '../../bindings/convert/index.ts'
import { formatJson } from '../../bindings/document/fmt.ts'
import { parse } from '../../bindings/document/parse.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import { CLEAN, findings, NOW, told } from './support.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const tool = (members: object) => ({ tools: [{ name: 'add', description: 'Adds two numbers.', ...members }] })
const version = (version: string) => ({ version })

type Row = readonly [title: string, members: object, expected: readonly string[]]
const ROWS: readonly Row[] = [
  [
    '[adl/5.1-5] a pre-release of an agent has no valid version, as 5.5 and appendix D say',
    version('1.0.0-beta.1'),
    ['value-pattern /version'],
  ],
  ['[adl/D-1] a version is digits', version('1.0.x'), ['value-pattern /version']],
  ['[adl/D-1] a version has three numbers', version('1.0'), ['value-pattern /version']],
  ['[adl/D-1] a version may have leading zeros', version('01.002.0'), []],
  ['[adl/D-1] a version uses ASCII digits', version('1.0.٣'), ['value-pattern /version']],
  ['[adl/D-2] a tool name may have digits and underscores', tool({ name: 'a_1__' }), []],
  ['[adl/D-2] a tool name is ASCII', tool({ name: 'größe' }), ['VAL-13 /tools/0/name']],
  ['[adl/D-3] an extension name may have digits and underscores', { x_1a: 1, x__: 2, x_a_b: 3 }, []],
  ['[adl/D-3] an extension name has no capital letters', { x_Acme: 1 }, ['undefined-member /x_Acme']],
  ['[adl/D-3] an extension name has something after x_', { x_: 1 }, ['undefined-member /x_']],
  ['[adl/D-4] a tag may have hyphens and digits', { metadata: { tags: ['a-1', '-', '9'] } }, []],
  [
    '[adl/D-4] a tag has no underscore',
    { metadata: { tags: ['a_b', ''] } },
    ['tag /metadata/tags/0', 'tag /metadata/tags/1'],
  ],
  [
    '[adl/6.1-6] a URN may accompany a resolvable id',
    { id: 'https://a.example/a', metadata: { x_urn: 'urn:adl:a' } },
    [],
  ],
  [
    '[adl/6.3-8] cryptographic_identity is an object',
    { cryptographic_identity: [] },
    ['member-type /cryptographic_identity'],
  ],
  ['[adl/7.1-4] model is an object', { model: 'gpt' }, ['member-type /model']],
  [
    '[adl/8.1-8] tools and resources are arrays',
    { tools: {}, resources: {} },
    ['member-type /tools', 'member-type /resources'],
  ],
  [
    '[adl/18.7-6] a URI has the syntax of RFC 3986',
    { metadata: { documentation: 'https://a.example/ b', repository: '//a.example' } },
    ['VAL-06 /metadata/documentation', 'VAL-06 /metadata/repository'],
  ],
  ['[adl/17.1-27] there are at most a thousand tools', { tools: Array(1001).fill({}) }, ['limit/entries /tools']],
  ['[adl/10-1] security is an object', { security: [] }, ['member-type /security']],
  ['[adl/10-1] security has three members', { security: { firewall: {} } }, ['undefined-member /security/firewall']],
  [
    '[adl/10.1-2] authentication has members of its type',
    { security: { authentication: { type: 'oidc', issuer: 'https://a.example', audience: 'b' } } },
    [],
  ],
  [
    '[adl/10.4-8] tools have a classification of their own',
    tool({ data_classification: { sensitivity: 'public' } }),
    [],
  ],
  ['[adl/11-2] runtime is an object', { runtime: 1 }, ['member-type /runtime']],
  ['[adl/12-1] metadata is an object', { metadata: null }, ['member-type /metadata']],
  [
    '[adl/14.2-3] profiles have rules of their own',
    { profiles: ['urn:adl:profile:portfolio:1.0'] },
    ['PFL-01 /profiles/0'],
  ],
]

test.each(ROWS)('%s', (_, members, expected) => expect(told(members)).toEqual(expected))

describe('unknown members are kept', () => {
  const kept = {
    ...CLEAN,
    x_acme: { deep: [1, { x_y: null }] },
    tools: [
      { name: 'a', description: 'Does it.', x_a: 1, annotations: { openapi_ref: 'https://a.example/o', mine: [2] } },
    ],
    resources: [{ name: 'r', type: 'file', annotations: { constructor: 1, yours: {} } }],
    security: { attestation: { type: 'self', x_b: true } },
    futureMember: 'kept as well',
  }
  const source = JSON.stringify(kept)

  test('[adl/4.3-2] [adl/8.1-9] [adl/8.2-7] [adl/14.3-3] [adl/17.1-29] by every verb that returns a document', async () => {
    const document = parse(source).document!
    expect(JSON.parse(text(formatJson(document)))).toEqual(kept)
    const { bytes } = await adl.sign(source, await generateKey('Ed25519'), { force: true })
    const signed = JSON.parse(text(bytes!))
    delete signed.security.attestation.signature
    expect(signed).toEqual(kept)
    expect(adl.redact(source).document?.value).toEqual(kept)
  })

  test('[adl/4.3-6] and not checked', () => {
    const odd = [null, [], { status: 7 }, 'x'.repeat(2000)]
    for (const value of odd) expect(told({ x_acme: value, metadata: { x_lifecycle: value } })).toEqual([])
  })
})

describe('errors', () => {
  test('[adl/16.1-2] have a pointer, and line and column from 1', () => {
    const report = adl.validate('{\n  "adl_spec": 1}', { now: NOW })
    expect(adl.formatErrors(report).errors.map(({ source }) => source)).toContainEqual({
      pointer: '/adl_spec',
      line: 2,
      column: 15,
    })
  })

  test('[adl/18.2-12] tell where a credential belongs', () => {
    const [finding] = findings({ x_key: `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}` })
    expect(finding?.fix?.hint).toMatch(/environment variable or a secret manager/)
  })
})

describe('documents that Blazon writes', () => {
  test('[adl/6.1-3] [adl/17.3-6] templates identify agents by https URIs, [adl/17.1-31] and name their schema', () => {
    for (const name of Object.keys(TEMPLATES) as TemplateName[]) {
      const { id = 'https://', $schema } = newDefinition(name, 'Scout', { now: NOW })
      expect(id).toMatch(/^https:\/\//)
      expect($schema).toBe('https://adl-spec.org/0.1/schema.json')
    }
  })

  test('[adl/17.1-28] are signed as JSON when the source was YAML', async () => {
    const { bytes } = await adl.sign('adl_spec: 0.1.0\nname: a', await generateKey('Ed25519'), {
      file: 'a.yaml',
      force: true,
    })
    expect(JSON.parse(text(bytes!))).toMatchObject({ adl_spec: '0.1.0', name: 'a' })
  })

  test('[adl/17.1-30] cards have names, descriptions and versions, and a skill for each tool', () => {
    const source = JSON.stringify({ ...CLEAN, ...tool({}), provider: { name: 'Acme', url: 'https://a.example' } })
    const { document } = convert(source, { to: 'a2a-1.0', url: 'https://a.example/a2a' })
    const { name, description, version } = CLEAN
    expect(document?.value).toMatchObject({ name, description, version, skills: [{ id: 'add', name: 'add' }] })
  })
})

describe('trust', () => {
  const signed = {
    ...CLEAN,
    security: { attestation: { signature: {} } },
    permissions: { network: { allowed_hosts: ['a.example'] } },
  }

  test('[adl/18.1-6] a signature must verify before permissions count', () => {
    const { allowed, reason } = adl.decide(
      JSON.stringify(signed),
      { domain: 'network', host: 'a.example' },
      { now: NOW },
    )
    expect([allowed, reason]).toEqual([false, expect.stringMatching(/signature|verif/)])
  })

  test('[adl/17.3-2] a URN proves no identity', async () => {
    const { verdict } = await adl.verify(JSON.stringify({ ...signed, id: 'urn:adl:agent:acme:a:1.0.0' }), { now: NOW })
    expect(verdict).not.toBe('verified')
  })

  test('[adl/17.1-23] [adl/18.11-1] an agent that nothing vouches for does not run', () => {
    expect(adl.mayProvision(CLEAN, { now: NOW }).allowed).toBe(false)
    expect(adl.mayProvision(CLEAN, { now: NOW, source: { trusted: true } }).allowed).toBe(true)
  })

  test('[adl/17.1-26] [adl/18-4] an agent that may reach every host does not run unless that is acknowledged', () => {
    const definition = { ...CLEAN, permissions: { network: { allowed_hosts: ['*'] } } }
    const options = { now: NOW, source: { trusted: true }, enforces: ['network'] } as const
    expect(adl.mayProvision(definition, options).allowed).toBe(false)
    const acknowledged = ['/permissions/network/allowed_hosts/0']
    expect(adl.mayProvision(definition, { ...options, acknowledged }).allowed).toBe(true)
  })

  test('[adl/18.12-31] a request that is not granted is denied', () => {
    const at = (host: string) => adl.decide(granted, { domain: 'network', host }, { now: NOW }).allowed
    const granted = JSON.stringify({ ...CLEAN, permissions: { network: { allowed_hosts: ['a.example'] } } })
    expect([at('a.example'), at('b.example')]).toEqual([true, false])
  })

  test('[adl/17.1-24] [adl/18.3-5] every value of a variable counts as untrusted', () => {
    const source = JSON.stringify({ ...CLEAN, system_prompt: { template: 'For {{user}}.', variables: { user: 'a' } } })
    for (const user of ['{{x}}', 'a\u0000', '\u202e', 'a'.repeat(200_000)]) {
      expect(adl.renderPrompt(source, { variables: { user } }).text).toBeUndefined()
    }
  })

  test('[adl/18.4-6] [adl/18.4-7] a review lists paths, and who may read confidential data', () => {
    const source = JSON.stringify({
      ...CLEAN,
      data_classification: { sensitivity: 'confidential' },
      permissions: { filesystem: { allowed_paths: [{ path: '/srv/payroll/**', access: 'read' }] } },
    })
    const { publishable, diagnostics } = adl.review(source)
    expect(publishable).toBe(false)
    expect(diagnostics.map(({ rule, fix }) => [rule, fix?.hint])).toEqual([
      ['review/classification', expect.stringMatching(/those who are authorized only/)],
      ['review/path', expect.stringMatching(/generalize/)],
    ])
  })
})

describe('the network', () => {
  afterEach(() => void vi.unstubAllGlobals())

  test('[adl/17.1-25] [adl/18.7-1] [adl/18.7-5] [adl/18.9-4] [adl/18.11-23] is never used for names in a document', async () => {
    const fetch = vi.fn(() => Promise.reject(new Error('asked')))
    vi.stubGlobal('fetch', fetch)
    const uri = 'https://attacker.example/x'
    const value = {
      ...CLEAN,
      $schema: uri,
      id: uri,
      provider: { name: 'A', url: uri },
      cryptographic_identity: { did: 'did:web:attacker.example' },
      ...tool({ parameters: { $schema: uri, $ref: uri }, annotations: { openapi_ref: uri, operation_id: 'a' } }),
      resources: [{ name: 'r', type: 'api', uri, schema: { $ref: uri } }],
      security: {
        attestation: { issuer: uri, signature: { algorithm: 'Ed25519', value: 'AA', signed_content: 'canonical' } },
      },
      metadata: { documentation: uri, repository: uri },
      profiles: [uri],
    }
    const source = JSON.stringify(value)
    adl.validate(source)
    adl.review(source)
    adl.publicCopy(source)
    adl.compileTools(source).checkInput('add', {})
    adl.mayProvision(value, { enforces: [] })
    convert(source, { to: 'a2a-1.0', url: 'https://a.example' })
    await adl.verify(source)
    expect(fetch).not.toHaveBeenCalled()
  })
})
