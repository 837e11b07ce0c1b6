import { describe, expect, it } from 'vitest'
import { approve, classificationOf, mayProvision, sign, validate, verify } from '../../bindings/adl/index.ts'
import { parse } from '../../bindings/document/parse.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { ODD_VALUES, placesOf, replaced } from './profiles/odd-values.ts'

const NOW = new Date('2026-05-15T12:00:00Z')
const ALL = ['network', 'filesystem', 'environment', 'execution', 'resource_limits'] as const
const HOST: mayProvision.Options = { enforces: ALL, source: { trusted: true }, now: NOW }
const VERIFIED: Proof = { verdict: 'verified', steps: [] }

const AGENT = {
  adl_spec: '0.1.0',
  id: 'https://acme.example/agents/a',
  name: 'A',
  version: '1.0.0',
  description: 'An agent.',
  data_classification: { sensitivity: 'internal' },
}
const SIGNED = { ...AGENT, security: { attestation: { signature: { algorithm: 'Ed25519', value: 'AA' } } } }

const ask = (change: object, options: mayProvision.Options = {}) =>
  mayProvision({ ...AGENT, ...change }, { ...HOST, ...options })
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('lifecycle', () => {
  const life = (status: string, more: object = {}) => ({ lifecycle: { status, ...more } })

  it.each(['active', 'deprecated'])('[adl/5.6-20] allows an agent that is %s', (status) => {
    expect(ask(life(status)).allowed).toBe(true)
  })

  it('[adl/5.6-26] assumes no status if it is missing', () => {
    expect(ask({})).toEqual({ allowed: true, reasons: [], obligations: [], acknowledged: [], diagnostics: [] })
  })

  it('[adl/5.6-23] [adl/18.12-21] never allows a retired agent, whatever is acknowledged', () => {
    for (const environment of ['production', 'staging', 'test', 'development'] as const) {
      const acknowledged = ['retired', '/lifecycle/status', 'lifecycle', '*']
      const answer = ask(life('retired', { successor: 'urn:example:b' }), { environment, acknowledged })
      expect(answer).toMatchObject({ allowed: false, successor: 'urn:example:b' })
      expect(answer.reasons).toMatchObject([{ id: 'retired', pointer: '/lifecycle/status' }])
    }
  })

  it('[adl/5.6-24] a retired agent can still be read and checked', async () => {
    const retired = JSON.stringify({ ...AGENT, ...life('retired', { successor: 'urn:example:b' }) })
    expect(validate(retired, { now: NOW }).valid).toBe(true)
    expect((await verify(retired, { now: NOW })).verdict).toBe('unverifiable')
    expect(classificationOf(parse(retired).document!, '')!.value).toEqual({ sensitivity: 'internal' })
  })

  it('[adl/5.6-25] treats a deprecated agent as retired from its exact sunset time', () => {
    const sunset = (sunset_date: unknown) => ask(life('deprecated', { sunset_date }))
    expect(ids(sunset('2026-05-15T12:00:00Z').reasons)).toEqual(['retired'])
    expect(ids(sunset('2026-05-15T12:00:00+01:00').reasons)).toEqual(['retired'])
    expect(sunset('2026-05-15T12:00:01Z')).toMatchObject({ allowed: true, daysLeft: 0 })
    expect(sunset('2026-06-15T12:00:00Z')).toMatchObject({ allowed: true, daysLeft: 31 })
    expect(ids(sunset('some day').reasons)).toEqual(['lifecycle'])
    expect(ids(sunset(7).reasons)).toEqual(['lifecycle'])
    expect(ask(life('active', { sunset_date: '2020-01-01T00:00:00Z' }))).toMatchObject({ allowed: true, daysLeft: 0 })
  })

  it('[adl/5.6-21] keeps drafts out of production, which is the default environment', () => {
    expect(ids(ask(life('draft')).reasons)).toEqual(['draft'])
    expect(ids(ask(life('draft'), { environment: 'production', acknowledged: ['draft'] }).reasons)).toEqual(['draft'])
    for (const environment of ['staging', 'test', 'development'] as const) {
      expect(ask(life('draft'), { environment }).allowed).toBe(true)
    }
  })

  it('[adl/5.6-22] [adl/18.12-22] tells operators of a deprecated agent about its successor', () => {
    const { obligations, successor } = ask(life('deprecated', { successor: 'https://acme.example/agents/b' }))
    expect(obligations).toMatchObject([{ id: 'deprecated', pointer: '/lifecycle/status' }])
    expect(obligations[0]!.detail).toBe("the agent is deprecated: migrate to 'https://acme.example/agents/b'")
    expect(successor).toBe('https://acme.example/agents/b')
  })

  it('refuses an unknown status', () => {
    for (const lifecycle of ['active', null, {}, { status: 'live' }, { status: null }]) {
      expect(ids(ask({ lifecycle }).reasons)).toEqual(['lifecycle'])
    }
  })
})

