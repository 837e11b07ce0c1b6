// Agents that the deployment publishes: the agent of a host, metadata, descriptors, and one key in every format.
import { createHash, createPublicKey, generateKeyPairSync, verify as nodeVerify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateKey } from '../../bindings/keys/index.ts'
import { build, sign, validate, verify } from '../../bindings/wellknown/index.ts'
import { validate as validateInvite, verify as verifyInvite } from '../../bindings/wellknown/invite/index.ts'
import { blazon } from '../cli/terminal.ts'
import { type Asked, ask } from '../support/ask.ts'
import { peer } from '../support/peers.mjs'
import { prepareSite, type Runtime, type Site, startRuntime } from '../support/runtime.ts'
import { checkContract } from './contract.ts'
import { bearer, operator, tokenOf } from './tokens.ts'

let site: Site
let runtime: Runtime

/** The public host of the deployment: TLS ends before it. */
const OWN = 'agents.example.org'
const HERE = `https://${OWN}`
const ALICE = 'alice.example.com'
const BOB = 'bob.example.com'
const VACANT = 'vacant.example.com'
const HIDDEN = 'hidden.example.com'

const DEFINITION = {
  adl_spec: '0.1.0',
  name: 'Alice',
  description: 'Reviews code.',
  version: '1.0.0',
  lifecycle: { status: 'active' },
  data_classification: { sensitivity: 'public' },
  tools: [{ name: 'review', description: 'Reviews a change.', parameters: { type: 'object', properties: {} } }],
}

/** Sends a request to the Worker, and checks the answer against openapi.json. */
async function at(path: string, asked: Asked = {}) {
  const answer = await ask(runtime.origin + path, { host: OWN, ...asked })
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value))
  const body = [204, 304].includes(answer.status) ? null : answer.text
  await checkContract(
    asked.method ?? 'GET',
    runtime.origin + path,
    new Response(body, { status: answer.status, headers }),
  )
  return answer
}

const asOperator = () => operator(HERE)
const json = async (path: string, asked: Asked = {}) => JSON.parse((await at(path, asked)).text)
const place = (name: string, body: object) => at(`/v1/agents/${name}`, { method: 'PUT', headers: asOperator(), body })
const makeMetadata = (name: string, body: object) =>
  at(`/agents/${name}/agent.json`, { method: 'POST', headers: asOperator(), body })

beforeAll(async () => {
  site = await prepareSite('test/edge/counting-worker.ts')
  runtime = await startRuntime(site, {
    settings: { PUBLIC_ORIGIN: HERE, HOSTS: `${BOB}=bob wrong`, INVITED: 'anyone' },
  })
  expect((await at('/agents/alice/adl.json', { method: 'PUT', headers: asOperator(), body: DEFINITION })).status).toBe(
    201,
  )
  await place('alice', { host: ALICE })
  await place('empty', { host: VACANT })
  await place('hidden', { host: HIDDEN, private: true })
  const endpoints = { chat: `wss://${ALICE}/agent/chat`, a2a: `https://${ALICE}/a2a` }
  expect((await makeMetadata('alice', { endpoints, pricing: { model: 'free' } })).status).toBe(201)
  const own = { a2a: `https://${HIDDEN}/a2a`, chat: `wss://${HIDDEN}/agent/chat` }
  const more = { tasks: `https://${HIDDEN}/agent/tasks`, swarm: `https://${HIDDEN}/agent/swarm` }
  expect((await makeMetadata('hidden', { name: 'Hidden', endpoints: { ...own, ...more } })).status).toBe(201)
  await at('/agents/hidden/adl.json', { method: 'PUT', headers: asOperator(), body: { ...DEFINITION, name: 'Hidden' } })
})
afterAll(async () => {
  await runtime?.kill()
  site?.remove()
})

