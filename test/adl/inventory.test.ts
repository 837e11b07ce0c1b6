import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  addEntry,
  approve,
  checkInventory,
  type Inventory,
  parseInventory,
  parseTrust,
} from '../../bindings/adl/index.ts'
import { parse } from '../../bindings/document/parse.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import { isTrustedSource } from '../../bindings/policy/trust.ts'

const NOW = new Date('2026-05-15T12:00:00Z')
const read = (text: string) => parse(text).document!
const AGENT = '{"version": "1.0.0", "id": "https://acme.example/agents/a", "name": "A"}'
const CANONICAL = '{"id":"https://acme.example/agents/a","name":"A","version":"1.0.0"}'
const DIGEST = `sha256:${createHash('sha256').update(CANONICAL).digest('hex')}`

const signedBy = (fingerprint: string): Proof => ({
  verdict: 'verified',
  steps: [{ name: 'signature', title: '', outcome: 'passed', detail: '', spec: '', data: { fingerprint } }],
})
const rules = (found: readonly { rule: string }[]) => found.map(({ rule }) => rule)

describe('an entry of the inventory', () => {
  it('[adl/18.10-4] has the id, version, digest of the canonical form, and signer', () => {
    expect(approve(read(AGENT), { proof: signedBy('kPrK'), now: NOW }).entry).toEqual({
      id: 'https://acme.example/agents/a',
      version: '1.0.0',
      digest: DIGEST,
      signer: 'kPrK',
      approved: '2026-05-15T12:00:00.000Z',
    })
  })

  it('names a signer only if a signature was verified', () => {
    expect(approve(read(AGENT)).entry?.signer).toBeNull()
    for (const verdict of ['failed', 'unverifiable'] as const) {
      expect(approve(read(AGENT), { proof: { ...signedBy('kPrK'), verdict } }).entry?.signer).toBeNull()
    }
  })

  it('uses the DID or the name if there is no id', () => {
    expect(approve(read('{"name": "A", "cryptographic_identity": {"did": "did:web:a.example"}}')).entry?.id).toBe(
      'did:web:a.example',
    )
    expect(approve(read('{"name": "A"}')).entry).toMatchObject({ id: 'A', version: '' })
    for (const source of ['[]', '{', '7']) {
      const { entry, diagnostics } = approve(source)
      expect([entry, diagnostics[0]?.severity]).toEqual([undefined, 'error'])
    }
    expect(() => approve(7 as never)).toThrow(TypeError)
  })

  it('replaces the entry of the same version', () => {
    const entry = approve(read(AGENT), { now: NOW }).entry!
    const older = { ...entry, version: '0.9.0' }
    const list = [entry, older, { ...entry, signer: 'kPrK' }].reduce(addEntry, { version: 1, agents: [] } as Inventory)
    expect(list).toEqual({ version: 1, agents: [older, { ...entry, signer: 'kPrK' }] })
  })
})

describe('[adl/18.10-5] discrepancies with the inventory', () => {
  const inventory: Inventory = {
    version: 1,
    agents: [approve(read(AGENT), { proof: signedBy('kPrK'), now: NOW }).entry!],
  }
  const check = (text: string, proof?: Proof) => checkInventory(inventory, read(text), { proof })

  it('reports nothing for the approved document, in any spelling', () => {
    expect(check(AGENT, signedBy('kPrK'))).toEqual([])
    expect(check(CANONICAL, signedBy('kPrK'))).toEqual([])
  })

  it.each<[string, string, Proof | undefined, readonly string[]]>([
    ['another agent', AGENT.replace('agents/a', 'agents/b'), signedBy('kPrK'), ['inventory-not-approved']],
    ['another version', AGENT.replace('1.0.0', '1.0.1'), signedBy('kPrK'), ['inventory-not-approved']],
    ['other content', AGENT.replace('"A"', '"B"'), signedBy('kPrK'), ['inventory-digest']],
    ['another signer', AGENT, signedBy('x'), ['inventory-signer']],
    ['no proof', AGENT, undefined, ['inventory-signer']],
    ['a proof that failed', AGENT, { ...signedBy('kPrK'), verdict: 'failed' }, ['inventory-signer']],
    ['all of it', AGENT.replace('"A"', '"B"'), undefined, ['inventory-digest', 'inventory-signer']],
  ])('%s', (_title, text, proof, expected) => {
    const found = check(text, proof)
    expect(rules(found)).toEqual(expected)
    expect(found.every(({ severity, code }) => severity === 'error' && code.startsWith('BADL-15'))).toBe(true)
  })

  it('an entry for an unsigned document allows signing it later', () => {
    const unsigned = { version: 1, agents: [approve(read(AGENT), { now: NOW }).entry!] } as const
    expect(checkInventory(unsigned, read(AGENT), { proof: signedBy('kPrK') })).toEqual([])
  })
})