describe('permissions that the host does not enforce', () => {
  const permissions = { network: {}, execution: {}, x_own: {} }

  it('[adl/18.12-20] [adl/9.1-20] are named, and refuse the agent until they are acknowledged by name', () => {
    const none = ask({ permissions }, { enforces: [] })
    expect(none.reasons).toMatchObject([
      { id: 'unenforced-domain', pointer: '/permissions/network', acknowledge: 'network' },
      { id: 'unenforced-domain', pointer: '/permissions/execution', acknowledge: 'execution' },
    ])
    const one = ask({ permissions }, { enforces: [], acknowledged: ['network', 'filesystem'] })
    expect(one).toMatchObject({ allowed: false, reasons: [{ acknowledge: 'execution' }], acknowledged: ['network'] })
    const both = ask({ permissions }, { enforces: [], acknowledged: ['execution', 'network'] })
    expect(both).toMatchObject({ allowed: true, reasons: [], acknowledged: ['network', 'execution'] })
    expect(ids(both.obligations).filter((id) => id === 'unenforced-domain')).toHaveLength(2)
    expect(ask({ permissions }, { enforces: ['network', 'execution'] }).allowed).toBe(true)
  })

  it('[adl/9.1-20] warn users when a domain is denied by absence and nothing enforces that', () => {
    const { allowed, obligations } = ask({ permissions: { network: {} } }, { enforces: ['network', 'filesystem'] })
    expect(allowed).toBe(true)
    expect(obligations.map(({ id, detail }) => [id, detail.split("'")[1]])).toEqual([
      ['unenforced-denial', 'environment'],
      ['unenforced-denial', 'execution'],
      ['unenforced-denial', 'resource_limits'],
    ])
  })
})

describe('grants', () => {
  it('[adl/18.6-20] a bare * refuses until it is acknowledged by name, and the answer lists it', () => {
    const permissions = {
      network: { allowed_hosts: ['a.example', '*'] },
      environment: { allowed_variables: ['*'], denied_variables: ['*'] },
      execution: { allowed_commands: ['*'] },
    }
    const names = ['/permissions/network/allowed_hosts/1', '/permissions/environment/allowed_variables/0']
    expect(ask({ permissions }).reasons.map(({ acknowledge }) => acknowledge)).toEqual(names)
    expect(ask({ permissions }, { acknowledged: ['*', names[0]!] }).reasons).toMatchObject([{ pointer: names[1] }])
    const answer = ask({ permissions }, { acknowledged: names })
    expect(answer).toMatchObject({ allowed: true, acknowledged: names })
    expect(ids(answer.obligations)).toEqual(['bare-wildcard', 'bare-wildcard'])
  })

  it('[adl/18.7-20] unexpected schemes refuse unless the deployment allows them', () => {
    const resources = [{ name: 'r', type: 'file', uri: 'S3://bucket/key' }]
    expect(ask({ resources }).reasons).toMatchObject([{ id: 'uri-scheme', pointer: '/resources/0/uri' }])
    expect(ask({ resources }, { acknowledged: ['uri-scheme', 's3'] }).allowed).toBe(false)
    expect(ask({ resources }, { allowSchemes: ['s3'] }).allowed).toBe(true)
    expect(ask({ id: 'did:web:acme.example' }).allowed).toBe(true)
    expect(ids(ask({ provider: { name: 'A', url: 'did:web:acme.example' } }).reasons)).toEqual(['uri-scheme'])
  })

  it('[adl/18.12-23] tools that need confirmation are an obligation', () => {
    const tools = [
      { name: 'a', requires_confirmation: true },
      { name: 'b', requires_confirmation: false },
    ]
    expect(ask({ tools }).obligations).toMatchObject([{ id: 'confirm-tool', pointer: '/tools/0' }])
  })
})

