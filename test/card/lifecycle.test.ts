import { describe, expect, it, test } from 'vitest'
import { Card, isRevocation } from '../../bindings/card/subject.ts'
import { freshness, revoke, update } from '../../bindings/card/supersede.ts'
import { sign } from '../../bindings/card/verbs.ts'
import { parse } from '../../bindings/document/parse.ts'
import { EXAMPLE, KEY, signedCard } from './support.ts'

const now = new Date('2026-04-01T08:00:00Z')
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

describe('update', () => {
  test('[card/3.1-30] [card/6.3-3] raises seq, keeps created_at, sets updated_at, drops the signature', async () => {
    const { bytes, diagnostics } = update(await signedCard(), { description: 'better', version: undefined }, { now })
    const { version: _, ...rest } = EXAMPLE
    const metadata = { ...EXAMPLE.metadata, updated_at: '2026-04-01T08:00:00Z' }
    expect(JSON.parse(text(bytes))).toEqual({ ...rest, seq: 2, description: 'better', metadata })
    expect(diagnostics).toEqual([])
    expect((await sign(bytes!, KEY, { previous: await signedCard() })).bytes).toBeDefined()
  })

  test('keeps everything else byte for byte', () => {
    const source =
      '{\n  "id": "agent://a",\n  "signature": "x",\n  "x": 1.50, "seq": 4,\n  "metadata": {"ttl": 60.0, "updated_at": "2026-01-01T00:00:00Z"},\n  "name": "\\u0041"\n}\n'
    expect(text(update(source, {}, { now }).bytes)).toBe(
      source
        .replace('\n  "signature": "x",', '')
        .replace('"seq": 4', '"seq": 5')
        .replace('2026-01-01T00:00:00Z', '2026-04-01T08:00:00Z'),
    )
    for (const [first, signature] of [
      ['{"signature":"x","seq":1,"id":"a"}', '{"seq":2,"id":"a","metadata":{"updated_at":"2026-04-01T08:00:00Z"}}'],
      ['{"seq":1,"signature":"x"}', '{"seq":2,"metadata":{"updated_at":"2026-04-01T08:00:00Z"}}'],
      ['{"signature":"x"}', '{"seq":1,"metadata":{"updated_at":"2026-04-01T08:00:00Z"}}'],
    ]) {
      expect(JSON.parse(text(update(first!, {}, { now }).bytes))).toEqual(JSON.parse(signature!))
    }
  })

  test('merges metadata, ignores changes of created_at, and always advances updated_at', () => {
    const changes = { metadata: { ttl: 60, created_at: '2000-01-01T00:00:00Z', 'a/b': 1 } }
    const { document } = update(JSON.stringify({ ...EXAMPLE, seq: 1 }), changes, { now: new Date(0) })
    expect((document!.value as typeof EXAMPLE).metadata).toEqual({
      created_at: EXAMPLE.metadata.created_at,
      updated_at: '2026-03-24T12:00:00.001Z',
      ttl: 60,
      'a/b': 1,
    })
  })

  test('removes a member of metadata that is set to undefined, but not created_at', () => {
    const changes = { metadata: { ttl: undefined, created_at: undefined, absent: undefined, note: 'x' } }
    const { document } = update(JSON.stringify({ ...EXAMPLE, seq: 1 }), changes, { now })
    expect(EXAMPLE.metadata).toHaveProperty('ttl')
    const { created_at } = EXAMPLE.metadata
    const updated = (document!.value as typeof EXAMPLE).metadata
    expect(updated).toEqual({ created_at, updated_at: updated.updated_at, note: 'x' })
    const bare = update('{"id":"agent://a","name":"A"}', { metadata: { ttl: undefined } }, { now })
    expect(Object.keys((bare.document!.value as typeof EXAMPLE).metadata)).toEqual(['updated_at'])
  })

  test('accepts members with any name', () => {
    const changes = JSON.parse('{"__proto__": {"x": 1}, "a/b~c": 2, "constructor": 3}')
    const { bytes } = update('{"id":"agent://a","name":"A"}', changes, { now })
    expect(text(bytes)).toContain('"__proto__":{"x":1},"a/b~c":2,"constructor":3,"seq":1')
  })

  test.each([
    ['9007199254740991', 'beyond 2^53 - 1 cannot be signed'],
    ['18446744073709551615', 'beyond 2^53 - 1 cannot be signed'],
    ['-1', 'expected a uint64'],
    ['"4"', 'expected a uint64'],
    ['1e400', ''],
  ])('refuses to raise the seq %s', (seq, detail) => {
    const { document, diagnostics } = update(`{"id":"agent://a","seq":${seq}}`, {}, { now })
    expect(document).toBeUndefined()
    expect(diagnostics[0]!.detail).toContain(detail)
  })

  test('throws for wrong arguments', () => {
    for (const name of ['id', 'seq', 'signature']) {
      expect(() => update('{}', { [name]: 'x' })).toThrow(RangeError)
    }
    expect(() => update('{}', { x: 1n })).toThrow('changes.x: ')
    expect(() => update('{}', { x: () => 1 })).toThrow(RangeError)
    expect(() => update('{}', { x: '\ud800' })).toThrow(RangeError)
    expect(() => update('{}', { metadata: [] })).toThrow('changes.metadata: expected an object')
    expect(() => update('{}', [] as never)).toThrow('changes: expected an object')
    expect(() => update('{}', {}, { now: new Date(Number.NaN) })).toThrow('now: expected a valid Date')
    expect(update('[]').diagnostics).toMatchObject([{ severity: 'error' }])
  })
})

