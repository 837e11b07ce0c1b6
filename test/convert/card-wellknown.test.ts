// Agent Cards as ADP/1.1 metadata, an unrelated protocol (draft-pro-adp-agent-discovery-02, section 6.3).
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { ConvertOptions } from '../../bindings/convert/formats.ts'
import { type ConvertFormat, convert } from '../../bindings/convert/index.ts'
import { EXAMPLE } from './cards.ts'
import { at, hasData, type Json, uncovered } from './samples.ts'

function make(source: Json, to: ConvertFormat, options: ConvertOptions = {}) {
  const { document, loss, diagnostics } = convert(JSON.stringify(source), { to, ...options })
  if (document === undefined) throw new Error(JSON.stringify(diagnostics))
  return { value: document.value as Json, loss }
}

test('converts the specification’s example', () => {
  const { value, loss } = make(EXAMPLE, 'wellknown', { carry: 'nothing' })
  expect(value).toMatchObject({
    protocol: 'ADP/1.1',
    identity: { id: 'agent:api.example.com', domain: 'api.example.com', name: 'translator-zh-en' },
    endpoints: {
      wellKnown: 'https://api.example.com/.well-known/agent.json',
      tasks: 'https://api.example.com/translate/v1',
    },
    capabilities: [
      {
        id: 'translate',
        name: 'translate',
        description: 'Translate text between languages',
        input: ['application/json'],
        output: ['application/json'],
        interfaces: ['api'],
        languages: ['zh', 'en', 'ja'],
      },
    ],
    security: {
      tlsRequired: true,
      minProtocolVersion: 'ADP/1.1',
      authMethods: ['pubkey', 'bearer_token'],
      rateLimit: { requestsPerMinute: 60 },
    },
  })
  expect(uncovered(EXAMPLE, loss)).toEqual([])
})

test.runIf(hasData)('takes the key from the did or the id, with the fingerprint of the published vectors', () => {
  const data = resolve(process.env['BLAZON_DATA'] ?? '../shared/data')
  const vectors = JSON.parse(readFileSync(join(data, 'interop/ed25519-identity-vectors.json'), 'utf8'))
  const card = { ...EXAMPLE, did: undefined }
  for (const more of [{ did: vectors.did_key }, { id: `agent://${vectors.multibase_ed25519_pub}/x` }]) {
    expect(at(make({ ...card, ...more }, 'wellknown').value, '/identity/publicKey')).toEqual({
      algorithm: 'ed25519',
      fingerprint: vectors.adp_fingerprint_sha256_raw32,
      full: vectors.spki_pem,
    })
  }
})

test('refuses a card without a key or a domain', () => {
  const refused = (source: Json) =>
    convert(JSON.stringify(source), { to: 'wellknown' }).diagnostics.map(({ detail }) => detail.slice(0, 40))
  expect(refused({ ...EXAMPLE, did: 'did:web:a.example' })).toEqual(['expected a did of the method key, with a'])
  expect(refused({ ...EXAMPLE, endpoints: [{ protocol: 'http+json', uri: 'https://127.0.0.1/' }] })).toEqual([
    'expected the option url: its host is the',
  ])
})

test('turns the draft’s example into a card and back', () => {
  const metadata: Json = {
    protocol: 'ADP/1.1',
    identity: {
      id: 'agent:alice.example.com',
      domain: 'alice.example.com',
      name: 'Alice’s Agent',
      publicKey: { algorithm: 'ed25519', fingerprint: 'ed25519:dGhpcyBpcyBhIHRlc3QgcHVibGljIGtleQ' },
    },
    endpoints: {
      wellKnown: 'https://alice.example.com/.well-known/agent.json',
      discovery: 'https://alice.example.com/',
      chat: 'wss://alice.example.com/agent/chat',
      tasks: 'https://alice.example.com/agent/tasks',
    },
    capabilities: [
      {
        id: 'chat',
        name: 'Conversational Chat',
        description: 'General-purpose conversational AI',
        input: ['text', 'image', 'file'],
        languages: ['en', 'zh', 'de-CH'],
        pricing: { model: 'free' },
      },
    ],
    security: { tlsRequired: true, authMethods: ['pubkey'], rateLimit: { requestsPerMinute: 60, burstSize: 10 } },
    dns: { svcbVerified: true },
  }
  const { value, loss } = make(metadata, 'card', { id: 'agent://alice' })
  expect(value).toMatchObject({
    id: 'agent://alice',
    name: 'Alice’s Agent',
    tools: [{ name: 'chat', description: 'General-purpose conversational AI' }],
    endpoints: [
      { protocol: 'ws', uri: 'wss://alice.example.com/agent/chat' },
      { protocol: 'http+json', uri: 'https://alice.example.com/agent/tasks' },
    ],
    constraints: { supported_languages: ['en', 'zh'], rate_limit: '60/min' },
    extensions: { 'blazon.wellknown': { dns: { svcbVerified: true } } },
  })
  expect(uncovered(metadata, loss)).toEqual([])
  expect(make(value, 'wellknown', { carry: 'nothing' }).value).toMatchObject({
    protocol: 'ADP/1.1',
    identity: metadata['identity'],
    endpoints: { chat: at(metadata, '/endpoints/chat'), tasks: at(metadata, '/endpoints/tasks') },
    capabilities: [{ id: 'chat', languages: ['en', 'zh'] }],
  })
  expect(convert('{"protocol":"ADP/2.0","identity":{"name":"x"}}', { to: 'card' }).document).toBeUndefined()
  // With the members that only 1.0 has.
  const older: Json = {
    ...metadata,
    protocol: 'ADP/1.0',
    identity: { ...(metadata['identity'] as Json), owner: 'Alice', created: '2026-01-01T00:00:00Z' },
    interfaces: ['chat'],
    relationships: [],
  }
  const before = make(older, 'card', { id: 'agent://alice' })
  expect(before.value).toMatchObject({ name: 'Alice’s Agent', tools: [{ name: 'chat' }] })
  expect(uncovered(older, before.loss)).toEqual([])
})