describe('the source of a document', () => {
  const stranger: mayProvision.Options = { source: {} }

  it('[adl/18.1-21] [adl/18.10-2] unsigned and untrusted is refused unless acknowledged', () => {
    expect(ids(ask({}, stranger).reasons)).toEqual(['unsigned'])
    expect(ask({}, { ...stranger, acknowledged: ['unsigned'] })).toMatchObject({
      allowed: true,
      acknowledged: ['unsigned'],
      obligations: [{ id: 'unsigned' }],
    })
    expect(ids(ask({}, { ...stranger, proof: { verdict: 'unverifiable', steps: [] } }).reasons)).toEqual(['unsigned'])
  })

  it('[adl/18.1-20] [adl/18.10-1] a signed document without a verified proof is always refused', () => {
    for (const proof of [
      undefined,
      { verdict: 'failed', steps: [] },
      { verdict: 'unverifiable', steps: [] },
    ] as const) {
      const answer = mayProvision(SIGNED, { ...HOST, proof, acknowledged: ['signature', 'unsigned'] })
      expect(ids(answer.reasons)).toEqual(['signature'])
    }
    expect(mayProvision(SIGNED, { ...HOST, ...stranger, proof: VERIFIED }).allowed).toBe(true)
    expect(ids(mayProvision(AGENT, { ...HOST, proof: { verdict: 'failed', steps: [] } }).reasons)).toEqual([
      'signature',
    ])
  })

  it('a proof only counts for its own document', async () => {
    const payload = JSON.stringify({ b: 1, a: 2 })
    // The SHA-256 of {"a":2,"b":1}, computed with sha256sum.
    const sha256 = Buffer.from(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode('{"a":2,"b":1}')),
    ).toString('hex')
    const step = {
      name: 'canonical-form',
      title: '',
      outcome: 'passed',
      detail: '',
      spec: '',
      data: { sha256 },
    } as const
    const proof: Proof = { verdict: 'verified', steps: [step] }
    expect(ids(mayProvision(payload, { ...HOST, proof }).reasons)).toEqual([])
    expect(ids(mayProvision('{"b": 2, "a": 1}', { ...HOST, proof }).reasons)).toEqual(['signature'])
  })

  it.each(['confidential', 'restricted', 'secret', null])(
    '[adl/18.10-3] %s data needs a verified signature or a trusted source',
    (sensitivity) => {
      const data_classification = { sensitivity }
      const acknowledged = ['unsigned', 'sensitive']
      expect(ids(ask({ data_classification }, { ...stranger, acknowledged }).reasons)).toEqual(['sensitive'])
      const tools = [{ name: 'a', data_classification }]
      const found = ask({ tools }, { ...stranger, acknowledged }).reasons
      expect(found).toMatchObject([{ pointer: '/tools/0/data_classification/sensitivity' }])
      expect(ask({ data_classification }).allowed).toBe(true)
      const step = { name: 'identity', title: '', outcome: 'passed', detail: '', spec: '' } as const
      const proof: Proof = { verdict: 'verified', steps: [step] }
      expect(mayProvision({ ...SIGNED, data_classification }, { ...HOST, ...stranger, proof }).allowed).toBe(true)
    },
  )

  it('[adl/18.11-20] a registry of the trust file is a trusted source', () => {
    const trust = { version: 1, registries: ['https://registry.acme.example/adl'] } as const
    const from = (url: string) => ask({}, { source: { url }, trust }).allowed
    expect(from('https://registry.acme.example/adl/a.json')).toBe(true)
    expect(ask({}, { source: 'https://registry.acme.example/adl/a.json', trust }).allowed).toBe(true)
    expect(from('https://registry.acme.example/other/a.json')).toBe(false)
  })

  it('[adl/18.11-21] [adl/17.3-20] providers and issuers that are not listed are refused; a URN names none', () => {
    const trust = { version: 1, providers: ['ACME.example'], issuers: ['https://trust.example'] } as const
    expect(ask({}, { trust }).allowed).toBe(true)
    expect(ask({ id: 'did:web:acme.example:agents:a' }, { trust }).allowed).toBe(true)
    for (const id of ['https://evil.example/acme.example', 'urn:adl:agent:acme:a:1.0.0', 'acme.example', undefined]) {
      expect(ids(ask({ id }, { trust }).reasons)).toEqual(['provider'])
    }
    const security = { attestation: { issuer: 'https://trust.example.evil' } }
    expect(ask({ security }, { trust }).reasons).toMatchObject([{ id: 'issuer', acknowledge: 'issuer' }])
  })

  it('[adl/18.10-5] a discrepancy with the inventory is an incident that cannot be acknowledged', () => {
    const { document } = parse(JSON.stringify(AGENT))
    const inventory = { version: 1, agents: [approve(document!, { now: NOW }).entry!] } as const
    expect(ask({}, { inventory }).allowed).toBe(true)
    const changed = ask({ description: 'Another.' }, { inventory, acknowledged: ['inventory-digest'] })
    expect(changed.reasons).toMatchObject([{ id: 'inventory-digest', pointer: '' }])
    expect(ids(ask({ version: '1.0.1' }, { inventory }).reasons)).toEqual(['inventory-not-approved'])
  })

  it('[adl/18.1-22] warnings of the proof become obligations', () => {
    const step = { name: 'expiry', title: '', outcome: 'warning', detail: 'expired', spec: 'ADL 10.3' } as const
    const { allowed, obligations } = mayProvision(SIGNED, { ...HOST, proof: { verdict: 'verified', steps: [step] } })
    expect(allowed).toBe(true)
    expect(obligations).toMatchObject([{ id: 'proof-warning', detail: 'expired', section: 'ADL 10.3' }])
  })
})