describe('the files of an operator', () => {
  it('reads back an inventory as it was written', () => {
    const inventory: Inventory = { version: 1, agents: [approve(read(AGENT), { now: NOW }).entry!] }
    expect(parseInventory(JSON.stringify(inventory))).toEqual({ value: inventory, diagnostics: [] })
  })

  it.each([
    ['', ''],
    ['[]', ''],
    ['{"version": 2, "agents": []}', '/version'],
    ['{"version": 1}', '/agents'],
    ['{"version": 1, "agents": [], "agent": []}', '/agent'],
    [
      '{"version": 1, "agents": [{"id": "a", "version": "1", "digest": "d", "signer": 1, "approved": "2026-01-01T00:00:00Z"}]}',
      '/agents/0/signer',
    ],
    ['{"version": 1, "agents": [], "__proto__": {}}', '/__proto__'],
  ])('%j is not a valid inventory', (text, pointer) => {
    const { value, diagnostics } = parseInventory(text, { file: 'i.json' })
    expect(value).toBeUndefined()
    expect(diagnostics).toMatchObject([{ severity: 'error', source: { file: 'i.json', pointer } }])
  })

  it('[adl/18.11-22] a trust file names providers, issuers, keys and registries', () => {
    const trust = {
      version: 1,
      providers: ['acme.example'],
      issuers: ['https://trust.example'],
      keys: ['MCow'],
      registries: ['https://registry.example/'],
    }
    expect(parseTrust(JSON.stringify(trust))).toEqual({ value: trust, diagnostics: [] })
    const wrong = parseTrust('{"version": 1, "provider": [], "keys": [""]}')
    expect(wrong.value).toBeUndefined()
    expect(wrong.diagnostics.map(({ code, source }) => [code, source.pointer])).toEqual([
      ['BADL-158', '/keys/0'],
      ['BADL-158', '/provider'],
    ])
    expect(wrong.diagnostics[1]!.fix).toEqual({ hint: "did you mean 'providers'?" })
    // The files of operators are read to a depth of 8.
    const codesAt = (depth: number) =>
      parseTrust('['.repeat(depth) + ']'.repeat(depth)).diagnostics.map(({ code }) => code)
    expect([codesAt(8), codesAt(9)]).toEqual([['BADL-158'], ['DOC-113']])
  })
})

describe('[adl/18.10-3] a trusted registry', () => {
  const trust = {
    version: 1,
    registries: ['https://r.example/adl', 'https://other.example/', 'http://plain.example/'],
  } as const

  it.each([
    'https://r.example/adl',
    'https://r.example/adl/a/b.json?v=1',
    'https://R.example:443/adl/a.json',
    'https://other.example/anything',
  ])('contains %s', (url) => {
    expect(isTrustedSource(trust, url)).toBe(true)
  })

  it.each([
    'http://r.example/adl/a.json',
    'https://r.example/adlib/a.json',
    'https://r.example/adl/../a.json',
    'https://r.example/adl/%2e%2e/a.json',
    'https://r.example/adl/..%2fa.json',
    'https://r.example/adl\\..\\a.json',
    'https://r.example:8443/adl/a.json',
    'https://r.example.evil.example/adl/a.json',
    'https://r.example@evil.example/adl/a.json',
    'https://user:pass@r.example/adl/a.json',
    'http://plain.example/a.json',
    'file:///adl/a.json',
    '/adl/a.json',
    '',
  ])('does not contain %s', (url) => {
    expect(isTrustedSource(trust, url)).toBe(false)
  })

  it('is untrusted unless it is listed', () => {
    expect(isTrustedSource({ version: 1 }, 'https://r.example/')).toBe(false)
  })
})