describe('[wellknown/6.1-1] [wellknown/6.2-2] GET /.well-known/agent.json', () => {
  test('is the metadata of the agent of this host, signed with its key', async () => {
    const { status, text, headers } = await at('/.well-known/agent.json', { host: ALICE })
    expect([status, headers['content-type']]).toEqual([200, 'application/vnd.adp+json'])
    expect(headers['access-control-allow-origin']).toBe('*')
    const metadata = JSON.parse(text)
    expect(metadata).toMatchObject({
      protocol: 'ADP/1.1',
      identity: { id: `agent:${ALICE}`, domain: ALICE, name: 'Alice' },
      endpoints: { wellKnown: `https://${ALICE}/.well-known/agent.json`, discovery: `https://${ALICE}/` },
      capabilities: [{ id: 'review', input: ['application/json'], pricing: { model: 'free' } }],
    })
    expect(validate(text, { ruleset: 'security' }).diagnostics).toEqual([])
    const { full, fingerprint } = metadata.identity.publicKey
    const raw = createPublicKey(full).export({ type: 'spki', format: 'der' }).subarray(-32)
    expect(fingerprint).toBe(`ed25519:${createHash('sha256').update(raw).digest('base64url')}`)
    expect((await verify(text, { expect: { id: `agent:${ALICE}`, keys: [full] } })).verdict).toBe('verified')
  })

  test.each([
    ['application/vnd.adp+json', 'application/vnd.adp+json'],
    ['*/*', 'application/vnd.adp+json'],
    ['application/*', 'application/vnd.adp+json'],
    ['application/json, application/vnd.adp+json', 'application/vnd.adp+json'],
    ['application/json', 'application/json'],
    ['application/json, application/vnd.adp+json;q=0', 'application/json'],
    ['text/html', 'application/vnd.adp+json'],
  ])('a client that accepts %s gets %s', async (accept, type) => {
    const { headers } = await at('/.well-known/agent.json', { host: ALICE, headers: { accept } })
    expect([headers['content-type'], headers['vary']]).toEqual([type, 'accept'])
  })

  test('[wellknown/6.4-3] may be cached, and is not sent again to clients that have it; HEAD has no body', async () => {
    const { headers, text } = await at('/.well-known/agent.json', { host: ALICE })
    expect(headers['cache-control']).toBe('public, max-age=300, must-revalidate')
    expect(headers['etag']).toBe(`"${createHash('sha256').update(text).digest('base64')}"`)
    const again = { host: ALICE, headers: { 'if-none-match': String(headers['etag']) } }
    expect(await at('/.well-known/agent.json', again)).toMatchObject({ status: 304, text: '' })
    expect(await at('/.well-known/agent.json', { host: ALICE, method: 'HEAD' })).toMatchObject({
      status: 200,
      text: '',
    })
  })

  test('[wellknown/4.1.2-2] a hosted agent has its metadata under its name here', async () => {
    expect((await makeMetadata('carol', { domain: 'carol.example.org', name: 'Carol' })).status).toBe(201)
    for (const path of ['/.well-known/agents/carol/agent.json', '/agents/carol/agent.json']) {
      const { identity, endpoints } = await json(path)
      expect(identity.id).toBe('agent:carol.example.org')
      expect(endpoints.wellKnown).toBe(`${HERE}/.well-known/agents/carol/agent.json`)
    }
  })
})

describe('[wellknown/4.1.1-3] the descriptor of capabilities', () => {
  test('keeps its bytes when other metadata changes, and publishing returns its digest', async () => {
    const before = await at('/capabilities/a2a.json', { host: ALICE })
    const parts = { endpoints: { chat: `wss://${ALICE}/agent/chat`, a2a: `https://${ALICE}/a2a` } }
    const made = JSON.parse(
      (await makeMetadata('alice', { ...parts, pricing: { model: 'free' }, meta: { generator: 'a test' } })).text,
    )
    expect(made.outcome).toBe('replaced')
    const after = await at('/capabilities/a2a.json', { host: ALICE })
    expect([after.text, after.headers['etag']]).toEqual([before.text, before.headers['etag']])
    expect(made['cap-sha256']).toBe(createHash('sha256').update(after.text).digest('base64url'))
    const { capabilities } = await json('/.well-known/agent.json', { host: ALICE })
    expect(JSON.parse(after.text)).toEqual({ agent: `agent:${ALICE}`, capabilities })
    expect((await at('/agents/alice/capabilities.json')).text).toBe(after.text)
  })
})

describe('one key in every format', () => {
  test('metadata, did.json, jwks.json and the A2A card have the same key', async () => {
    const { identity } = await json('/.well-known/agent.json', { host: ALICE })
    const { x } = createPublicKey(identity.publicKey.full).export({ format: 'jwk' })
    const thumbprint = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
    const did = await json('/.well-known/did.json', { host: ALICE })
    expect(did.id).toBe(`did:web:${ALICE}`)
    expect(did.alsoKnownAs).toEqual([`agent:${ALICE}`])
    expect(did.verificationMethod).toMatchObject([{ id: `${did.id}#${thumbprint}`, publicKeyJwk: { x } }])
    const { keys } = await json('/.well-known/jwks.json', { host: ALICE })
    expect(keys).toMatchObject([{ kid: `${did.id}#${thumbprint}`, alg: 'EdDSA', x }])
    for (const version of ['1.0', '0.3']) {
      const card = await json('/.well-known/agent-card.json', { host: ALICE, headers: { 'a2a-version': version } })
      const [{ protected: head, signature }] = card.signatures
      expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ alg: 'EdDSA', kid: keys[0].kid })
      expect(signature).toMatch(/^[\w-]{86}$/)
    }
  })

  test('the signature directory has it, and each key signs the answer so that another implementation verifies it', async () => {
    const path = '/.well-known/http-message-signatures-directory'
    const { text, headers } = await at(path, { host: ALICE })
    expect(headers['content-type']).toBe('application/http-message-signatures-directory+json')
    const { keys } = JSON.parse(text)
    const [own] = (await json('/.well-known/jwks.json', { host: ALICE })).keys
    expect(keys).toMatchObject([{ x: own.x, kid: own.kid.split('#')[1] }])
    expect(String(headers['signature-input'])).toContain('tag="http-message-signatures-directory"')
    const { httpbis } = await peer('http-message-signatures', 'signers')
    const verifier = {
      id: keys[0].kid,
      algs: ['ed25519'],
      verify: async (data: Buffer, signature: Buffer) =>
        nodeVerify(null, data, createPublicKey({ key: keys[0], format: 'jwk' }), signature),
    }
    const response = {
      status: 200,
      headers: { 'signature-input': headers['signature-input'], signature: headers['signature'] },
    }
    const asked = { method: 'GET', url: `https://${ALICE}${path}`, headers: {} }
    const config = { keyLookup: async () => verifier, tolerance: 5 }
    expect(await httpbis.verifyMessage(config, response, asked)).toBe(true)
    const elsewhere = { ...asked, url: `https://${BOB}${path}` }
    expect(await httpbis.verifyMessage(config, response, elsewhere)).toBe(false)
    expect((await at(path)).status, 'the deployment itself signs no requests').toBe(404)
  })

  test('the deployment keeps its own signature directory at its own host', async () => {
    const did = await json('/.well-known/did.json')
    expect(did.id).toBe(`did:web:${OWN}`)
    const [theirs] = (await json('/.well-known/jwks.json')).keys
    expect(theirs.x).not.toBe((await json('/.well-known/jwks.json', { host: ALICE })).keys[0].x)
  })
})

