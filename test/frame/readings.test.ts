// How often the core reads and canonicalizes the input of a verb: once, whatever it finds.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sign, validate, verify } from '../../bindings/index.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { formOf, type Kind } from '../../bindings/kinds.ts'
import { KINDS } from '../../bindings/tables/kinds.ts'
import { instance } from '../../bindings/wasm/instance.ts'
import { fingerprintOf } from '../../bindings/wellknown/identity.ts'
import { REVIEW } from '../runs/records.ts'

const decoder = new TextDecoder()

/** The texts that the core received, by operation. */
const read: string[] = []
const canonicalized: string[] = []

const core = instance()
const { exports } = core

beforeEach(() => {
  let at = 0
  const input = (length: number, before = 0) => decoder.decode(core.bytes.slice(at + before, at + before + length))
  const told: typeof exports = {
    ...exports,
    reserve(length) {
      at = exports.reserve(length)
      return at
    },
    readTape(length, maxDepth) {
      read.push(input(length))
      return exports.readTape(length, maxDepth)
    },
    canonicalize(length, maxDepth) {
      canonicalized.push(input(length))
      return exports.canonicalize(length, maxDepth)
    },
    canonicalizeWithout(length, pointersLength, count, maxDepth) {
      canonicalized.push(input(length, pointersLength))
      return exports.canonicalizeWithout(length, pointersLength, count, maxDepth)
    },
  }
  Object.assign(core, { exports: told })
  read.length = 0
  canonicalized.length = 0
})
afterEach(() => {
  Object.assign(core, { exports })
})

const KEY = await generateKey('Ed25519')
const METADATA = {
  protocol: 'ADP/1.1',
  identity: {
    id: 'agent:scout.example.com',
    domain: 'scout.example.com',
    name: 'Scout',
    publicKey: {
      algorithm: 'ed25519',
      fingerprint: fingerprintOf(await exportKey(KEY.publicKey, 'raw')),
      full: await exportKey(KEY.publicKey, 'pem'),
    },
  },
  endpoints: { wellKnown: 'https://scout.example.com/.well-known/agent.json' },
  capabilities: [],
}
const CARD = { id: 'agent://scout', name: 'Scout', seq: 7, skills: ['search'] }
const INTERFACE = { url: 'https://scout.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }

const TRACE = {
  trace: 'blazon/discovery/1',
  at: '2026-11-23T10:00:00Z',
  domain: 'scout.example.com',
  need: 'metadata',
  leastTls: 'TLSv1.3',
  private: true,
  lot: 0.5,
  steps: [],
}

const INVITE = {
  protocol: 'ADP/1.1',
  invite: {
    code: 'iVbPLQ_VtSDqQvQq6wQ1xA',
    agent: 'agent:scout.example.com',
    note: 'Scout',
    wellKnown: 'https://scout.example.com/.well-known/agent.json',
    pubkey: METADATA.identity.publicKey.fingerprint,
    expires: new Date(Date.now() + 86_400_000).toISOString(),
  },
}

/** A document of each kind that has rules, and one that breaks them. */
const DOCUMENTS: Readonly<Partial<Record<Kind, { readonly sound: object; readonly faulty: object }>>> = {
  adl: {
    sound: {
      adl_spec: '0.1.0',
      name: 'Scout',
      description: 'Finds.',
      version: '1.0.0',
      data_classification: { sensitivity: 'public' },
    },
    faulty: { adl_spec: '0.1.0', name: 7, version: '1', tols: [] },
  },
  run: { sound: REVIEW, faulty: { ...REVIEW, status: 'done', steps: [{}] } },
  verdict: {
    sound: REVIEW.steps[2].observation.output,
    faulty: { ...REVIEW.steps[2].observation.output, approved: 'yes' },
  },
  'adl-discovery': {
    sound: { adl_discovery: '1.0', agents: [] },
    faulty: { adl_discovery: 1, agents: [{}], more: 1 },
  },
  card: { sound: CARD, faulty: { ...CARD, name: 7, skills: [1, 'search', 'search'] } },
  a2a: {
    sound: {
      name: 'Scout',
      description: 'Finds.',
      version: '1.0.0',
      supportedInterfaces: [INTERFACE],
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'search', name: 'Search', description: 'Searches.', tags: ['search'] }],
    },
    faulty: { name: 7, supportedInterfaces: [{}], skils: [] },
  },
  trace: { sound: TRACE, faulty: { ...TRACE, at: 'then', steps: [1, {}] } },
  'mcp-server': {
    sound: { name: 'com.example/scout', description: 'Finds.', version: '1.0.0', remotes: [] },
    faulty: { name: 'scout', description: 7, version: 'latest', remotes: [1, {}] },
  },
  'ai-catalog': {
    sound: { specVersion: '1.0', entries: [] },
    faulty: { specVersion: '2', entries: [1, {}] },
  },
  'claude-settings': {
    sound: { permissions: { deny: ['Bash(rm *)'] } },
    faulty: { permissions: { deny: 'Bash', allow: [1, 'Bash('], denny: [] }, hooks: { Stopp: [1, {}] } },
  },
  wellknown: { sound: METADATA, faulty: { ...METADATA, identity: { id: 7 }, capabilities: [1, {}] } },
  agentlang: {
    sound: { name: 'scout', version: '1.0.0', tools: [] },
    faulty: { name: 'scout', version: 7, tools: [1, {}], more: 1 },
  },
  prompt: {
    sound: { version: 2, sections: [{ name: 'a', content: 'x' }] },
    faulty: { version: 1, sections: [1, {}] },
  },
  lock: {
    sound: { version: '1', resolved_at: '2026-01-01T00:00:00Z', files: {} },
    faulty: { version: 2, resolved_at: 'then', files: { a: 1 } },
  },
  events: {
    sound: { events: [] },
    faulty: { events: [1, {}] },
  },
  invite: { sound: INVITE, faulty: { ...INVITE, invite: { ...INVITE.invite, code: 7, agent: 'x' } } },
}

