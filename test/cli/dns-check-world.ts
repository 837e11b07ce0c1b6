// Domains that are correct, or broken in one way each: their zones, and the answers of their server.
import { createHash, createPublicKey, generateKeyPairSync, sign as nodeSign } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { GuardedFetch } from '../../bindings/net/fetch.ts'
import { toHex } from '../../bindings/text/bytes.ts'
import { KEY, metadata, OTHER_KEY, PUBLIC, send, signed, startWorld, type World } from '../discover/trust/lab.ts'
import type { Setting } from './terminal.ts'

const CAP = '{"skills": []}\n'
const digest = createHash('sha256').update(CAP).digest('base64url')
const x = (pem: string) => createPublicKey(pem).export({ format: 'jwk' }).x!
/** A key pair whose private half signs the directory of keys. */
const SIGNER = generateKeyPairSync('ed25519')
const SIGNER_PEM = SIGNER.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const SIGNER_X = SIGNER.publicKey.export({ format: 'jwk' }).x!
const SIGNER_PRINT = `ed25519:${createHash('sha256').update(Buffer.from(SIGNER_X, 'base64url')).digest('base64url')}`
const SIGNER_KEY = { fingerprint: SIGNER_PRINT, ofSpki: '', pem: SIGNER_PEM }

type Told = Readonly<Record<string, string | undefined>>
export const NAMES = [
  ...['good', 'bare', 'other-key', 'two-keys', 'other-port', 'no-svcb', 'no-txt', 'no-bap', 'bad-cap', 'odd-cap'],
  ...[
    'aid-form',
    'aid-key',
    'aid-z',
    'aid-host',
    'a2a-form',
    'a2a-host',
    'catalog',
    'dir-key',
    'dir-old',
    'dir-bad',
    'tlsa',
  ],
  ...['two-tlsa', 'many-tlsa', 'srv', 'no-agent', 'broken-txt'],
] as const
/** 32 bytes. */
export const ANY_KEY = `z${'A'.repeat(42)}`
export const at = (name: string) => `${name}.example.test`

/** The records of one agent: all correct, except the given ones. */
export function zoneOf(name: string, { port, spki }: { port: number; spki: string }, other: Told = {}): string {
  const url = `https://${at(name)}:${port}`
  const own: Told = {
    a: `${name} A ${PUBLIC}`,
    svcb: `${name} SVCB 1 . alpn="a2a,h2" port=${port} key65400="${url}/cap.json" key65401="${digest}" key65402="a2a"`,
    txt: `_agent.${name} TXT "v=ADP1.1; pk=${KEY.fingerprint}; wk=${url}/.well-known/agent.json"`,
    aid: `_agent.${name} TXT "v=aid2;u=https://${at(name)}/mcp;p=mcp;k=${x(KEY.pem)}"`,
    srv: `_agent._tcp.${name} SRV 0 0 ${port} ${name}`,
    tlsa: `_${port}._tcp.${name} TLSA 3 1 1 ${spki}`,
    ...other,
  }
  return Object.values(own)
    .filter((line) => line !== undefined)
    .join('\n')
}

