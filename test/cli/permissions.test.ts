import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const agent = {
  adl_spec: '0.1.0',
  name: 'A',
  version: '1.0.0',
  permissions: {
    network: { allowed_hosts: ['*.example.com'], allowed_ports: [443], deny_private: true },
    environment: { allowed_variables: ['APP_*'], denied_variables: ['APP_SECRET_*'] },
  },
  tools: [{ name: 'pay', description: 'x', requires_confirmation: true }],
}
const text = (members: object = {}) => JSON.stringify({ ...agent, ...members }, null, 1)
const files = { 'a.json': text(), 'a.adl.yaml': 'adl_spec: "0.1.0"\npermissions:\n  network: {}\n' }

const decide = (...words: string[]) => blazon(['decide', 'a.json', ...words], { files })

describe('blazon decide', () => {
  test('allowed: shows the reason, the deciding value and the obligations', async () => {
    const { code, stdout, stderr } = await decide('network', 'host=API.example.com', 'port=443')
    expect([code, stderr]).toEqual([0, ''])
    await expect(stdout).toMatchFileSnapshot('../../fixtures/cli/report/decide-allowed.txt')
  })

  test('denied: exit code 1', async () => {
    const { code, stdout } = await decide('environment', 'variable=APP_SECRET_KEY')
    expect(code).toBe(1)
    await expect(stdout).toMatchFileSnapshot('../../fixtures/cli/report/decide-denied.txt')
    expect((await decide('tool', 'name=pay')).code).toBe(1)
    expect((await decide('tool', 'name=pay', 'confirmed=true')).code).toBe(0)
    expect((await decide('filesystem', 'path=/a', 'access=read')).stdout).toContain(
      'denied: permissions has no filesystem',
    )
  })

  test('takes the request as JSON, and reports as JSON', async () => {
    const request = { domain: 'environment', variable: 'APP_PORT' }
    const { code, stdout } = await decide('--request', JSON.stringify(request), '--format', 'json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      command: 'decide',
      results: [
        {
          file: 'a.json',
          kind: 'adl',
          request,
          decision: { allowed: true, decidedBy: '/permissions/environment/allowed_variables/0', obligations: [] },
        },
      ],
    })
    const absent = await decide('resource', 'memoryMb=1', '--format', 'json')
    expect(JSON.parse(absent.stdout).results[0].decision).toMatchObject({ allowed: false, decidedBy: null })
  })

  test('applies the rules of other systems', async () => {
    const denied = ['environment', 'variable=app_port']
    expect((await decide(...denied)).code).toBe(1)
    expect((await decide(...denied, '--ignore-case')).code).toBe(0)
    expect((await decide(...denied, '--windows')).code).toBe(0)
  })

  test('a signed definition permits nothing unless its signature verifies', async () => {
    const attestation = { signature: { algorithm: 'Ed25519', value: 'AA', signed_content: 'canonical' } }
    const signed = { 'a.json': text({ security: { attestation } }) }
    const ran = await blazon(['decide', 'a.json', 'environment', 'variable=APP_A'], { files: signed })
    expect([ran.code, ran.stdout.split('\n')[0]]).toEqual([
      1,
      expect.stringContaining('denied: the document is signed'),
    ])
    const table = await blazon(['grants', 'a.json'], { files: signed })
    expect(table.stdout.split('\n')[1]).toMatch(/^deny +document +everything +the document is signed/)
  })

  test('with a trusted key, an unsigned definition permits nothing', async () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const withKey = { ...files, 'agent.pub': publicKey.export({ format: 'pem', type: 'spki' }) as string }
    const ask = ['decide', 'a.json', 'environment', 'variable=APP_A']
    expect((await blazon(ask, { files: withKey })).code).toBe(0)
    const ran = await blazon([...ask, '--key', 'agent.pub'], { files: withKey })
    expect([ran.code, ran.stdout.split('\n')[0]]).toEqual([
      1,
      expect.stringContaining('denied: no key that the caller trusts signed it'),
    ])
    const table = await blazon(['grants', 'a.json', '--key', 'agent.pub'], { files: withKey })
    expect(table.stdout.split('\n')[1]).toMatch(/^deny +document +everything +no key that the caller trusts/)
  })

  test.each([
    [[], 'expected one of network'],
    [['net'], 'expected one of network'],
    [['network'], 'decide: network needs host='],
    [['filesystem', 'path=/a'], 'decide: filesystem needs access='],
    [['network', 'host=a', 'protocl=https'], 'did you mean protocol?'],
    [['tool', 'name=a', 'host=b'], 'decide: tool has name, confirmed, not "host"'],
    [['--request', '{"domain":"network","host":"a","prot":1}'], 'not "prot"'],
    [['network', 'host'], 'expected NAME=VALUE, got "host"'],
    [['network', 'host=a', 'port=x'], 'decide: port: expected a number, got "x"'],
    [['network', 'host=a', 'port='], 'decide: port: expected a number, got ""'],
    [['network', 'host=a', 'port=0'], 'request.port: expected an integer from 1 to 65535, got 0'],
    [['execution', 'command=a', 'shell=1'], 'decide: shell: expected true or false, got "1"'],
    [['--request', '{'], '--request: expected JSON'],
    [['--request', '7'], 'request: expected an object, got number'],
    [['network', '--request', '{}'], 'given twice'],
  ])('%j is wrong usage', async (words, message) => {
    const { code, stdout, stderr } = await decide(...words)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  test('reports a missing file, invalid JSON, and a missing argument', async () => {
    expect((await blazon(['decide', 'b.json', 'tool', 'name=a'])).code).toBe(3)
    expect((await blazon(['decide', 'b.json', 'tool', 'name=a'], { files: { 'b.json': '{' } })).code).toBe(1)
    expect((await blazon(['decide'])).code).toBe(2)
  })

  test('text of strangers cannot control the terminal', async () => {
    const { stdout } = await decide('environment', 'variable=\x1b[31m')
    expect(stdout).not.toContain('\x1b')
  })
})

