// Single messages: their form, bytes and signatures. The expected values come from the draft and from node:crypto.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { buildMessage, sign, verify } from '../../bindings/agp/index.ts'
import { parseMessage } from '../../bindings/agp/message.ts'
import { signingBytes, strictBytes } from '../../bindings/agp/sign.ts'
import { openSigner, openVerifier } from '../../bindings/keys/index.ts'
import { processorTime } from '../support/effort.ts'
import { holds, line, pairOf, signed, strictLine } from './oracle.ts'

const ALICE = pairOf('agent:alice.example.com')
const BOB = pairOf('agent:bob.example.com')
const NOW = new Date('2026-06-18T10:00:00Z')

const plain = (change: object = {}, body: object = {}) => ({
  id: randomUUID(),
  from: ALICE.uri,
  to: BOB.uri,
  type: 'chat',
  timestamp: '2026-06-18T10:00:00Z',
  ...change,
  body: { content: 'Good morning', contentType: 'text/plain', ...body },
})
const textOf = (change: object = {}, body: object = {}) => JSON.stringify(signed(plain(change, body), ALICE))
const options = { key: ALICE.publicPem, expect: { from: ALICE.uri, to: BOB.uri }, now: NOW }
const codes = (source: string | Uint8Array) =>
  parseMessage(source).diagnostics.map(({ code, source: { pointer } }) => `${code} ${pointer}`)
const failures = async (source: string, change: object = {}) => {
  const { steps } = await verify(source, { ...options, ...change })
  return steps.flatMap(({ diagnostic }) => (diagnostic === undefined ? [] : [diagnostic.code]))
}

describe('[agp/7.2.3-1] the form of a message', () => {
  test('accepts the figure of the draft with real values', () => {
    const { message, diagnostics } = parseMessage(textOf({}, { replyTo: randomUUID() }))
    expect(diagnostics).toEqual([])
    expect(message).toMatchObject({ from: ALICE.uri, to: BOB.uri, type: 'chat', body: { content: 'Good morning' } })
  })

  test.each([
    ['id', 'm1', 'AGP-103'],
    ['id', '{c0a8012e-7f0c-4b6e-9d8e-2f1a7c5b3e90}', 'AGP-103'],
    ['from', 'alice.example.com', 'AGP-104'],
    ['from', 'agent://alice.example.com', 'AGP-104'],
    ['to', 'agent:', 'AGP-104'],
    ['to', 'agent:bob.example.com/x', 'AGP-104'],
    ['to', 'agent:127.0.0.1', 'AGP-104'],
    ['type', 'message', 'AGP-105'],
    ['type', 'Chat', 'AGP-105'],
    ['timestamp', '2026-06-18 10:00:00', 'AGP-106'],
    ['timestamp', '2026-02-30T10:00:00Z', 'AGP-106'],
    ['timestamp', 1781776800, 'AGP-101'],
    ['signature', 'ed25519:AAAA', 'AGP-107'],
    ['signature', undefined, 'AGP-101'],
    ['body', 'text', 'AGP-101'],
  ])('[agp/7.2.3-2] refuses %s %j with %s, at its position', (name, value, code) => {
    expect(codes(JSON.stringify({ ...signed(plain(), ALICE), [name]: value }))).toEqual([`${code} /${name}`])
  })

  test.each(['id', 'from', 'to', 'type', 'timestamp'])('[agp/7.2.5-2] reports a line feed in %s', (name) => {
    for (const end of ['\n', '\r', '\nchat']) {
      const value = `${(plain() as Record<string, unknown>)[name]}${end}`
      expect(codes(JSON.stringify({ ...signed(plain(), ALICE), [name]: value }))).toEqual([`AGP-102 /${name}`])
    }
  })

  test.each([
    [{ content: 7 }, 'AGP-101 /body/content'],
    [{ contentType: 'image/png' }, 'AGP-108 /body/contentType'],
    [{ replyTo: 'that' }, 'AGP-103 /body/replyTo'],
    [{ strict: true }, 'AGP-101 /body/strict'],
    [{ strict: { n: -1 } }, 'AGP-126 /body/strict/n'],
    [{ strict: { n: 2 ** 53 } }, 'AGP-126 /body/strict/n'],
    [{ strict: { n: 0, signature: 'ed25519:' } }, 'AGP-126 /body/strict/signature'],
  ])('refuses a body with %j: %s', (body, expected) => {
    const message = signed(plain(), ALICE)
    expect(codes(JSON.stringify({ ...message, body: { ...message['body'], ...body } }))).toEqual([expected])
  })

  test.each(['=', '%', 'A', '\n', ' '])('[agp/7.2.5-3] refuses %j after a signature', (end) => {
    const message = signed(plain(), ALICE)
    expect(codes(JSON.stringify({ ...message, signature: message['signature'] + end }))).toEqual(['AGP-107 /signature'])
  })

  test('[agp/7.2.5-3] refuses another spelling of the last digit', () => {
    const message = signed(plain(), ALICE)
    const last = message['signature'].at(-1)!
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const other = message['signature'].slice(0, -1) + digits[digits.indexOf(last) + 1]
    expect(codes(JSON.stringify({ ...message, signature: other }))).toEqual(['AGP-107 /signature'])
  })

  test('refuses what is ambiguous, too large or too deep', () => {
    const text = textOf()
    expect(codes(text.replace('"type"', '"to":"agent:bob.example.com","type"'))).toHaveLength(1)
    expect(codes(`${text}x`)).toHaveLength(1)
    expect(codes('[]')).toEqual(['AGP-101 '])
    expect(codes('null')).toEqual(['AGP-101 '])
    expect(codes(textOf({}, { content: 'x'.repeat(262_144) }))[0]).toMatch(/^DOC-114/)
    expect(codes(textOf({ more: JSON.parse('['.repeat(40) + ']'.repeat(40)) }))[0]).toMatch(/^DOC-113/)
    expect(codes(Uint8Array.of(0x7b, 0xff, 0x7d))).toHaveLength(1)
    const before = processorTime()
    for (let i = 0; i < 50; i++) codes(`{"body":${'{"a":'.repeat(50_000)}`)
    expect(processorTime() - before).toBeLessThan(3000)
  })

  test('[agp/9.4-1] ignores unknown members', () => {
    expect(codes(JSON.stringify({ ...signed(plain(), ALICE), attachments: [], extra: null }))).toEqual([])
  })

  test('accepts any text as content', async () => {
    for (const content of ['', '\n', 'a\nb', '\u0000', '🦉', '"', '\u2028']) {
      const { text } = await sign(buildMessage({ from: ALICE.uri, to: BOB.uri, content }, { now: NOW }), ALICE.pem)
      expect((await verify(text, options)).message?.body.content).toBe(content)
    }
  })
})