function recordsOf(making: { port: number; spki: string }): string {
  const { port } = making
  const txt = (name: string, pk: string, path = 'agent.json') =>
    `_agent.${name} TXT "v=ADP1.1; pk=${pk}; wk=https://${at(name)}:${port}/.well-known/${path}"`
  const zone = (name: string, other: Told = {}) => zoneOf(name, making, other)
  const none = { aid: undefined, srv: undefined, tlsa: undefined }
  const svcb = (name: string, params: string) => `${name} SVCB 1 . alpn="a2a,h2" ${params}`
  const aid = (name: string, rest: string) => `_agent.${name} TXT "v=aid2;${rest}"`
  return [
    zone('good'),
    zone('bare', { ...none, svcb: svcb('bare', `port=${port} key65402="a2a"`) }),
    zone('other-key', { txt: txt('other-key', OTHER_KEY.fingerprint) }),
    zone('two-keys', { more: txt('two-keys', OTHER_KEY.fingerprint) }),
    zone('other-port'),
    zone('no-svcb', { svcb: undefined }),
    zone('no-txt', { txt: undefined }),
    zone('no-bap', { svcb: svcb('no-bap', `port=${port}`) }),
    zone('bad-cap', {
      svcb: svcb(
        'bad-cap',
        `port=${port} key65400="https://${at('bad-cap')}:${port}/new.json" key65401="${digest}" key65402="a2a"`,
      ),
    }),
    zone('odd-cap', {
      svcb: svcb(
        'odd-cap',
        `port=${port} key65400="https://${at('odd-cap')}:${port}/cap.json" key65401="x" key65402="a2a"`,
      ),
    }),
    zone('aid-form', { aid: aid('aid-form', 'p=mcp') }),
    zone('aid-key', { aid: aid('aid-key', `u=https://${at('aid-key')}/mcp;p=mcp;k=${x(OTHER_KEY.pem)}`) }),
    // The full length in base64url; keys of the first version have the same beginning.
    zone('aid-z', { aid: aid('aid-z', `u=https://${at('aid-z')}/mcp;p=mcp;k=${ANY_KEY}`) }),
    zone('aid-host', { aid: aid('aid-host', 'u=https://elsewhere.example/mcp;p=mcp') }),
    ...['a2a-form', 'a2a-host', 'catalog'].map((name) => zone(name)),
    ...['dir-key', 'dir-old', 'dir-bad'].map((name) => zone(name, { txt: txt(name, SIGNER_PRINT), aid: undefined })),
    zone('tlsa', { tlsa: `_${port}._tcp.tlsa TLSA 3 1 1 ${'0'.repeat(64)}` }),
    zone('two-tlsa', { more: `_${port}._tcp.two-tlsa TLSA 3 1 1 ${'0'.repeat(64)}` }),
    zone('many-tlsa', {
      more: Array.from(
        { length: 40 },
        (_, i) => `_${port}._tcp.many-tlsa TLSA 3 1 1 ${String(i).padStart(64, 'f')}`,
      ).join('\n'),
    }),
    zone('srv', { srv: `_agent._tcp.srv SRV 0 0 ${port} elsewhere` }),
    `no-agent A ${PUBLIC}`,
    zone('broken-txt', { txt: '_agent.broken-txt TXT "v=ADP1.1; pk=ed25519:short; wk=https://a.test/"' }),
  ].join('\n')
}

/** The digest of RFC 9421 section 2.5, computed with Node alone. */
function directory(host: string, seconds: number, signs = SIGNER.privateKey) {
  const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${SIGNER_X}"}`).digest('base64url')
  const created = Math.floor(Date.now() / 1000) - 600
  const params = `("@authority";req);created=${created};expires=${created + seconds};keyid="${kid}";tag="http-message-signatures-directory"`
  const base = `"@authority";req: ${host}\n"@signature-params": ${params}`
  const signature = nodeSign(null, Buffer.from(base), signs).toString('base64')
  return {
    body: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: SIGNER_X, kid, use: 'sig' }] },
    headers: { 'signature-input': `sig1=${params}`, signature: `sig1=:${signature}:` },
  }
}

const card = (host: string, more: object = {}) => ({
  protocolVersion: '0.3.0',
  name: 'Alice',
  description: 'An agent',
  url: `https://${host}/a2a`,
  preferredTransport: 'JSONRPC',
  version: '1.0.0',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'chat', name: 'Chat', description: 'Talks', tags: ['chat'] }],
  ...more,
})

