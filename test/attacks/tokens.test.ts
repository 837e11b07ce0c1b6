// Tokens of the Worker: invented, cut, recombined, used elsewhere or for something else, or used after they were
// withdrawn.
import { createHash, createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { linesOf } from '../edge/runs-client.ts'
import { bearer, GRANTER, TOKEN_SECRET, tokenOf } from '../edge/tokens.ts'
import type { Runtime } from '../support/runtime.ts'
import { workersOf } from '../support/workers.ts'

const workers = workersOf()
let runtime: Runtime

beforeAll(async () => {
  runtime = await workers.start()
})

const another = (settings: Record<string, string>) => workers.start({ settings })

interface RequestOptions {
  readonly to?: Runtime
  readonly body?: string
  readonly authorization?: string
}
const ask = async (method: string, path: string, { to = runtime, body, authorization }: RequestOptions = {}) => {
  const headers = {
    'content-type': 'application/json',
    // The runtime closes a connection when it refuses a request before reading its body, so the next request needs
    // another one.
    connection: 'close',
    ...(authorization !== undefined && { authorization }),
  }
  const response = await fetch(to.origin + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  const challenge = response.headers.get('www-authenticate')
  return { status: response.status, challenge, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
}

const DEFINITION = JSON.stringify({
  adl_spec: '0.1.0',
  name: 'A',
  description: 'A definition of the tests.',
  version: '1.0.0',
  data_classification: { sensitivity: 'internal' },
})
const card = (id: string) => JSON.stringify({ id, name: 'A' })
const mac = (text: string, secret = TOKEN_SECRET) => createHmac('sha256', secret).update(text).digest('base64url')
const base64url = (text: string) => Buffer.from(text).toString('base64url')

/** The routes that a scope opens, by docs/guide/edge.md. */
const ROUTES = {
  export: [
    ['GET', '/v1/directory/state'],
    ['GET', '/v1/directory/export'],
  ],
  publish: [
    ['PUT', '/agents/scoped/adl.json', DEFINITION],
    ['POST', '/adp/advertise', card('agent://scoped')],
    ['DELETE', '/agents/scoped/adl.json'],
  ],
  operate: [
    ['POST', '/v1/directory/shards', '{"shards":1}'],
    ['POST', '/v1/directory/signals', '{}'],
    ['POST', '/v1/directory/import', ''],
  ],
  write: [['POST', '/runs', linesOf('scoped', { '/tenant_id': 'x' })[0]!]],
  audit: [['GET', '/runs']],
  grant: [
    ['POST', '/v1/tokens', '{"scope":"export","holders":["a"]}'],
    ['DELETE', '/v1/tokens?holder=nobody'],
  ],
} as const
const OPENS: Readonly<Record<string, readonly string[]>> = {
  operate: ['export', 'publish', 'operate'],
  publish: ['publish'],
  'publish-one': [],
  export: ['export'],
  read: [],
  'read-one': [],
  write: ['write', 'audit'],
  audit: ['audit'],
  push: [],
  'the secret': ['grant'],
}
const HOLDERS: Readonly<Record<string, string>> = { 'publish-one': 'agent://x', 'read-one': '/agents/x' }
const headerOf = (scope: string) =>
  scope === 'the secret' ? GRANTER : bearer(runtime.origin, { scope, holder: HOLDERS[scope] ?? 'x' })

describe.each(Object.entries(OPENS))('%s', (scope, opened) => {
  it.each(Object.entries(ROUTES))('opens %s, or not', async (wanted, routes) => {
    for (const [method, path, body] of routes) {
      const given = headerOf(scope)
      const { status, challenge, ...answer } = await ask(method, path, {
        ...given,
        ...(body !== undefined && { body }),
      })
      if (opened.includes(wanted)) expect(status, `${method} ${path}`).toBeLessThan(300)
      else {
        expect([status, answer.body['scope']], `${method} ${path}`).toEqual([403, wanted])
        expect(answer.body['type']).toMatch(/#insufficient-scope$/)
        expect(challenge).toBe(`Bearer realm="blazon", error="insufficient_scope", scope="${wanted}"`)
      }
      const nobody = await ask(method, path, body === undefined ? {} : { body })
      // Cards need no token if they are signed.
      expect(nobody.status).toBe(path === '/adp/advertise' ? 403 : 401)
    }
  })
})

describe('a token that was never issued', () => {
  const known = { scope: 'export', holder: 'ci' }
  const payload = (scope: string, generation: string, holder: string) =>
    `blazon1.${scope}.${generation}.${base64url(holder)}`
  const made = (claims: string, secret?: string) => `${claims}.${mac(`${runtime.origin}\n${claims}`, secret)}`
  const macOf = () => tokenOf(runtime.origin, known).split('.').at(-1)!

  const FORGED: Readonly<Record<string, () => string>> = {
    nothing: () => '',
    'the word undefined': () => 'undefined',
    'another scope before the same MAC': () => `${payload('operate', '0', 'ci')}.${macOf()}`,
    'another holder before the same MAC': () => `${payload('export', '0', 'cj')}.${macOf()}`,
    'another generation before the same MAC': () => `${payload('export', '1', 'ci')}.${macOf()}`,
    'no MAC': () => payload('export', '0', 'ci'),
    'an empty MAC': () => `${payload('export', '0', 'ci')}.`,
    'a MAC of zeros': () => `${payload('export', '0', 'ci')}.${'A'.repeat(43)}`,
    'its MAC cut by one character': () => tokenOf(runtime.origin, known).slice(0, -1),
    'its MAC with the unused bits set': () => {
      const token = tokenOf(runtime.origin, known)
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      return token.slice(0, -1) + letters[letters.indexOf(token.at(-1)!) + 1]!
    },
    'its MAC with padding': () => `${tokenOf(runtime.origin, known)}=`,
    'something behind it': () => `${tokenOf(runtime.origin, known)}.x`,
    'something before it': () => `x${tokenOf(runtime.origin, known)}`,
    'itself twice': () => `${tokenOf(runtime.origin, known)},${tokenOf(runtime.origin, known)}`,
    'another secret': () => made(payload('export', '0', 'ci'), `${TOKEN_SECRET}x`),
    'no secret': () => made(payload('export', '0', 'ci'), ''),
    'a MAC without the deployment': () => `${payload('export', '0', 'ci')}.${mac(payload('export', '0', 'ci'))}`,
    'the MAC of another deployment': () => tokenOf('https://elsewhere.example', known),
    'a hash instead of a MAC': () => {
      const claims = payload('export', '0', 'ci')
      return `${claims}.${createHash('sha256').update(`${TOKEN_SECRET}${runtime.origin}\n${claims}`).digest('base64url')}`
    },
    'the form of before there were scopes': () => mac('advertise ci'),
    'a part of the secret': () => TOKEN_SECRET.slice(0, -1),
    // Made with the secret, but in forms that the Worker never issues.
    'an unknown scope': () => made(payload('admin', '0', 'ci')),
    'the scope of the secret': () => made(payload('grant', '0', 'ci')),
    'a scope in capitals': () => made(payload('EXPORT', '0', 'ci')),
    'a member of all objects for a scope': () => made(payload('constructor', '0', 'ci')),
    'a generation with a zero before it': () => made(payload('export', '00', 'ci')),
    'a generation below zero': () => made(payload('export', '-1', 'ci')),
    'a generation with an exponent': () => made(payload('export', '0e0', 'ci')),
    'a generation yet to come': () => made(payload('export', '1', 'ci')),
    'no holder': () => made('blazon1.export.0.'),
    'a point in its holder': () => made(`blazon1.export.0.${base64url('ci')}.x`),
    'a holder of 10,000 characters': () => made(payload('export', '0', 'c'.repeat(7_500))),
    'an unknown version': () => made(payload('export', '0', 'ci').replace('blazon1', 'blazon2')),
  }

  it('is compared with a valid token', async () => {
    const { status } = await ask('GET', '/v1/directory/state', bearer(runtime.origin, known))
    expect(status).toBe(200)
  })

  it.each(Object.entries(FORGED))('%s: 401', async (_, forge) => {
    const { status, challenge } = await ask('GET', '/v1/directory/state', { authorization: `Bearer ${forge()}` })
    expect([status, challenge]).toEqual([401, 'Bearer realm="blazon"'])
  })

  it.each(['Bearer', 'bearer', 'BEARER'])('the scheme may be %s, and no other', async (scheme) => {
    const token = tokenOf(runtime.origin, known)
    const statusOf = async (authorization: string) =>
      (await ask('GET', '/v1/directory/state', { authorization })).status
    expect(await statusOf(`${scheme} ${token}`)).toBe(200)
    for (const odd of [token, `Basic ${token}`, `${scheme}${token}`, `${scheme} x ${token}`])
      expect(await statusOf(odd)).toBe(401)
  })
})

describe('a token for one agent', () => {
  const one = (holder: string) => bearer(runtime.origin, { scope: 'publish-one', holder })

  it('publishes and removes that definition, however its path is spelled, and no other', async () => {
    const own = one('/agents/owned')
    const put = async (name: string) =>
      (await ask('PUT', `/agents/${name}/adl.json`, { ...own, body: DEFINITION })).status
    expect([await put('owned'), await put('%6Fwned'), await put('owned2'), await put('owne')]).toEqual([
      201, 200, 403, 403,
    ])
    expect([await put('owned%2F'), await put('..%2Fagents%2Fowned'), await put('Owned')]).toEqual([403, 403, 403])
    expect((await ask('DELETE', '/agents/other/adl.json', own)).status).toBe(403)
    expect((await ask('DELETE', '/agents/owned/adl.json', own)).status).toBe(204)
  })

  it('for an id vouches only for the card with that id; one for a definition vouches for no card, and one for an id for no definition', async () => {
    const put = async (holder: string, id: unknown) =>
      (await ask('POST', '/adp/advertise', { ...one(holder), body: JSON.stringify({ id, name: 'A' }) })).status
    expect(await put('agent://own', 'agent://own')).toBe(200)
    for (const id of ['agent://own/', 'agent://OWN', 'agent://ow', 'agent://own2', ['agent://own'], undefined]) {
      expect(await put('agent://own', id), String(id)).toBe(403)
    }
    expect(await put('/agents/own', 'agent://own')).toBe(403)
    const definition = { ...one('agent://own'), body: DEFINITION }
    expect((await ask('PUT', '/agents/own/adl.json', definition)).status).toBe(403)
    const twice = { ...one('agent://own'), body: '{"id":"agent://own","name":"A","id":"agent://victim"}' }
    expect((await ask('POST', '/adp/advertise', twice)).status).toBe(403)
  })

  it('is not issued for an invalid holder', async () => {
    const give = async (scope: unknown, holders: unknown) =>
      (await ask('POST', '/v1/tokens', { ...GRANTER, body: JSON.stringify({ scope, holders }) })).status
    expect([await give('publish-one', ['agent://a', '/agents/a']), await give('export', ['ci'])]).toEqual([200, 200])
    for (const holder of [
      'ci',
      '',
      '/agents/',
      '/agents/A',
      '/agents/a/b',
      'agent://',
      `agent://${'a'.repeat(505)}`,
      7,
      null,
    ]) {
      expect(await give('publish-one', [holder]), String(holder)).toBe(400)
    }
    for (const holder of ['', 'agent://a', '/agents/a', 'a b', 'A', 'a\n', 'é']) {
      expect(await give('export', [holder]), holder).toBe(400)
    }
    for (const scope of ['grant', 'admin', '', undefined, 'constructor', ['export']])
      expect(await give(scope, ['ci'])).toBe(400)
    for (const holders of [[], Array(101).fill('ci'), 'ci', undefined, { 0: 'ci', length: 1 }]) {
      expect(await give('export', holders)).toBe(400)
    }
  })
})

describe('a token that was withdrawn', () => {
  const state = async (to: Runtime, generation: number, holder: string) =>
    (await ask('GET', '/v1/directory/state', { to, ...bearer(to.origin, { scope: 'export', holder, generation }) }))
      .status
  const withdraw = (to: Runtime, holder: string) => ask('DELETE', `/v1/tokens?holder=${holder}`, { to, ...GRANTER })

  it('is invalid in every scope; those of other holders stay valid, and it does not come back', async () => {
    expect(await state(runtime, 0, 'leaky')).toBe(200)
    await withdraw(runtime, 'leaky')
    expect([
      await state(runtime, 0, 'leaky'),
      await state(runtime, 0, 'leak'),
      await state(runtime, 1, 'leaky'),
    ]).toEqual([401, 200, 200])
    const operate = bearer(runtime.origin, { scope: 'operate', holder: 'leaky' })
    expect((await ask('GET', '/v1/directory/state', operate)).status).toBe(401)
    await withdraw(runtime, 'leaky')
    expect([
      await state(runtime, 0, 'leaky'),
      await state(runtime, 1, 'leaky'),
      await state(runtime, 2, 'leaky'),
    ]).toEqual([401, 401, 200])
  })

  it('while the body was still arriving stores nothing', async () => {
    const { authorization } = bearer(runtime.origin, { scope: 'publish', holder: 'slow' })
    let finish = () => {}
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(DEFINITION.slice(0, 10)))
        finish = () => {
          controller.enqueue(new TextEncoder().encode(DEFINITION.slice(10)))
          controller.close()
        }
      },
    })
    const headers = { authorization, 'content-type': 'application/adl+json' }
    const address = `${runtime.origin}/agents/slow/adl.json`
    const answer = fetch(address, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit)
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect((await withdraw(runtime, 'slow')).status).toBe(200)
    finish()
    expect((await answer).status).toBe(401)
    expect((await fetch(address)).status).toBe(404)
  })

  it('by the setting is invalid too, and later withdrawals continue from there', async () => {
    const to = await another({ TOKEN_GENERATIONS: 'ci=3  agent://a/b=c=1' })
    expect([
      await state(to, 0, 'ci'),
      await state(to, 2, 'ci'),
      await state(to, 3, 'ci'),
      await state(to, 4, 'ci'),
    ]).toEqual([401, 401, 200, 401])
    expect(await state(to, 0, 'cj')).toBe(200)
    await withdraw(to, 'ci')
    expect([await state(to, 3, 'ci'), await state(to, 4, 'ci')]).toEqual([401, 200])
    const { body } = await ask('POST', '/v1/tokens', { to, ...GRANTER, body: '{"scope":"export","holders":["ci"]}' })
    expect(body).toEqual({ tokens: { ci: tokenOf(to.origin, { scope: 'export', holder: 'ci', generation: 4 }) } })
  })

  it.each(['ci', 'ci=x', 'CI=1', 'ci=1;cj=1', 'ci=99999999999'])(
    'by an unreadable setting (%s): no token is valid until it is corrected, and signed cards are still accepted',
    async (setting) => {
      const to = await another({ TOKEN_GENERATIONS: setting })
      expect(await state(to, 0, 'other')).toBe(503)
      expect(
        (await ask('POST', '/v1/tokens', { to, ...GRANTER, body: '{"scope":"export","holders":["x"]}' })).status,
      ).toBe(503)
      expect((await ask('POST', '/adp/discover', { to, body: '{"query":"x"}' })).status).toBe(200)
      await to.kill()
    },
  )
})

it('a token of one deployment is invalid at another with the same secret', async () => {
  const to = await another({})
  const { authorization } = bearer(runtime.origin, { scope: 'operate' })
  expect((await ask('GET', '/v1/directory/state', { authorization })).status).toBe(200)
  expect((await ask('GET', '/v1/directory/state', { to, authorization })).status).toBe(401)
})

it.each(['', 'short', 'x'.repeat(31)])(
  'with the secret %j nothing is accepted, not even the secret',
  async (secret) => {
    const to = await another({ TOKEN_SECRET: secret })
    for (const authorization of [`Bearer ${secret}`, `Bearer ${tokenOf(to.origin, { scope: 'operate', secret })}`]) {
      const answers = [
        await ask('GET', '/v1/directory/state', { to, authorization }),
        await ask('POST', '/v1/tokens', { to, authorization, body: '{"scope":"operate","holders":["x"]}' }),
        await ask('POST', '/adp/advertise', { to, authorization, body: card('agent://x') }),
      ]
      for (const { status, body } of answers)
        expect([status, String(body['type']).split('#')[1]]).toEqual([403, 'forbidden'])
    }
  },
)