describe('[agp/7.2.5-1] the signed bytes', () => {
  test('are the six fields with line feeds between them', () => {
    const message = plain({}, { content: 'two\nlines, é' })
    expect(Buffer.from(signingBytes(message as never)).equals(line(message))).toBe(true)
  })

  test('do not exist for a draft with a line feed', async () => {
    const draft = { ...buildMessage({ from: ALICE.uri, to: BOB.uri, content: '' }), from: 'agent:a.b\nx' }
    expect(() => signingBytes(draft)).toThrow(RangeError)
    await expect(sign(draft, ALICE.pem)).rejects.toThrow(RangeError)
  })

  test('node:crypto verifies our signatures, and we verify its signatures', async () => {
    const draft = buildMessage({ from: ALICE.uri, to: BOB.uri, type: 'task', content: 'x' }, { now: NOW })
    const { message, text } = await sign(draft, ALICE.pem)
    expect(JSON.parse(text)).toEqual(message)
    expect(message.signature).toMatch(/^ed25519:[\w-]{86}$/)
    expect(holds(line(message), message.signature, ALICE)).toBe(true)
    expect((await verify(textOf(), options)).verdict).toBe('verified')
  })

  test('a key that is opened once signs and verifies many messages', async () => {
    const [signer, key] = [await openSigner(ALICE.pem), await openVerifier(ALICE.publicPem)]
    for (let i = 0; i < 20; i++) {
      const { text } = await sign(buildMessage({ from: ALICE.uri, to: BOB.uri, content: `${i}` }, { now: NOW }), signer)
      expect((await verify(text, { ...options, key })).verdict).toBe('verified')
    }
  })

  test('[agp/7.2.5-4] do not include content type and replyTo: only a strict signature does', async () => {
    const message = signed(plain(), ALICE)
    const other = { ...message, body: { ...message['body'], contentType: 'text/html', replyTo: randomUUID() } }
    expect((await verify(JSON.stringify(other), options)).verdict).toBe('verified')
  })
})

