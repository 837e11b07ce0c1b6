import { describe, expect, test } from 'vitest'
import { blazon, type Setting } from './terminal.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const pem = (label: string) => `-----BEGIN ${label}-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END ${label}-----\n`

describe('validate recognizes files that are not documents, with a hint', () => {
  test.each<[string, string | Uint8Array, string, string]>([
    // The signatures of the PNG, JPEG, GIF, ZIP, gzip and PDF specifications.
    ['logo.png', bytes('89504e470d0a1a0a 0000000d49484452'), 'this is an image', 'blazon init'],
    ['photo.json', bytes('ffd8ffe000104a464946'), 'this is an image', 'blazon init'],
    ['a.gif', 'GIF89a', 'this is an image', 'blazon init'],
    ['a.zip', bytes('504b0304140000000800'), 'this is an archive', 'unpack it'],
    ['a.gz', bytes('1f8b0800000000000003'), 'this is an archive', 'unpack it'],
    ['a.pdf', '%PDF-1.7\n', 'this is a PDF', 'blazon init'],
    ['agent.key', pem('PRIVATE KEY'), 'this is a private key', 'keep it secret'],
    ['ec.key', pem('EC PRIVATE KEY'), 'this is a private key', 'keep it secret'],
    ['agent.pub.pem', pem('PUBLIC KEY'), 'this is a public key', 'blazon verify FILE --key KEY'],
    ['server.crt', pem('TRUSTED CERTIFICATE'), 'this is a certificate', 'openssl x509'],
    ['README.md', 'Scout\n=====\n\n- finds: papers\n', 'this is a Markdown text', 'blazon init'],
    ['notes', '# Scout\n\n- finds papers\n- sums them up\n', 'this is a Markdown text', 'blazon init'],
  ])('%s', async (name, content, what, way) => {
    for (const [argv, setting] of [
      [['validate', name], { files: { [name]: content } }],
      [['validate', '--stdin-filepath', name], { stdin: content }],
    ] as [string[], Setting][]) {
      const { code, stderr } = await blazon(argv, setting)
      expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(what)])
      expect(code).toBeGreaterThan(0)
      expect(stderr).toContain('error DOC-129')
      expect(stderr).toContain(way)
      expect(stderr.match(/ error /g)).toHaveLength(1)
      expect(stderr).not.toContain('MC4C')
    }
  })

  test('an empty stdin', async () => {
    for (const stdin of ['', ' \n']) {
      const { code, stderr } = await blazon(['validate'], { stdin })
      expect([code, stderr]).toEqual([1, expect.stringContaining('pipe a document into it')])
    }
    const named = await blazon(['validate', 'a.json'], { files: { 'a.json': '\n' } })
    expect([named.code, named.stderr]).toEqual([1, expect.stringMatching(/hint: blazon init writes a document to/)])
  })

  test('a YAML document may begin with a comment', async () => {
    const stdin = '# The scout\nadl_spec: 0.1.0\nname: Scout\n'
    expect((await blazon(['validate'], { stdin })).stderr).not.toContain('DOC-129')
    expect((await blazon(['validate'], { stdin: '# A list\n{"a": 1}' })).stderr).toContain('DOC-187')
  })
})

test('validate without a file at a terminal shows its usage', async () => {
  const { code, stderr } = await blazon(['validate'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('usage: blazon validate [FILE|')])
  expect((await blazon(['decide'])).stderr).toContain('usage: blazon decide')
})

describe('a server that cannot be reached', () => {
  test.each([
    ['ENOTFOUND', 'there is no host nobody.example'],
    ['ECONNREFUSED', 'nothing answers at that port'],
    ['ECONNRESET', 'the connection was cut off'],
    ['ETIMEDOUT', 'it did not answer in time'],
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
  ])('%s: %s', async (code, words) => {
    const failing = () => {
      const cause = Object.assign(new Error(`getaddrinfo ${code} x`), { code, hostname: 'nobody.example' })
      throw new TypeError('fetch failed', { cause })
    }
    const env = { BLAZON_TOKEN: 't' }
    const searched = await blazon(['search', 'x', '--server', 'https://nobody.example'], { server: failing })
    const fetched = await blazon(['validate', 'https://nobody.example/a.json', '--allow-network'], {
      fetch: async () => failing(),
    })
    for (const { stderr } of [searched, fetched]) {
      expect(stderr).toContain(words)
      expect(stderr).not.toContain('getaddrinfo')
    }
    const sent = await blazon(['directory', 'list', '--server', 'https://nobody.example'], { server: failing, env })
    expect(sent.stderr).toContain(words)
  })
})

test.each([
  ['publish', 'a.card.json'],
  ['directory', 'export'],
  ['directory', 'list'],
  ['tasks', 'list', 'bob'],
  ['tasks', 'take', 'bob'],
  ['token', 'revoke', 'ci'],
  ['invite', 'create', 'bob'],
  ['search', 'x'],
])('%s %s takes --server and its other names', async (...argv) => {
  const seen: string[] = []
  const server = ({ url }: Request) => {
    seen.push(new URL(url).origin)
    return new Response('{}', { status: 500 })
  }
  const files = { 'a.card.json': '{"id": "agent://scout", "name": "Scout"}' }
  const setting = { server, files, env: { BLAZON_TOKEN: 't', TOKEN_SECRET: 's' } }
  for (const name of ['server', 'to', 'from', 'at', 'directory']) {
    const origin = `https://${name}.example`
    const { stderr } = await blazon([...argv, `--${name}`, origin], setting)
    expect([stderr, seen.at(-1)]).toEqual([expect.not.stringContaining('unknown option'), origin])
  }
})

test('search skips other files in a folder, readable or not; named ones are problems', async () => {
  const files = {
    'a.card.json': '{"id": "agent://scout", "name": "Scout", "description": "Finds papers."}',
    'broken.json': '{"a": ',
    'notes.yaml': 'a: b: c\n',
  }
  const { code, stderr, stdout } = await blazon(['search', 'papers', '--from', '.'], { files })
  expect([code, stdout]).toEqual([0, expect.stringContaining('agent://scout')])
  expect(stderr).toBe('1 card searched, 2 files of another kind\n')
  const named = await blazon(['search', 'papers', '--from', 'broken.json', '--from', 'a.card.json'], { files })
  expect(named.stderr).toContain('broken.json:1')
})

test('decide gives its reason once', async () => {
  const stdin = JSON.stringify({
    adl_spec: '0.1.0',
    name: 'A',
    permissions: { network: { allowed_hosts: ['a.example'] } },
  })
  const { stdout, stderr } = await blazon(['decide', '-', 'network', 'host=b.example'], { stdin })
  expect(`${stdout}${stderr}`.match(/no pattern of allowed_hosts matches/g)).toHaveLength(1)
  expect(stdout).toMatch(/^denied: .* \(ADL 9\.\d\)\n/)
})

test('names a misspelled member in formats with one line per finding', async () => {
  const stdin = '{"adl_spec": "0.1.0", "name": "A", "version": "1.0.0", "descripton": "Finds papers for you."}'
  for (const format of ['stylish', 'github', 'pretty']) {
    const { stdout, stderr } = await blazon(['validate', '-', '--format', format], { stdin })
    expect(stdout + stderr).toContain("'descripton' is not known: did you mean 'description'?")
  }
})