describe('a host', () => {
  test('that is in no table is refused; an unknown one in a request changes nothing', async () => {
    for (const host of ['evil.example', `${ALICE}.evil.example`, `${ALICE}:8443`, `x.${ALICE}`])
      for (const path of ['/', '/.well-known/agent.json', '/.well-known/did.json', '/agent/connect'])
        expect((await at(path, { host })).status, `${path} at ${host}`).toBe(421)
  })

  test('of an agent has the routes of the agent, and none of the deployment', async () => {
    for (const path of [
      '/agents',
      '/adp/ranking',
      '/healthz',
      '/llms.txt',
      '/.well-known/adl-agents',
      '/v1/directory/state',
    ])
      expect((await ask(runtime.origin + path, { host: ALICE })).status, path).toBe(404)
  })

  test('may be given by the setting, which comes before stored ones; an invalid entry serves nothing', async () => {
    expect((await at('/.well-known/agent.json', { host: BOB })).status).toBe(404)
    await makeMetadata('bob', { domain: BOB, name: 'Bob' })
    expect((await json('/.well-known/agent.json', { host: BOB })).identity.name).toBe('Bob')
    expect((await place('other', { host: BOB })).status).toBe(200)
    expect((await json('/.well-known/agent.json', { host: BOB })).identity.name).toBe('Bob')
  })

  test('has one agent, may be the host of the deployment, and can be released', async () => {
    expect((await place('thief', { host: ALICE })).status).toBe(412)
    expect((await place('alice', { host: OWN })).status).toBe(200)
    expect((await json('/.well-known/did.json')).alsoKnownAs).toEqual([`agent:${ALICE}`])
    expect((await at('/.well-known/agent.json', { host: ALICE })).status).toBe(421)
    expect((await at('/agents')).status).toBe(200)
    expect((await place('alice', { host: ALICE })).status).toBe(200)
    expect((await json('/.well-known/did.json')).alsoKnownAs).not.toEqual([`agent:${ALICE}`])
    const { agents } = await json('/v1/agents', { headers: asOperator() })
    expect(agents).toContainEqual({ name: 'alice', host: ALICE, private: false })
    expect(agents).toContainEqual({ name: 'hidden', host: HIDDEN, private: true })
  })

  test.each([
    '',
    'ALICE.example.com',
    'https://alice.example.com',
    'a/b',
    'a b',
    'alice.example.com.',
    'a@b',
    'x'.repeat(300),
    7,
  ])('cannot be %j', async (host) => {
    expect((await place('odd', { host })).status).toBe(400)
  })
})