/** A stream is read line by line as well. */
const ROWS = KINDS.filter(
  ({ kind, isChecked, tells }) => isChecked && tells.length > 0 && formOf(kind) === 'document',
).map(({ kind, isSigned }) => ({ kind, isSigned }))

/** A JWS header inside a card is a document of its own. */
const documentsRead = () => read.filter((text) => !text.startsWith('{"alg"'))

/**
 * The signed part of A2A cards and invitations is not the whole document, so it is canonicalized as a value, outside
 * the core.
 */
const timesCanonicalized = (kind: Kind) => (kind === 'a2a' || kind === 'invite' ? 0 : 1)

describe.each(ROWS)('$kind', ({ kind, isSigned }) => {
  const { sound, faulty } = DOCUMENTS[kind]!

  test.each(Object.entries({ sound, faulty }))('validate reads a %s document once', (_, document) => {
    const source = JSON.stringify(document)
    expect(validate(source).valid).toBe(document === sound)
    expect(read).toEqual([source])
    expect(canonicalized).toEqual([])
  })

  test.runIf(isSigned).each(['as it is', 'indented'])('sign reads its source and its result, %s', async (how) => {
    const source = JSON.stringify(sound, null, how === 'indented' ? 2 : 0)
    const { bytes } = await sign(source, KEY)
    expect(documentsRead()).toEqual([source, decoder.decode(bytes)])
    expect(canonicalized).toHaveLength(timesCanonicalized(kind))
  })

  test.runIf(isSigned)('verify reads a signed, changed or unsigned document once', async () => {
    const { bytes } = await sign(JSON.stringify(sound), KEY)
    const signed = decoder.decode(bytes)
    const expected = [signed, signed.replace('Scout', 'Other'), JSON.stringify(sound)]
    const verdicts: string[] = []
    for (const source of expected) {
      read.length = 0
      canonicalized.length = 0
      verdicts.push((await verify(source, { expect: { keys: [KEY] } })).verdict)
      expect(documentsRead()).toEqual([source])
      expect(canonicalized).toHaveLength(timesCanonicalized(kind))
    }
    expect(verdicts).toEqual(['verified', 'failed', 'unverifiable'])
  })
})

test('sign reads no more often when it embeds the key', async () => {
  const source = JSON.stringify(DOCUMENTS.adl!.sound)
  const { bytes } = await sign(source, KEY, { embedKey: true })
  expect(read).toEqual([source, decoder.decode(bytes)])
  expect(canonicalized).toHaveLength(1)
})
