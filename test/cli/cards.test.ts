import { describe, expect, it, test } from 'vitest'
import { exportKey } from '../../bindings/keys/index.ts'
import { EXAMPLE, FORMS, KEY, KEY_ID, OTHER_KEY } from '../card/support.ts'
import { blazon } from './terminal.ts'

const card = `${JSON.stringify({ ...EXAMPLE, did: undefined, seq: 4 }, null, 2)}\n`
const files = {
  'card.json': card,
  'own.json': JSON.stringify({ ...EXAMPLE, id: KEY_ID, did: undefined, seq: 1 }),
  'did.json': JSON.stringify({ ...EXAMPLE, did: FORMS['did:key'], seq: 1 }),
  'agent.json': '{"adl_spec": "0.1.0"}',
  'agent.key': await exportKey(KEY, 'pem'),
  'agent.pub': await exportKey(KEY.publicKey, 'pem'),
  'other.pub': await exportKey(OTHER_KEY.publicKey, 'pem'),
}

const signed = async (name: string) => (await blazon(['sign', name, '--key', 'agent.key'], { files })).stdout

describe('sign and verify', () => {
  test('a card, with a key to trust or one that is the id', async () => {
    const text = await signed('card.json')
    expect(text.replace(/,\s*"signature": "[\w-]{86}"/, '')).toBe(card)
    const more = { ...files, 'signed.json': text, 'own.json': await signed('own.json') }
    const pinned = await blazon(['verify', 'signed.json', '--key', 'agent.pub', '--expect-id', EXAMPLE.id], {
      files: more,
    })
    expect([pinned.code, pinned.stdout.split('\n')[0]]).toEqual([0, 'signed.json: verified'])
    expect((await blazon(['verify', 'own.json'], { files: more })).code).toBe(0)
    expect((await blazon(['verify', 'signed.json', '--key', 'other.pub'], { files: more })).code).toBe(4)
    const without = await blazon(['verify', 'signed.json'], { files: more })
    expect([without.code, without.stdout]).toEqual([4, expect.stringContaining('no key: no source knows one')])
  })

  test('a did in the card is self-asserted, when asked for', async () => {
    const more = { ...files, 'did.json': await signed('did.json') }
    const { code, stdout } = await blazon(['verify', 'did.json', '--self-asserted'], { files: more })
    expect([code, stdout.split('\n')[0]]).toEqual([4, 'did.json: unverifiable'])
    expect(stdout).toMatch(/passed {3}Signature: valid/)
    expect(stdout).toMatch(/unknown {2}What the key shows: self-asserted/)
  })

  test('changed content under a used seq is refused, until bump', async () => {
    const changed = (await signed('card.json')).replace('bidirectional', 'one-way')
    const again = await blazon(['sign', '-', '--key', 'agent.key'], { files, stdin: changed })
    expect([again.code, again.stdout]).toEqual([1, ''])
    expect(again.stderr).toContain('CARD-160')
    const bumped = await blazon(['bump', '-', '--key', 'agent.key'], { files, stdin: changed })
    expect([bumped.code, JSON.parse(bumped.stdout).seq]).toEqual([0, 5])
    const before = { ...files, 'before.json': await signed('card.json') }
    const { signature: _, ...plain } = JSON.parse(changed)
    const line = ['sign', '-', '--key', 'agent.key', '--previous', 'before.json']
    expect((await blazon(line, { files: before, stdin: JSON.stringify(plain) })).code).toBe(1)
    expect((await blazon(line, { files: before, stdin: JSON.stringify({ ...plain, seq: 5 }) })).code).toBe(0)
    expect((await blazon([...line.slice(0, -1), 'none.json'], { files, stdin: changed })).code).toBe(3)
  })

  it.each([
    [['verify', 'card.json', '--expect-provider', 'acme.example.com'], '--expect-provider is for agent definitions'],
    [['verify', 'agent.json', '--self-asserted'], '--self-asserted is for Agent Cards'],
    [['sign', 'card.json', '--key', 'agent.key', '--mode', 'digest'], '--mode is for agent definitions'],
    [['sign', 'card.json', '--key', 'agent.key', '--embed-key'], '--embed-key is for agent definitions'],
    [['sign', 'agent.json', '--key', 'agent.key', '--previous', 'card.json'], '--previous is for Agent Cards'],
    [['sign', 'card.json', '--key', 'agent.key', '--algorithm', 'ES256'], 'cards are signed with Ed25519'],
    [['bump', 'agent.json'], 'agent.json is no Agent Card'],
    [['bump', 'card.json', 'own.json'], 'bump takes one card'],
    [['revoke', 'card.json', '--key', 'agent.pub'], 'KEY-105'],
  ])('%j is wrong usage', async (line, message) => {
    const { code, stdout, stderr } = await blazon(line, { files })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

describe('bump and revoke', () => {
  test('[card/3.1-30] bump raises seq, sets the time, and takes out the signature', async () => {
    const { code, stdout, stderr } = await blazon(['bump', '-'], { files, stdin: await signed('card.json') })
    expect([code, stderr]).toEqual([0, expect.stringContaining('it is not signed')])
    const next = JSON.parse(stdout)
    expect([next.seq, next.signature, next.metadata.created_at]).toEqual([5, undefined, EXAMPLE.metadata.created_at])
    expect(Date.parse(next.metadata.updated_at)).toBeGreaterThan(Date.parse(EXAMPLE.metadata.updated_at))
    const { saved } = await blazon(['bump', 'card.json', '--out', 'card.json', '--quiet'], { files })
    expect(JSON.parse(new TextDecoder().decode(saved.get('card.json'))).seq).toBe(5)
  })

  test('[card/6.4-1] revoke writes a card that verifies and has nothing to call', async () => {
    const { code, stdout, stderr } = await blazon(['revoke', 'own.json', '--key', 'agent.key'], { files })
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ id: KEY_ID, seq: 2, tools: [], endpoints: [] })
    expect((await blazon(['verify', '-'], { files, stdin: stdout })).code).toBe(0)
  })

  test('what cannot be raised, or signed by this key, is a finding', async () => {
    const highest = await blazon(['bump', '-'], { files, stdin: '{"id":"agent://a","seq":18446744073709551615}' })
    expect([highest.code, highest.stderr]).toEqual([1, expect.stringContaining('CARD-161')])
    const other = { ...files, 'agent.key': await exportKey(OTHER_KEY, 'pem') }
    const foreign = await blazon(['revoke', 'own.json', '--key', 'agent.key'], { files: other })
    expect([foreign.code, foreign.stdout, foreign.stderr]).toEqual([1, '', expect.stringContaining('CARD-158')])
  })
})