describe('[wellknown/8.3-1] [wellknown/8.3-2] a private agent', () => {
  const PATHS = [
    '/.well-known/agent.json',
    '/.well-known/http-message-signatures-directory',
    '/capabilities/a2a.json',
    '/.well-known/did.json',
    '/.well-known/jwks.json',
    '/.well-known/agent-card.json',
  ]

  test('gets exactly the same answer as an unknown one', async () => {
    for (const path of PATHS) {
      const [hidden, empty] = [await at(path, { host: HIDDEN }), await at(path, { host: VACANT })]
      expect(hidden.status).toBe(404)
      const shown = ({ text, headers: { date: _, ...headers } }: typeof hidden, host: string) =>
        JSON.stringify([text, headers]).replaceAll(host, 'HOST')
      expect(shown(hidden, HIDDEN)).toBe(shown(empty, VACANT))
    }
    expect((await at('/', { host: HIDDEN })).text).toBe((await at('/', { host: VACANT })).text)
    for (const path of [
      '/agents/NAME',
      '/agents/NAME/adl.json',
      '/agents/NAME/agent.json',
      '/agents/NAME/capabilities.json',
      '/.well-known/agents/NAME/agent.json',
    ]) {
      for (const accept of ['*/*', 'text/html']) {
        const read = (name: string) => at(path.replace('NAME', name), { headers: { accept } })
        const [hidden, absent] = [await read('hidden'), await read('absent')]
        expect([hidden.status, hidden.text.replaceAll('hidden', 'absent')], path).toEqual([404, absent.text])
      }
    }
  })

  test('takes no message, task or result, and connects nobody, like an unknown one', async () => {
    const body = { from: 'agent:alice.example.net' }
    const asked: readonly (readonly [string, Asked])[] = [
      ['/agent/chat', {}],
      ['/agent/tasks', { method: 'POST', body: { task: 'x' } }],
      ['/agent/tasks/7', {}],
      ['/agent/webhook', { method: 'POST', body: {} }],
      ['/agent/swarm/join', { method: 'POST', body: {} }],
      ['/agent/swarm/members?task=x', {}],
      ['/agent/connect', { method: 'POST', body }],
      ['/agent/invite', { method: 'POST', body: { code: 'x' } }],
    ]
    for (const [path, how] of asked) {
      const answers = []
      for (const host of [HIDDEN, VACANT]) {
        await ask(`${runtime.origin}/reads`)
        const { status, text } = await at(path, { host, ...how })
        const { text: reads } = await ask(`${runtime.origin}/reads`)
        answers.push([status, text.replaceAll(host, 'HOST'), reads])
      }
      expect(answers[0]![0], path).toBe(404)
      expect(answers[0], path).toEqual(answers[1])
    }
    for (const path of ['/agents/NAME/chat', '/agents/NAME/tasks/7']) {
      const [hidden, absent] = await Promise.all(['hidden', 'absent'].map((name) => at(path.replace('NAME', name))))
      expect([hidden!.status, hidden!.text.replaceAll('hidden', 'absent')], path).toEqual([404, absent!.text])
    }
  })

  test('costs the same reads as an unknown one', async () => {
    const readsOf = async (path: string, host: string) => {
      await ask(`${runtime.origin}/reads`)
      await at(path, { host })
      return JSON.parse((await ask(`${runtime.origin}/reads`)).text)
    }
    for (const path of [...PATHS, '/']) {
      const reads = await readsOf(path, HIDDEN)
      expect(reads, path).toEqual(['agentOn'])
      expect(await readsOf(path, VACANT), path).toEqual(reads)
    }
    for (const path of ['/agents/NAME', '/agents/NAME/adl.json', '/agents/NAME/agent.json']) {
      const reads = await readsOf(path.replace('NAME', 'hidden'), OWN)
      expect(await readsOf(path.replace('NAME', 'absent'), OWN), path).toEqual(reads)
    }
  })

  test('is in no published document', async () => {
    for (const path of [
      '/.well-known/adl-agents',
      '/.well-known/ai-catalog.json',
      '/.well-known/ard.json',
      '/.well-known/api-catalog',
      '/agents',
      '/agents?orderBy=newest',
      '/llms.txt',
    ])
      expect((await at(path)).text, path).not.toMatch(/hidden/i)
    expect((await at('/.well-known/adl-agents')).text).toContain('alice')
  })

  test('is read with a token, which no shared cache serves; another token gets the same answer as none', async () => {
    const tokens = [
      operator(HERE),
      bearer(HERE, { scope: 'read' }),
      bearer(HERE, { scope: 'read-one', holder: '/agents/hidden' }),
    ]
    for (const headers of tokens) {
      for (const path of [...PATHS, '/']) {
        const { status, headers: answered } = await at(path, { host: HIDDEN, headers })
        expect([status, answered['cache-control']], path).toEqual([200, 'private, max-age=300, must-revalidate'])
        expect(String(answered['vary'])).toContain('authorization')
      }
      for (const file of ['adl.json', 'agent.json', 'capabilities.json'])
        expect((await at(`/agents/hidden/${file}`, { headers })).status).toBe(200)
    }
    for (const grant of [
      { scope: 'read-one', holder: '/agents/alice' },
      { scope: 'export' },
      { scope: 'read', secret: 'another'.repeat(8) },
    ]) {
      const headers = bearer(HERE, grant)
      const answers = await Promise.all(
        [HIDDEN, VACANT].map((host) => at('/.well-known/agent.json', { host, headers })),
      )
      const [hidden, empty] = answers.map(({ status, text }, i) => [
        status,
        text.replaceAll([HIDDEN, VACANT][i]!, 'HOST'),
      ])
      expect([401, 403]).toContain(hidden![0])
      expect(hidden).toEqual(empty)
    }
  })
})

