import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const AGENT = '{"adl_spec":"0.1.0","name":"A"}'
const FILES = { 'agents/a.adl.json': AGENT, 'agents/b.adl.yaml': 'adl_spec: 0.1.0\nname: B # not sent\n' }
const ENV = { BLAZON_TOKEN: 'secret' }
const TO = ['--to', 'https://agents.example.com']

/** A server that records its requests. */
function server(answer: (name: string) => Response) {
  const seen: { url: string; method: string; token: string | null; type: string | null; body: string }[] = []
  return {
    seen,
    async server(request: Request) {
      const { url, method, headers } = request
      const body = await request.text()
      seen.push({ url, method, token: headers.get('authorization'), type: headers.get('content-type'), body })
      return answer(url)
    },
  }
}

const created = (url: string) =>
  Response.json({ url, etag: '"x"', outcome: 'created', acknowledged: [] }, { status: 201 })

test('announces the server, sends each definition as JSON, and prints its URL', async () => {
  const { seen, server: answer } = server(created)
  const { code, stdout, stderr } = await blazon(['publish', 'agents', ...TO], {
    files: FILES,
    env: ENV,
    server: answer,
  })
  expect(code).toBe(0)
  expect(seen).toEqual([
    {
      url: 'https://agents.example.com/agents/a/adl.json',
      method: 'PUT',
      token: 'Bearer secret',
      type: 'application/adl+json',
      body: AGENT,
    },
    {
      url: 'https://agents.example.com/agents/b/adl.json',
      method: 'PUT',
      token: 'Bearer secret',
      type: 'application/adl+json',
      body: '{"adl_spec":"0.1.0","name":"B"}',
    },
  ])
  expect(stdout).toBe('https://agents.example.com/agents/a/adl.json\nhttps://agents.example.com/agents/b/adl.json\n')
  expect(stderr).toMatch(/^publishing to https:\/\/agents\.example\.com\n/)
  expect(stderr).toContain('2 of 2 published')
  expect(stdout + stderr).not.toContain('secret')
})

test('passes confirmations on, and names the option for a missing one', async () => {
  const needs = [
    { id: 'bare-wildcard', pointer: '/permissions/network/allowed_hosts/0' },
    { id: 'review', pointer: '/x' },
  ]
  const refuse = () => Response.json({ detail: 'Somebody must confirm', needs }, { status: 422 })
  const { seen, server: answer } = server(refuse)
  const argv = ['publish', 'agents/a.adl.json', ...TO, '--reviewed', '--acknowledge', '/a b']
  const { code, stderr } = await blazon(argv, { files: FILES, env: ENV, server: answer })
  expect(code).toBe(1)
  expect(seen[0]!.url).toBe('https://agents.example.com/agents/a/adl.json?reviewed=true&acknowledge=%2Fa+b')
  expect(stderr).toContain('--acknowledge /permissions/network/allowed_hosts/0 --reviewed')
})

test('names the option that replaces the content of a version, and passes it on', async () => {
  const refuse = (url: string) =>
    url.endsWith('?replace=true')
      ? Response.json({ url, outcome: 'replaced' })
      : Response.json({ detail: 'This version has other content', needs: [{ id: 'replace' }] }, { status: 409 })
  const { seen, server: answer } = server(refuse)
  const setting = { files: FILES, env: ENV, server: answer }
  const { code, stderr } = await blazon(['publish', 'agents/a.adl.json', ...TO], setting)
  expect([code, stderr]).toEqual([1, expect.stringContaining('other content; --replace confirms it')])
  expect((await blazon(['publish', 'agents/a.adl.json', ...TO, '--replace'], setting)).code).toBe(0)
  expect(seen.map(({ url }) => url.split('adl.json')[1])).toEqual(['', '?replace=true'])
})

test('a refusal does not stop the others', async () => {
  const { server: answer } = server((url) =>
    url.includes('/a/') ? new Response('oops', { status: 500 }) : created(url),
  )
  const { code, stdout, stderr } = await blazon(['publish', 'agents', ...TO], {
    files: FILES,
    env: ENV,
    server: answer,
  })
  expect(code).toBe(1)
  expect(stdout).toBe('https://agents.example.com/agents/b/adl.json\n')
  expect(stderr).toContain('the server answers 500')
  expect(stderr).toContain('1 of 2 published')
})

test('reports an unreachable server', async () => {
  const answer = () => {
    throw new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') })
  }
  const { code, stderr } = await blazon(['publish', 'agents/a.adl.json', ...TO], {
    files: FILES,
    env: ENV,
    server: answer,
  })
  expect(code).toBe(3)
  expect(stderr).toContain('cannot be reached: connect ECONNREFUSED')
})

test('does not send a file whose name cannot be part of a URL', async () => {
  const { seen, server: answer } = server(created)
  const files = { 'Ä b.adl.json': AGENT }
  expect((await blazon(['publish', 'Ä b.adl.json', ...TO], { files, env: ENV, server: answer })).code).toBe(1)
  expect(seen).toEqual([])
})