test('[card/7.6-1] refuses to make a card that is larger than a message', async () => {
  const card = (size: number) => `{"id":"agent://a","name":"A","seq":1,"description":"${'x'.repeat(size)}"}`
  const large = await sign(card(65_500), KEY)
  expect(large).toMatchObject({ document: undefined, bytes: undefined })
  expect(large.diagnostics.map(({ code }) => code)).toEqual(['CARD-102', 'CARD-169'])
  expect((await sign(card(65_000), KEY)).bytes!.length).toBeLessThan(65_535)
  const updated = update(card(10), { tools: [{ name: 'x'.repeat(66_000) }] }, { now })
  expect(updated).toMatchObject({ document: undefined, diagnostics: [{ code: 'CARD-102' }] })
})

describe('[card/6.4-1] [card/6.4-2] isRevocation', () => {
  it.each([
    ['both arrays empty', { tools: [], endpoints: [] }, true],
    ['a minimal card', {}, false],
    ['one of them absent', { tools: [] }, false],
    ['one of them absent', { endpoints: [] }, false],
    ['one of them not empty', { tools: [], endpoints: [{}] }, false],
    ['no arrays', { tools: {}, endpoints: null }, false],
    ['texts', { tools: '', endpoints: '' }, false],
  ])('%s', (_name, members, revoked) => {
    const card = { id: 'agent://a', name: 'A', ...members }
    expect(isRevocation(card as never)).toBe(revoked)
    expect(isRevocation(new Card(parse(JSON.stringify(card)).document!))).toBe(revoked)
  })

  test('revokes with an update', async () => {
    const { document } = revoke(await signedCard(), { now })
    const { tools, endpoints, seq, signature, name } = document!.value as Record<string, unknown>
    expect([tools, endpoints, seq, signature, name]).toEqual([[], [], 2, undefined, EXAMPLE.name])
    expect(isRevocation(new Card(document!))).toBe(true)
    expect(() => isRevocation(null as never)).toThrow(TypeError)
  })
})

describe('[card/6.3-1] [card/6.3-2] freshness', () => {
  const at = new Date('2026-03-24T12:00:00Z')
  const card = (metadata: unknown) => ({ id: 'agent://a', name: 'A', metadata }) as never

  test('counts the ttl from retrieval, not from the times in the card', () => {
    const half = freshness(EXAMPLE as never, { retrievedAt: at, now: new Date('2026-03-24T12:59:59.999Z') })
    expect(half).toEqual({ fresh: true, expiresAt: Date.UTC(2026, 2, 24, 13), ttl: 3600, from: 'card' })
    expect(freshness(EXAMPLE as never, { retrievedAt: at, now: new Date('2026-03-24T13:00:00Z') }).fresh).toBe(false)
    expect(freshness(EXAMPLE as never, { retrievedAt: at, now: at }).fresh).toBe(true)
    expect(freshness(card({ ttl: 0 }), { retrievedAt: at, now: at }).fresh).toBe(false)
  })

  test.each([undefined, null, [], {}, { ttl: '60' }, { ttl: -1 }, { ttl: null }])('is an hour for %j', (metadata) => {
    expect(freshness(card(metadata), { retrievedAt: at, now: at })).toMatchObject({
      ttl: 3600,
      from: 'default',
      fresh: true,
    })
    expect(freshness(card(metadata), { retrievedAt: at, now: at, defaultTtl: 60 }).expiresAt).toBe(
      at.getTime() + 60_000,
    )
  })

  test('limits a huge ttl to the latest possible Date', () => {
    expect(new Date(freshness(card({ ttl: 1e300 }), { retrievedAt: at, now: at }).expiresAt).toISOString()).toBe(
      '+275760-09-13T00:00:00.000Z',
    )
  })

  test('throws for wrong arguments', () => {
    expect(() => freshness(EXAMPLE as never, { retrievedAt: new Date(Number.NaN) })).toThrow(
      'retrievedAt: expected a valid Date',
    )
    expect(() => freshness(EXAMPLE as never, { retrievedAt: at, now: 'now' as never })).toThrow(
      'now: expected a valid Date',
    )
    expect(() => freshness(EXAMPLE as never, { retrievedAt: at, now: at, defaultTtl: -1 })).toThrow(RangeError)
  })
})