describe('[wellknown/8.3.1-3] invitations', () => {
  const invitations = '/agents/hidden/invitations'
  const make = (body: object = {}) => at(invitations, { method: 'POST', headers: asOperator(), body })
  const redeem = (code: unknown, host = HIDDEN) =>
    at('/agent/invite', { host, method: 'POST', body: { code } as object })
  const read = (token: string, host = HIDDEN) =>
    at('/.well-known/agent.json', { host, headers: { authorization: `Bearer ${token}` } })

  test('are signed by the agent, and admit anyone who shows the code, once', async () => {
    const answer = await make()
    expect(answer.status).toBe(201)
    const { invitation, signed, uses } = JSON.parse(answer.text)
    expect([signed, uses]).toEqual([true, 1])
    expect(invitation.invite).toMatchObject({
      agent: `agent:${HIDDEN}`,
      wellKnown: `https://${HIDDEN}/.well-known/agent.json`,
    })
    expect(Buffer.from(invitation.invite.code, 'base64url')).toHaveLength(16)
    expect(validateInvite(JSON.stringify(invitation), { ruleset: 'security' }).diagnostics).toEqual([])
    const redeemed = await redeem(invitation.invite.code)
    expect(redeemed.status).toBe(200)
    const { token, expires } = JSON.parse(redeemed.text)
    expect(Date.parse(expires)).toBe(Date.parse(invitation.invite.expires))
    const metadata = await read(token)
    expect([metadata.status, metadata.headers['cache-control']]).toEqual([200, 'private, max-age=300, must-revalidate'])
    const { full } = JSON.parse(metadata.text).identity.publicKey
    const proof = await verifyInvite(JSON.stringify(invitation), { expect: { id: `agent:${HIDDEN}`, keys: [full] } })
    expect(proof.verdict).toBe('verified')
    expect((await redeem(invitation.invite.code)).status).toBe(404)
    expect((await read(token, VACANT)).status, 'for this agent only').toBe(403)
    const publish = { method: 'PUT', headers: { authorization: `Bearer ${token}` }, body: {} }
    expect((await at('/agents/hidden/agent.json', publish)).status).toBe(403)
  })

  test('are redeemed as often as they allow, even by many clients at once', async () => {
    const { invitation } = JSON.parse((await make({ uses: 3, seconds: 3600 })).text)
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await redeem(invitation.invite.code)).status),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(3)
  })

  test('are revoked together with every token that they gave', async () => {
    const { id, invitation } = JSON.parse((await make({ uses: 2 })).text)
    const { token } = JSON.parse((await redeem(invitation.invite.code)).text)
    expect((await read(token)).status).toBe(200)
    const listed = await json(invitations, { headers: asOperator() })
    expect(listed.invitations).toContainEqual({ id, uses: 1, expires: expect.any(String) })
    expect(JSON.stringify(listed)).not.toContain(invitation.invite.code)
    const revoke = { method: 'DELETE', headers: asOperator() }
    expect((await at(`${invitations}?id=${id}`, revoke)).status).toBe(204)
    expect((await read(token)).status).toBe(401)
    expect((await redeem(invitation.invite.code)).status).toBe(404)
    expect((await at(`${invitations}?id=${id}`, revoke)).status).toBe(404)
  })

  test('reveal nothing: wrong codes get the same answer at any host', async () => {
    const { invitation } = JSON.parse((await make()).text)
    const answers = await Promise.all([
      redeem('AAAAAAAAAAAAAAAAAAAAAA'),
      redeem(invitation.invite.code, ALICE),
      redeem('x', VACANT),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => JSON.parse(text).detail)).size).toBe(1)
    expect((await redeem(invitation.invite.code)).status, 'it was not used up by that').toBe(200)
    for (const code of [7, null, 'x'.repeat(600)]) expect((await redeem(code)).status).toBe(400)
    for (const body of [{ seconds: 59 }, { seconds: 1e9 }, { uses: 0 }, { uses: 1.5 }, { more: 1 }])
      expect((await make(body)).status).toBe(400)
    expect((await at(invitations, { method: 'POST', body: {} })).status).toBe(401)
    expect((await at('/agents/absent/invitations', { method: 'POST', headers: asOperator(), body: {} })).status).toBe(
      404,
    )
  })

  test('a token of an expired invitation opens nothing', async () => {
    const over = `/agents/hidden#AAAAAAAAAAAAAAAAAAAAAA.${Math.floor(Date.now() / 1000) - 1}`
    expect((await read(tokenOf(HERE, { scope: 'read-one', holder: over }))).status).toBe(401)
    const open = over.replace(/\d+$/, String(Math.floor(Date.now() / 1000) + 60))
    expect((await read(tokenOf(HERE, { scope: 'read-one', holder: open }))).status).toBe(200)
  })

  test('of a removed agent are gone, and so are the tokens that they gave', async () => {
    await place('brief', { host: 'brief.example', private: true })
    await makeMetadata('brief', { name: 'Brief' })
    const made = await at('/agents/brief/invitations', { method: 'POST', headers: asOperator(), body: { uses: 2 } })
    const { code } = JSON.parse(made.text).invitation.invite
    const { token } = JSON.parse((await redeem(code, 'brief.example')).text)
    expect((await at('/v1/agents/brief', { method: 'DELETE', headers: asOperator() })).status).toBe(204)
    await place('brief', { host: 'brief.example', private: true })
    await makeMetadata('brief', { name: 'Brief' })
    expect((await read(token, 'brief.example')).status).toBe(401)
    expect((await redeem(code, 'brief.example')).status).toBe(404)
  })
})