test.each([
  [['publish', 'a.adl.json'], ENV, 'needs --server'],
  [['publish', 'a.adl.json', ...TO], {}, 'BLAZON_TOKEN'],
  [['publish', 'a.adl.json', '--to', 'http://agents.example.com'], ENV, 'expected https'],
  [['publish', 'a.adl.json', '--to', 'ftp://localhost'], ENV, 'expected https'],
  [['publish', 'a.adl.json', '--to', 'nowhere'], ENV, 'expected a URL'],
  [['publish', 'a.adl.json', '--to', 'https://agents.example.com/base'], ENV, 'without a path'],
])('%j with %j is wrong usage: nothing is sent', async (argv, env, words) => {
  const { code, stderr } = await blazon(argv, { files: FILES, env })
  expect(code).toBe(2)
  expect(stderr).toContain(words)
})

test.each(['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787'])('%s is this machine', async (to) => {
  const { server: answer } = server(created)
  const argv = ['publish', 'agents/a.adl.json', '--to', to]
  expect((await blazon(argv, { files: FILES, env: ENV, server: answer })).code).toBe(0)
})

test('[adl/18.4-5] does not send a document without its confirmation', async () => {
  const { seen, server: answer } = server(created)
  const files = {
    'a.adl.json': '{"data_classification": {"sensitivity": "confidential"}}',
    'b.adl.json': '{"permissions": {"network": {"allowed_hosts": ["*"]}}}',
  }
  const confirming = ['--reviewed', '--acknowledge', '/permissions/network/allowed_hosts/0']
  const publish = (...options: string[]) =>
    blazon(['publish', 'a.adl.json', 'b.adl.json', ...TO, ...options], { files, env: ENV, server: answer })
  const { code, stderr } = await publish()
  expect([code, seen]).toEqual([1, []])
  expect(stderr).toContain('--reviewed confirms it')
  expect(stderr).toContain('--acknowledge /permissions/network/allowed_hosts/0 confirms it')
  expect((await publish(...confirming)).code).toBe(0)
  expect(seen.length).toBe(2)
})

describe('files of one name go to one place', () => {
  const SIGNED =
    '{"adl_spec":"0.1.0","name":"A","security":{"attestation":{"type":"self","signature":{"algorithm":"Ed25519","value":"AAAA"}}}}'
  const publish = async (files: Record<string, string>, ...paths: string[]) => {
    const { seen, server: answer } = server(created)
    const ran = await blazon(['publish', ...paths, ...TO], { files, env: ENV, server: answer })
    return { ...ran, sent: seen.map(({ body }) => body) }
  }

  test.each([
    ['agents/a.adl.json', 'agents/a.adl.yaml'],
    ['agents/a.adl.json', 'agents/old/a.json'],
    ['agents/z/a.adl.json', 'agents/a.adl.yaml'],
  ])('sends the signed %s, and reports %s as skipped', async (signed, unsigned) => {
    const { code, stdout, stderr, sent } = await publish({ [signed]: SIGNED, [unsigned]: AGENT }, 'agents')
    expect(sent).toEqual([SIGNED])
    expect([code, stdout]).toEqual([0, 'https://agents.example.com/agents/a/adl.json\n'])
    expect(stderr).toContain(unsigned)
    expect(stderr).toContain(`${signed} is signed and goes to the same place`)
    expect(stderr).toContain('1 of 1 published at https://agents.example.com; 1 skipped')
  })

  test.each([
    ['neither is signed', AGENT, '{"adl_spec":"0.1.0","name":"Another"}'],
    ['both are', SIGNED, SIGNED.replace('AAAA', 'BBBB')],
  ])('if %s, sends nothing of the name, but everything else', async (_, one, other) => {
    const files = { 'agents/a.adl.json': one, 'agents/a.json': other, 'agents/b.adl.json': AGENT }
    const { code, stderr, sent } = await publish(files, 'agents')
    expect([code, sent]).toEqual([1, [AGENT]])
    expect(stderr).toContain('DOC-186')
    expect(stderr).toContain('agents/a.json would go to the same place')
    expect(stderr).toContain('agents/a.adl.json would go to the same place')
    expect(stderr).toContain('publish only one of them, or rename the others')
    expect(stderr).toContain('1 of 3 published')
  })

  test('sends one of several with equal content', async () => {
    const { code, stderr, sent } = await publish(
      { 'a.adl.json': AGENT, 'a.adl.yaml': AGENT },
      'a.adl.json',
      'a.adl.yaml',
    )
    expect([code, sent]).toEqual([0, [AGENT]])
    expect(stderr).toContain('a.adl.json has the same content and goes to the same place')
  })

  test('metadata has its own place, and cards with the same name all go to the directory', async () => {
    const metadata = '{"protocol":"ADP/1.1","identity":{"id":"agent:alice.example.com"},"endpoints":{}}'
    const card = (id: string) => `{"id":"agent:${id}","name":"A","skills":[]}`
    const files = { 'a.adl.json': AGENT, 'a.json': metadata, 'x/card.json': card('x'), 'y/card.json': card('y') }
    const { sent, stderr } = await publish(files, '.')
    expect(sent).toContain(AGENT)
    expect(sent).toContain(metadata)
    expect(stderr).not.toContain('the same place')
  })
})