describe('with real signatures and proofs', () => {
  const signed = async (change: object) => {
    const { bytes } = await sign(JSON.stringify({ ...AGENT, ...change }), await generateKey('Ed25519'), {
      embedKey: true,
    })
    return parse(bytes!).document!
  }
  const stranger = { ...HOST, source: {}, acknowledged: ['unsigned'] }

  it('[adl/18.10-3] a verified document may run from any source, and its proof allows no other document', async () => {
    const document = await signed({ data_classification: { sensitivity: 'restricted' } })
    const proof = await verify(document, { now: NOW })
    const answer = mayProvision(document, { ...stranger, proof, acknowledged: ['signer'] })
    expect(answer.reasons).toEqual([])
    // The key came with the document.
    expect(ids(answer.obligations)).toContain('proof-warning')
    const other = await signed({ data_classification: { sensitivity: 'restricted' }, description: 'Another.' })
    expect(ids(mayProvision(other, { ...stranger, proof }).reasons)).toContain('signature')
    const changed = parse(new TextDecoder().decode(document.bytes).replace('An agent.', 'A bot.')).document!
    const broken = await verify(changed, { now: NOW })
    expect(ids(mayProvision(changed, { ...stranger, proof: broken }).reasons)).toContain('signature')
  })

  it('[adl/18.10-3] sensitive data needs a signature that shows who signed, because anyone can bring their own key', async () => {
    const data_classification = { sensitivity: 'confidential' }
    const key = await generateKey('Ed25519')
    const { bytes } = await sign(JSON.stringify({ ...AGENT, data_classification }), key, { embedKey: true })
    const document = parse(bytes!).document!
    const proof = await verify(document, { now: NOW })
    const ask = (options: mayProvision.Options) => mayProvision(document, { ...stranger, proof, ...options })
    expect(ask({}).reasons).toMatchObject([
      { id: 'signer', pointer: '/data_classification/sensitivity', acknowledge: 'signer', section: 'ADL 18.10' },
    ])
    expect(ask({ acknowledged: ['signer'] })).toMatchObject({ allowed: true, acknowledged: ['signer'] })
    expect(ids(ask({ acknowledged: ['signer'] }).obligations)).toContain('signer')
    // A verdict without the step about the key's owner proves no identity either.
    expect(ids(ask({ proof: { verdict: 'verified', steps: [] } }).reasons)).toEqual(['signer'])
    const pinned = await verify(document, { now: NOW, expect: { keys: [key.publicKey] } })
    expect(ask({ proof: pinned }).reasons).toEqual([])
    expect(ask({ source: { trusted: true } }).reasons).toEqual([])
    expect(ask({ inventory: { version: 1, agents: [approve(document, { proof, now: NOW }).entry!] } }).reasons).toEqual(
      [],
    )
    expect(ids(ask({ inventory: { version: 1, agents: [] } }).reasons)).toEqual(['inventory-not-approved'])
  })

  it('[adl/18.10-3] a did:web of another domain than the id proves nothing; one of the same domain does', async () => {
    const key = await generateKey('Ed25519')
    const answerFor = async (did: string) => {
      const definition = {
        ...AGENT,
        data_classification: { sensitivity: 'restricted' },
        cryptographic_identity: { did },
      }
      const { bytes } = await sign(JSON.stringify(definition), key, { embedKey: true })
      const document = parse(bytes!).document!
      const method = {
        id: `${did}#key`,
        type: 'JsonWebKey',
        controller: did,
        publicKeyJwk: await exportKey(key.publicKey, 'jwk'),
      }
      const fetch = async () => Response.json({ id: did, verificationMethod: [method], assertionMethod: [method.id] })
      const proof = await verify(document, { now: NOW, resolve: { fetch } })
      expect(proof.verdict).toBe('verified')
      return ids(mayProvision(document, { ...stranger, proof }).reasons)
    }
    expect(await answerFor('did:web:evil.example')).toEqual(['signer'])
    expect(await answerFor('did:web:acme.example')).toEqual([])
  })

  it('[adl/18.11-21] an id does not prove the provider: anyone can write one and sign it with their own key', async () => {
    const trust = { version: 1, providers: ['acme.example'] } as const
    const key = await generateKey('Ed25519')
    const { bytes } = await sign(JSON.stringify(AGENT), key, { embedKey: true })
    const document = parse(bytes!).document!
    const proof = await verify(document, { now: NOW })
    const answer = mayProvision(document, { ...stranger, proof, trust })
    expect(answer.reasons).toMatchObject([{ id: 'provider', pointer: '/id', acknowledge: 'provider' }])
    expect(mayProvision(document, { ...stranger, proof, trust, acknowledged: ['provider'] }).allowed).toBe(true)
    // A pinned key, a trusted source or an inventory entry for this document shows whose it is.
    const pinned = await verify(document, { now: NOW, expect: { keys: [key.publicKey] } })
    expect(mayProvision(document, { ...stranger, proof: pinned, trust }).allowed).toBe(true)
    expect(mayProvision(document, { ...stranger, proof, trust, source: { trusted: true } }).allowed).toBe(true)
    const inventory = { version: 1, agents: [approve(document, { proof, now: NOW }).entry!] } as const
    expect(mayProvision(document, { ...stranger, proof, trust, inventory }).allowed).toBe(true)
  })

  it('[adl/18.10-5] an inventory knows the signer', async () => {
    const document = await signed({})
    const proof = await verify(document, { now: NOW })
    const inventory = { version: 1, agents: [approve(document, { proof, now: NOW }).entry!] } as const
    expect(inventory.agents[0]!.signer).toMatch(/^[\w-]{43}$/)
    expect(mayProvision(document, { ...stranger, proof, inventory }).allowed).toBe(true)
    const again = await signed({})
    const theirs = mayProvision(again, { ...stranger, proof: await verify(again, { now: NOW }), inventory })
    expect(ids(theirs.reasons)).toEqual(['inventory-digest', 'inventory-signer'])
  })
})