describe('the command line tool', () => {
  const env = { BLAZON_TOKEN: tokenOf(HERE, { scope: 'publish' }) }
  /** Both servers lead to the Worker, for any host. */
  const server = async (request: Request) => {
    const { host, pathname, search } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    const text = await request.text()
    const { status, text: body } = await ask(runtime.origin + pathname + search, {
      host,
      method: request.method,
      headers,
      ...(text !== '' && { body: text }),
    })
    return new Response(body, { status })
  }
  const fetch = (url: string, init?: RequestInit) => server(new Request(url, init))
  const run = (line: string, files: Record<string, string> = {}) =>
    blazon(line.split(' '), { env, server, fetch, files })

  test('makes an invitation, and redeems it with the key of the agent', async () => {
    const made = await run(`invite create hidden --directory ${HERE} --days 1 --out invite.json`)
    expect([made.code, made.stdout]).toEqual([0, ''])
    const invitation = new TextDecoder().decode(made.saved.get('invite.json'))
    const { full } = (await json('/.well-known/agent.json', { host: HIDDEN, headers: asOperator() })).identity.publicKey
    const files = { 'invite.json': invitation, 'hidden.pub': full }
    const other = String(generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }))
    const refused = await run('invite redeem invite.json --key other.pub', { ...files, 'other.pub': other })
    expect([refused.code, refused.stdout]).toEqual([4, ''])
    const redeemed = await run('invite redeem invite.json --key hidden.pub', files)
    expect(redeemed.code).toBe(0)
    const headers = { authorization: `Bearer ${redeemed.stdout.trim()}` }
    expect((await at('/.well-known/agent.json', { host: HIDDEN, headers })).status).toBe(200)
    expect((await run('invite redeem invite.json', files)).code).toBe(3)
  })

  test('sends nothing of an invitation that is invalid, expired, or leads elsewhere; no report shows its code', async () => {
    const made = await run(`invite create hidden --directory ${HERE}`)
    const invitation = JSON.parse(made.stdout)
    const { code } = invitation.invite
    for (const change of [
      { wellKnown: 'http://x' },
      { expires: '2020-01-01T00:00:00Z' },
      { wellKnown: 'https://evil.example/' },
      { agent: 7 },
    ]) {
      const text = JSON.stringify({ ...invitation, invite: { ...invitation.invite, ...change } })
      const sent: string[] = []
      const told = await blazon(['invite', 'redeem', 'i.json'], {
        files: { 'i.json': text },
        fetch: async (url) => {
          sent.push(url)
          return new Response('')
        },
      })
      expect([told.code === 0, sent], JSON.stringify(change)).toEqual([false, []])
      expect(told.stdout + told.stderr).not.toContain(code)
    }
    expect((await run(`invite create absent --directory ${HERE}`)).code).toBe(3)
    expect((await run(`invite create --directory ${HERE}`)).code).toBe(2)
  })
})