describe('blazon grants', () => {
  test('writes a table', async () => {
    const { code, stdout, stderr } = await blazon(['grants', 'a.json'], { files })
    expect([code, stderr]).toEqual([0, ''])
    await expect(stdout).toMatchFileSnapshot('../../fixtures/cli/report/grants.txt')
  })

  test('writes Markdown for several files, and YAML', async () => {
    const { code, stdout } = await blazon(['grants', 'a.json', 'a.adl.yaml', '--markdown'], { files })
    expect(code).toBe(0)
    await expect(stdout).toMatchFileSnapshot('../../fixtures/cli/report/grants.md')
  })

  test('writes JSON', async () => {
    const { stdout } = await blazon(['grants', 'a.json', '--format', 'json'], { files })
    expect(JSON.parse(stdout).results[0].grants[0]).toEqual({
      effect: 'allow',
      domain: 'network',
      subject: '*.example.com',
      detail: 'port 443, any protocol',
      pointer: '/permissions/network/allowed_hosts/0',
      notes: [],
    })
  })

  test('reports an unreadable document', async () => {
    expect((await blazon(['grants', 'a.json'], { files: { 'a.json': '{' } })).code).toBe(1)
  })
})

describe('blazon diff OLD NEW', () => {
  const wider = { network: { allowed_hosts: ['*'], allowed_ports: [443], deny_private: true } }
  const diff = (old: object, now: object, ...options: string[]) =>
    blazon(['diff', 'old.json', 'new.json', ...options], { files: { 'old.json': text(old), 'new.json': text(now) } })

  test('shows a wider grant at its place, and exits 1', async () => {
    const { code, stdout, stderr } = await diff({}, { permissions: { ...agent.permissions, ...wider }, tools: [] })
    expect(code).toBe(1)
    await expect(stdout + stderr).toMatchFileSnapshot('../../fixtures/cli/report/diff-meaning.txt')
  })

  test('exits 0 for other changes, unless the version is checked', async () => {
    expect(await diff({}, { name: 'B' })).toMatchObject({ code: 0 })
    expect(await diff({}, { name: 'B' }, '--check-version')).toMatchObject({ code: 1 })
    expect(await diff({}, { name: 'B', version: '1.0.1' }, '--check-version')).toMatchObject({ code: 0 })
    expect(await diff({}, {}, '--check-version')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^no changes\n/),
    })
  })

  test('[adl/5.6-20] compares definitions of any status', async () => {
    const { code } = await diff({ lifecycle: { status: 'retired' } }, { lifecycle: { status: 'retired' }, name: 'B' })
    expect(code).toBe(0)
  })

  test('writes JSON', async () => {
    const { stdout } = await diff({}, { name: 'B' }, '--format', 'json')
    const [, now] = JSON.parse(stdout).results
    expect(now).toMatchObject({
      file: 'new.json',
      versionCheck: { from: '1.0.0', to: '1.0.0', moved: null, needed: 'patch', enough: false },
      changes: [{ kind: 'changed', pointer: '/name', breaking: false, source: { file: 'new.json', line: 3 } }],
    })
  })

  test('refuses other kinds, unreadable documents, and too few', async () => {
    expect(await blazon(['diff', 'a', 'b'], { files: { a: '{"a":1}', b: '{"b":1}' } })).toMatchObject({ code: 2 })
    expect(await blazon(['diff', 'a', 'b'], { files: { a: '{', b: '{}' } })).toMatchObject({ code: 1 })
    expect(await blazon(['diff', 'a'])).toMatchObject({ code: 2 })
  })
})