describe('verify', () => {
  test.each(['id', 'from', 'to', 'type', 'timestamp', 'content'])('fails after a change of %s', async (name) => {
    const others: Record<string, string> = {
      id: randomUUID(),
      from: BOB.uri,
      to: ALICE.uri,
      type: 'task',
      timestamp: '2026-06-18T10:00:01Z',
    }
    const message = signed(plain(), ALICE)
    const changed =
      name === 'content'
        ? { ...message, body: { ...message['body'], content: 'Good evening' } }
        : { ...message, [name]: others[name] }
    expect(await failures(JSON.stringify(changed))).toContain('AGP-124')
  })

  test('fails for another key, sender or recipient', async () => {
    expect(await failures(textOf(), { key: BOB.publicPem })).toEqual(['AGP-124'])
    expect(await failures(textOf(), { expect: { from: 'agent:carol.example.com', to: BOB.uri } })).toEqual(['AGP-122'])
    expect(await failures(textOf(), { expect: { from: ALICE.uri, to: 'agent:carol.example.com' } })).toEqual([
      'AGP-123',
    ])
  })

  test('ignores the case of domains', async () => {
    expect((await verify(textOf({ to: 'agent:Bob.Example.com' }), options)).verdict).toBe('verified')
  })

  test.each([
    ['2026-06-18T09:55:00Z', 0, []],
    ['2026-06-18T09:54:59.999Z', 0, ['AGP-120']],
    ['2026-06-18T09:54:50Z', 10, []],
    ['2026-06-18T09:54:49Z', 10, ['AGP-120']],
    ['2026-06-18T10:01:00Z', 0, []],
    ['2026-06-18T10:01:00.001Z', 0, ['AGP-121']],
    ['2026-06-18T12:01:10+02:00', 10, []],
    ['2026-06-18T10:01:11Z', 10, ['AGP-121']],
  ])('[agp/8.1.1-1] checks %s with a tolerance of %i s: %j', async (timestamp, skewSeconds, expected) => {
    expect(await failures(textOf({ timestamp }), { skewSeconds })).toEqual(expected)
  })

  test('throws for an invalid tolerance', async () => {
    for (const skewSeconds of [-1, Number.NaN, 301])
      await expect(verify(textOf(), { ...options, skewSeconds })).rejects.toThrow(RangeError)
  })

  test('fails for a message that cannot be parsed, with its position', async () => {
    const { verdict, steps, message } = await verify('{"id": 1}', options)
    expect([verdict, message, steps[0]!.diagnostic!.code]).toEqual(['failed', undefined, 'AGP-101'])
  })
})

describe('[agp/strict-1] strict messages', () => {
  const strictText = (n: number, body: object = {}) => JSON.stringify(signed(plain({}, body), ALICE, n))

  test('cover everything else of a message in canonical form, with its number', async () => {
    const draft = buildMessage({ from: ALICE.uri, to: BOB.uri, content: 'é\n', replyTo: randomUUID() }, { now: NOW })
    const { message } = await sign(draft, ALICE.pem, { n: 7 })
    expect(Buffer.from(strictBytes(message)).equals(strictLine(message))).toBe(true)
    expect(holds(strictLine(message), message.body.strict!.signature, ALICE)).toBe(true)
    expect(holds(line(message), message.signature, ALICE)).toBe(true)
  })

  test('verify with a signature by node:crypto, whatever the order of members', async () => {
    expect((await verify(strictText(3), { ...options, strict: { n: 3 } })).verdict).toBe('verified')
  })

  test('fail with another number, without one, with a changed type or an added member', async () => {
    const strict = { n: 3 }
    expect(await failures(strictText(4), { strict })).toEqual(['AGP-127'])
    expect(await failures(textOf(), { strict })).toEqual(['AGP-126'])
    const message = signed(plain(), ALICE, 3)
    for (const changed of [
      { ...message, extra: 1 },
      { ...message, body: { ...message['body'], contentType: 'text/html' } },
      { ...message, body: { ...message['body'], strict: { ...message['body'].strict, n: 4 } } },
    ])
      expect(await failures(JSON.stringify(changed), { strict })).toEqual(['AGP-126'])
  })

  test('no signature is ever valid for another protocol of the same key', async () => {
    const { message } = await sign(buildMessage({ from: ALICE.uri, to: BOB.uri, content: '{}' }), ALICE.pem, { n: 0 })
    const first = Buffer.from(signingBytes(message)).toString()
    expect(first).toMatch(/^[\da-f]{8}-/)
    expect(Buffer.from(strictBytes(message)).toString()).toMatch(/^blazon\/strict\/1\n\{/)
    expect(holds(line(message), message.body.strict!.signature, ALICE)).toBe(false)
    expect(holds(strictLine(message), message.signature, ALICE)).toBe(false)
  })
})