describe('publishing metadata', () => {
  const put = (name: string, body: string | object, headers = {}) =>
    at(`/agents/${name}/agent.json`, { method: 'PUT', headers: { ...asOperator(), ...headers }, body })

  test('accepts metadata that an agent signed itself, byte for byte; its key is the published one', async () => {
    const key = await generateKey('Ed25519')
    const { metadata } = await build({ domain: 'dora.example', key }, { name: 'Dora' })
    const text = new TextDecoder().decode((await sign(JSON.stringify(metadata, null, 1), key)).bytes)
    await place('dora', { host: 'dora.example' })
    expect((await put('dora', text, { 'content-type': 'application/vnd.adp+json' })).status).toBe(201)
    expect((await at('/.well-known/agent.json', { host: 'dora.example' })).text).toBe(text)
    const { keys } = await json('/.well-known/jwks.json', { host: 'dora.example' })
    expect(keys.length).toBe(1)
    for (const path of ['agent-card.json', 'http-message-signatures-directory'])
      expect((await at(`/.well-known/${path}`, { host: 'dora.example' })).status, path).toBe(404)
    expect((await put('dora', text.replace('Dora', 'Mallory'), {})).status).toBe(422)
    expect((await put('dora', text, { 'if-none-match': '*' })).status).toBe(412)
    expect((await at('/agents/dora/agent.json', { method: 'DELETE', headers: asOperator() })).status).toBe(204)
    expect((await at('/.well-known/agent.json', { host: 'dora.example' })).status).toBe(404)
  })

  test('refuses invalid or too large metadata, and requests without a token', async () => {
    for (const body of ['[]', '{}', '{"protocol":"ADP/1.1"}', '{"protocol": "ADP/1.1", "protocol": "ADP/1.1"}', 'no'])
      expect((await put('odd', body, { 'content-type': 'application/json' })).status, body).toBe(422)
    expect((await at('/agents/odd/agent.json', { method: 'PUT', body: {} })).status).toBe(401)
    expect((await put('odd', { protocol: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await put('ODD', {})).status).toBe(400)
    for (const body of [
      { domain: 'no domain', name: 'a' },
      { name: 'a' },
      { domain: 'a.example' },
      { domain: 'a.example', name: 'a', unknown: 1 },
      { domain: 'a.example', name: 'a', capabilities: 'chat', pricing: {} },
      { domain: 'a.example', name: 'a', authMethods: 5 },
      { domain: 'a.example', name: 'a', endpoints: 'chat' },
      { domain: 'a.example', name: 'a', meta: null },
      { domain: 7, name: 'a' },
    ])
      expect((await makeMetadata('odd', body)).status, JSON.stringify(body)).toBe(400)
    expect(
      (await makeMetadata('odd', { domain: 'a.example', name: 'a', endpoints: { chat: 'http://a' } })).status,
    ).toBe(422)
    const tools = Array.from({ length: 300 }, (_, i) => ({
      ...DEFINITION.tools[0],
      name: `review_${i}`,
      description: 'x'.repeat(250),
    }))
    const large = { method: 'PUT', headers: asOperator(), body: { ...DEFINITION, tools } }
    expect((await at('/agents/large/adl.json', large)).status).toBe(201)
    expect((await makeMetadata('large', { domain: 'a.example' })).status, 'made of a large definition').toBe(413)
    const one = bearer(HERE, { scope: 'publish-one', holder: '/agents/alice' })
    expect((await at('/agents/odd/agent.json', { method: 'PUT', headers: one, body: {} })).status).toBe(403)
  })
})

describe('rotating the key of an agent', () => {
  const rotate = (body: object) => at('/v1/agents/erin/keys', { method: 'POST', headers: asOperator(), body })
  const fingerprint = async () => (await json('/agents/erin/agent.json')).identity.publicKey.fingerprint
  const xs = async () =>
    (await json('/.well-known/jwks.json', { host: 'erin.example' })).keys.map(({ x }: { x: string }) => x)
  const thumbprintOf = (x: string) =>
    createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')

  /** The keys in each format, and the keys that signatures are made with. */
  async function dialects() {
    const host = 'erin.example'
    const [directory, did] = [
      await at('/.well-known/http-message-signatures-directory', { host }),
      await json('/.well-known/did.json', { host }),
    ]
    const { publicKey } = (await json('/.well-known/agent.json', { host })).identity
    const [{ protected: head }] = (await json('/.well-known/agent-card.json', { host })).signatures
    return {
      metadata: createPublicKey(publicKey.full).export({ format: 'jwk' }).x,
      jwks: await xs(),
      did: did.verificationMethod.map(({ publicKeyJwk }: { publicKeyJwk: { x: string } }) => publicKeyJwk.x),
      assertions: did.assertionMethod.map((id: string) => id.split('#')[1]),
      directory: JSON.parse(directory.text).keys.map(({ x }: { x: string }) => x),
      signers: Array.from(String(directory.headers['signature-input']).matchAll(/keyid="([^"]+)"/g), ([, id]) => id),
      card: JSON.parse(Buffer.from(head, 'base64url').toString()).kid.split('#')[1],
    }
  }

  test('keeps the old one in the metadata until the TTL is over; the next one is published from the start', async () => {
    expect((await rotate({ ttl: 0 })).status).toBe(412)
    await place('erin', { host: 'erin.example' })
    await makeMetadata('erin', { name: 'Erin', endpoints: { a2a: 'https://erin.example/a2a' } })
    const [before] = await xs()
    const alone = await dialects()
    const old = await fingerprint()
    const next = JSON.parse((await rotate({ ttl: 3600 })).text)
    expect(Date.parse(next.from) - Date.now()).toBeGreaterThan(3_500_000)
    expect(await fingerprint()).toBe(old)
    expect((await xs())[0]).toBe(before)
    const digest = createHash('sha256')
      .update(Buffer.from((await xs())[1], 'base64url'))
      .digest('base64url')
    expect(next.fingerprint).toBe(`ed25519:${digest}`)
    expect((await rotate({ ttl: 1 })).status).toBe(412)
    const both = await xs()
    const names = both.map(thumbprintOf)
    expect(await dialects(), 'the old one is in each, and signs what has one signature').toEqual({
      ...{ metadata: before, jwks: both, did: both, assertions: names, directory: both, signers: names },
      card: names[0],
    })
    expect(alone).toMatchObject({ jwks: [before], did: [before], directory: [before], signers: [names[0]] })
  })

  test('removes a compromised one at once', async () => {
    const old = await xs()
    const { fingerprint: named } = JSON.parse((await rotate({ compromised: true })).text)
    expect(await fingerprint()).toBe(named)
    const now = await xs()
    expect(now.length).toBe(1)
    expect(old).not.toContain(now[0])
    const text = (await at('/agents/erin/agent.json')).text
    const { full, proof } = JSON.parse(text).identity.publicKey
    expect((await verify(text, { expect: { keys: [full] } })).verdict).toBe('verified')
    expect(nodeVerify(null, Buffer.from('x'), full, Buffer.from(proof.slice(8), 'base64url'))).toBe(false)
  })

  test('signs with the next one after the TTL', async () => {
    const { fingerprint: named } = JSON.parse((await rotate({ ttl: 1 })).text)
    await expect.poll(fingerprint).toBe(named)
    const [now, ...others] = await xs()
    expect(others).toEqual([])
    const name = thumbprintOf(now)
    expect(await dialects()).toEqual({
      ...{ metadata: now, jwks: [now], did: [now], assertions: [name], directory: [now], signers: [name], card: name },
    })
    for (const body of [{ ttl: -1 }, { ttl: 1e9 }, { ttl: 'x' }, { compromised: 1 }, { more: 1 }])
      expect((await rotate(body)).status).toBe(400)
  })
})

describe('settings', () => {
  let other: Runtime
  const key = generateKeyPairSync('ed25519').privateKey
  const pem = String(key.export({ type: 'pkcs8', format: 'pem' }))
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  const there = (path: string, asked: Asked = {}) => ask(other.origin + path, { host: 'frank.example', ...asked })

  beforeAll(async () => {
    const own = await prepareSite('edge/worker.ts')
    other = await startRuntime(own, {
      settings: {
        HOSTS: 'frank.example=frank',
        A2A_LEGACY: 'on',
        NO_AGENT: '403',
        AGENT_KEYS: JSON.stringify({ frank: pem, grace: 7 }),
      },
    })
    const host = new URL(other.origin).host
    const headers = operator(other.origin)
    const body = { name: 'Frank', endpoints: { a2a: 'https://frank.example/a2a' } }
    expect((await there('/agents/frank/agent.json', { host, method: 'POST', headers, body })).status).toBe(201)
    const grace = { host, method: 'POST', headers, body: { ...body, domain: 'grace.example' } }
    expect((await there('/agents/grace/agent.json', grace)).status, 'a key that cannot be read').toBe(500)
    const keys = { host, method: 'POST', headers, body: {} }
    expect((await there('/v1/agents/frank/keys', keys)).status, 'a key that is given').toBe(412)
    return () => own.remove()
  })
  afterAll(() => other?.kill())

  test('AGENT_KEYS gives the key, and no answer reveals it', async () => {
    const jwks = await there('/.well-known/jwks.json')
    expect(JSON.parse(jwks.text).keys).toMatchObject([{ x }])
    expect(jwks.text).not.toContain('"d"')
    const { text } = await there('/.well-known/agent.json', { headers: { accept: 'application/vnd.adp+json' } })
    expect((await verify(text, { expect: { keys: [pem] } })).verdict).toBe('verified')
  })

  test('[wellknown/8.3-1] NO_AGENT=403 sets the status for private agents, and for hosts without an agent', async () => {
    const host = new URL(other.origin).host
    const headers = operator(other.origin)
    const rows = { hidden: { host: 'hidden.example', private: true }, empty: { host: 'empty.example' } }
    for (const [name, body] of Object.entries(rows))
      await there(`/v1/agents/${name}`, { host, method: 'PUT', headers, body })
    const made = { host, method: 'POST', headers, body: { name: 'Hidden' } }
    expect((await there('/agents/hidden/agent.json', made)).status).toBe(201)
    for (const path of [
      'agent.json',
      'did.json',
      'jwks.json',
      'agent-card.json',
      'http-message-signatures-directory',
    ]) {
      const answers = await Promise.all(
        Object.values(rows).map((row) => there(`/.well-known/${path}`, { host: row.host })),
      )
      expect(
        answers.map(({ status }) => status),
        path,
      ).toEqual([403, 403])
      expect(answers[0]!.text.replaceAll('hidden', 'empty'), path).toBe(answers[1]!.text)
    }
    for (const path of ['/.well-known/agents/NAME/agent.json', '/agents/NAME/chat']) {
      const [hidden, absent] = await Promise.all(
        ['hidden', 'absent'].map((name) => there(path.replace('NAME', name), { host })),
      )
      expect([hidden!.status, hidden!.text.replaceAll('hidden', 'absent')], path).toEqual([403, absent!.text])
    }
    const named = { ...headers, accept: 'application/vnd.adp+json' }
    expect((await there('/.well-known/agent.json', { host: 'hidden.example', headers: named })).status).toBe(200)
  })

  test('A2A_LEGACY serves the A2A 0.3 card to clients that do not name the metadata type', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'text/html']) {
      const { text, headers } = await there('/.well-known/agent.json', {
        headers: accept === undefined ? {} : { accept },
      })
      expect(JSON.parse(text)).toMatchObject({
        protocolVersion: '0.3.0',
        name: 'Frank',
        url: 'https://frank.example/a2a',
      })
      expect([headers['content-type'], headers['vary']]).toEqual(['application/json', 'accept'])
    }
    const named = { headers: { accept: 'application/json, application/vnd.adp+json' } }
    expect(JSON.parse((await there('/.well-known/agent.json', named)).text).protocol).toBe('ADP/1.1')
  })
})