describe('any document and any option', () => {
  it('an unreadable document, or one of another version, is refused', () => {
    for (const source of ['', '[]', 'null', '{"a":1,"a":2}', new Uint8Array([0xff])]) {
      expect(ids(mayProvision(source, HOST).reasons)).toEqual(['unreadable'])
    }
    expect(ids(ask({ adl_spec: '0.2.0' }).reasons)).toEqual(['version'])
  })

  it('odd values at every place give an answer, and never allow a refused agent', () => {
    const base = {
      ...SIGNED,
      lifecycle: { status: 'retired', sunset_date: '2020-01-01T00:00:00Z', successor: 'urn:a:b' },
      permissions: { network: { allowed_hosts: ['*'] }, environment: { allowed_variables: ['*'] } },
      tools: [{ name: 'a', requires_confirmation: true, data_classification: { sensitivity: 'public' } }],
    }
    for (const path of placesOf(base)) {
      for (const odd of ODD_VALUES) {
        const { allowed, reasons } = mayProvision(replaced(base, path, odd), { now: NOW })
        expect(allowed).toBe(reasons.length === 0)
        // With an unknown host, source and proof, nothing in the rest of the document can allow it.
        expect(allowed).toBe(false)
      }
    }
  })

  it.each<[string, object]>([
    ['environment', { environment: 'prod' }],
    ['enforces', { enforces: 'network' }],
    ['enforces', { enforces: ['net'] }],
    ['acknowledged', { acknowledged: [1] }],
    ['allowSchemes', { allowSchemes: 's3' }],
    ['now', { now: new Date(Number.NaN) }],
    ['proof', { proof: { verdict: 'ok' } }],
    ['proof', { proof: null }],
    ['source', { source: null }],
    ['trust\\.providers', { trust: { version: 1, providers: 'acme' } }],
    ['trust', { trust: null }],
    ['inventory', { inventory: {} }],
  ])('an invalid option %s throws', (name, options) => {
    expect(() => mayProvision(AGENT, options)).toThrow(new RegExp(`^${name}: expected`))
  })
})