export function answer(to: string, response: ServerResponse, port: number): unknown {
  const [host = '', ...rest] = to.split('/')
  const name = host.split('.')[0]!
  const path = rest.join('/')
  const wellKnown = `https://${host}:${name === 'other-port' ? 8_443 : port}/.well-known/agent.json`
  const json = (body: object, headers = {}) => send(response, body, { 'content-type': 'application/json', ...headers })
  const signer = name.startsWith('dir-') && name !== 'dir-key'
  switch (path) {
    case '.well-known/agent.json': {
      if (name === 'no-agent') return response.writeHead(404).end()
      const endpoints = { wellKnown, chat: `wss://${host}/agent/chat` }
      return send(
        response,
        metadata({ domain: host, wellKnown, key: name.startsWith('dir-') ? SIGNER_KEY : KEY, more: { endpoints } }),
      )
    }
    case 'cap.json':
      return response.end(CAP)
    case 'new.json':
      return response.end('{"skills": ["new"]}\n')
    case '.well-known/agent-card.json':
      if (name === 'bare') return response.writeHead(404).end()
      if (name === 'a2a-form') return json(card(host, { skills: 'none' }))
      return json(card(name === 'a2a-host' ? 'elsewhere.example' : host))
    case '.well-known/ai-catalog.json':
      if (name === 'good') return json({ specVersion: '1.0', entries: [] })
      return name === 'catalog' ? json(['no', 'catalog']) : response.writeHead(404).end()
    case '.well-known/http-message-signatures-directory': {
      if (!signer && name !== 'dir-key') return response.writeHead(404).end()
      const made = directory(
        host,
        name === 'dir-old' ? 300 : 3_600,
        name === 'dir-bad' ? generateKeyPairSync('ed25519').privateKey : SIGNER.privateKey,
      )
      const body = name === 'dir-key' ? { keys: [{ ...made.body.keys[0], x: x(OTHER_KEY.pem) }] } : made.body
      return json(body, made.headers)
    }
    default:
      return response.writeHead(404).end()
  }
}

/** The server of this machine has one port; documents for port 443 are served there. */
function atPort(world: World): GuardedFetch {
  const fetch: GuardedFetch = (input, init) => {
    const url = new URL(input)
    if (url.port === '') url.port = String(world.port)
    return world.options.fetch!(url.href, init)
  }
  return Object.assign(fetch, { checksAddresses: true, seesConnections: true })
}

export function settingOf(world: World): Setting {
  const [root] = world.dns.anchors['.']!
  const { keyTag, algorithm, digestType, digest } = root!
  const anchors = `. 60 IN DS ${keyTag} ${algorithm} ${digestType} ${toHex(digest).toUpperCase()}\n`
  return { files: { anchors }, fetch: atPort(world), resolver: () => world.options.resolver }
}

/** All domains: one in a correct zone, and others with one fault each. */
export async function startDomains(): Promise<World> {
  const others = ['plain.test', 'past.test', 'bogus.test'].map((zone) => `good.${zone}`)
  const bare = ['optout.test', 'costly.test', 'open.optout.test'].map((zone) => `bare.${zone}`)
  return startWorld({
    names: [...NAMES.map(at), ...others, ...bare],
    zones: (making) => {
      const own = zoneOf('good', making).replaceAll('example.test', 'past.test')
      const bareAt = (zone: string) =>
        zoneOf('bare', making, { aid: undefined, srv: undefined, tlsa: undefined }).replaceAll('example.test', zone)
      const plain = zoneOf('good', making).replaceAll('example.test', 'plain.test')
      return [
        signed('.', ''),
        signed('test', ''),
        signed('example.test', recordsOf(making), { isDynamic: true }),
        signed('plain.test', plain, { algorithm: undefined }),
        signed('optout.test', bareAt('optout.test'), { nsec3: ['-', '-A'] }),
        signed('open.optout.test', bareAt('open.optout.test'), { algorithm: undefined }),
        signed('costly.test', bareAt('costly.test'), { nsec3: ['-', '-H', '101'] }),
        signed('past.test', own, { times: ['-s', '20200101000000', '-e', '20200201000000'] }),
        signed('bogus.test', zoneOf('good', making).replaceAll('example.test', 'bogus.test'), {
          afterwards: (text) =>
            text
              .split('\n')
              .filter((line) => !/RRSIG\s+TXT/.test(line))
              .join('\n'),
        }),
      ]
    },
    answer: (to, response, { port }) => answer(to, response, port),
  })
}
