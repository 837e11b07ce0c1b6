import { describe, expect, test } from 'vitest'
import { compile, decide } from '../../../bindings/adl/policy.ts'
import type { VerifyOptions } from '../../../bindings/adl/signing.ts'
import { sign, verify } from '../../../bindings/adl/verbs.ts'
import { parseJson as parse } from '../../../bindings/document/index.ts'
import type { Source } from '../../../bindings/frame/source.ts'
import { generateKey } from '../../../bindings/keys/index.ts'
import { processorTime } from '../../support/effort.ts'

const network = { permissions: { network: { allowed_hosts: ['*'] } } }
const asText = JSON.stringify(network)
const request = { domain: 'network', host: 'a.example' } as const

// biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
const ask = (wrong: any) => compile(network).allows(wrong)

describe('documents', () => {
  test('may be objects, texts, bytes or parsed documents', () => {
    for (const document of [network, asText, new TextEncoder().encode(asText), parse(asText).document!]) {
      expect(decide(document, request).allowed).toBe(true)
    }
  })

  test.each(['', '[', '[]', '"x"', '{"a":1,"a":2}', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`])(
    '[adl/18.12-1] %s permits nothing',
    (text) => {
      const decision = decide(text, request)
      expect(decision).toMatchObject({ allowed: false, decidedBy: '' })
      expect(decision.trace).toHaveLength(1)
    },
  )

  test('an object that is not JSON permits nothing', () => {
    expect(decide({ ...network, name: () => 1 }, request).allowed).toBe(false)
    // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
    for (const wrong of [undefined, null, 7, []] as any[]) expect(() => decide(wrong, request)).toThrow(TypeError)
  })

  test('later changes of an object have no effect', () => {
    const document = structuredClone(network)
    const policy = compile(document)
    document.permissions.network.allowed_hosts.length = 0
    expect(policy.allows(request)).toBe(true)
  })
})

describe('requests', () => {
  test.each([
    [undefined, TypeError, 'request: expected an object, got undefined'],
    [[], TypeError, 'request: expected an object, got an array'],
    [{}, TypeError, 'request.domain: expected network, '],
    [{ domain: 'net' }, RangeError, 'or tool, got "net"'],
    [{ domain: 'constructor' }, RangeError, 'or tool, got "constructor"'],
    [{ domain: ['network'], host: 'a.example' }, TypeError, 'or tool, got an array'],
    [{ ...request, adress: '10.0.0.1' }, TypeError, "protocol or address, got 'adress'; did you mean address?"],
    [{ domain: 'network', hots: 'a.example' }, TypeError, "got 'hots'; did you mean host?"],
    [{ ...request, path: '/' }, TypeError, "request: expected domain, host, port, protocol or address, got 'path'"],
    [JSON.parse('{"domain": "environment", "variable": "A", "__proto__": 1}'), TypeError, "got '__proto__'"],
    [{ domain: 'tool', name: 'a', confirm: true }, TypeError, 'did you mean confirmed?'],
    [Object.create({ domain: 'tool', name: 'a', x: 1 }), TypeError, "got 'x'"],
    [{ domain: 'network' }, TypeError, 'request.host: expected a string, got undefined'],
    [{ ...request, port: '443' }, TypeError, 'request.port: expected a number, got string'],
    [{ ...request, port: -1 }, RangeError, 'request.port: expected an integer from 1 to 65535, got -1'],
    [{ ...request, port: 0 }, RangeError, 'got 0'],
    [{ ...request, port: 1.5 }, RangeError, 'got 1.5'],
    [{ ...request, port: Number.NaN }, RangeError, 'got NaN'],
    [{ ...request, protocol: 1 }, TypeError, 'request.protocol'],
    [{ ...request, address: null }, TypeError, 'request.address: expected a string, got null'],
    [{ domain: 'filesystem', path: '/a' }, TypeError, 'request.access: expected read, write or read_write'],
    [{ domain: 'filesystem', path: '/a', access: 'execute' }, RangeError, 'got "execute"'],
    [{ domain: 'environment' }, TypeError, 'request.variable'],
    [{ domain: 'execution', command: ['ls'] }, TypeError, 'request.command: expected a string, got an array'],
    [{ domain: 'execution', command: 'ls', shell: 1 }, TypeError, 'request.shell'],
    [{ domain: 'resource' }, TypeError, 'request: expected one of memoryMb, '],
    [{ domain: 'resource', memoryMb: '1' }, TypeError, 'request.memoryMb'],
    [{ domain: 'resource', memoryMb: -1 }, RangeError, 'request.memoryMb: expected a number from 0 on, got -1'],
    [{ domain: 'resource', cpuPercent: Number.POSITIVE_INFINITY }, RangeError, 'got Infinity'],
    [{ domain: 'tool', name: 'x', confirmed: 'yes' }, TypeError, 'request.confirmed'],
  ])('%j', (wrong, error, message) => {
    expect(() => ask(wrong)).toThrow(error)
    expect(() => ask(wrong)).toThrow(message)
    // Even if the document refuses everything.
    expect(() => compile('[').decide(wrong as never)).toThrow(error)
  })
})

test.each([{ windows: 1 }, { caseInsensitive: 'yes' }, { now: 0 }, { now: new Date('x') }, { proof: true }])(
  'options: %j',
  (wrong) => expect(() => compile(network, wrong as never)).toThrow(TypeError),
)

describe('proofs', () => {
  const signed = { ...network, security: { attestation: { signature: {} } } }

  test.each([
    [network, undefined, true],
    [network, 'unverifiable', true],
    [network, 'failed', false],
    [signed, undefined, false],
    [signed, 'unverifiable', false],
    [signed, 'failed', false],
    [signed, 'verified', true],
  ] as const)('[adl/9.1-1] %j with %s', (document, verdict, allowed) => {
    const options = verdict && { proof: { verdict } }
    expect(decide(document, request, options).allowed).toBe(allowed)
  })

  test('[adl/18.11-1] an unsigned document permits nothing when an author is expected: removing a signature opens nothing', async () => {
    const [key, other] = [await generateKey(), await generateKey()]
    const agent = { adl_spec: '0.1.0', name: 'S', description: 'x', version: '1.0.0', ...network }
    const { bytes } = await sign(JSON.stringify(agent), key)
    const { security: _, ...stripped } = JSON.parse(new TextDecoder().decode(bytes))
    const allowed = async (document: Source, expect: NonNullable<VerifyOptions['expect']>) =>
      decide(document, request, { proof: await verify(document, { expect }) }).allowed
    expect(await allowed(bytes!, { keys: [key.publicKey] })).toBe(true)
    expect(await allowed(bytes!, { keys: [other.publicKey] })).toBe(false)
    expect(await allowed(stripped, { keys: [key.publicKey] })).toBe(false)
    expect(await allowed({ ...stripped, id: 'https://acme.example/a' }, { provider: 'acme.example' })).toBe(false)
    expect(await allowed(stripped, {}), 'nobody asked whose it is').toBe(true)
  })
})

test('[adl/18.12-3] a policy ends at the sunset date, even if it was compiled before', () => {
  const sunset_date = new Date(Date.now() - 1000).toISOString()
  const document = { ...network, lifecycle: { status: 'deprecated', sunset_date } }
  expect(compile(document, { now: new Date(Date.now() - 5000) }).allows(request)).toBe(true)
  expect(compile(document).allows(request)).toBe(false)
  const leap = { ...network, lifecycle: { status: 'deprecated', sunset_date: '2016-12-31t23:59:60z' } }
  expect(compile(leap, { now: new Date('2016-12-31T23:00:00Z') }).allows(request)).toBe(true)
  expect(compile(leap, { now: new Date('2017-01-01T00:00:00Z') }).allows(request)).toBe(false)
})

describe('[adl/18.12-1] hostile requests are denied quickly', () => {
  const all = compile({
    permissions: {
      network: { allowed_hosts: ['*'] },
      filesystem: { allowed_paths: [{ path: '/**', access: 'read' }] },
      environment: { allowed_variables: ['*'] },
      execution: { allowed_commands: ['*'] },
    },
  })
  const long = 1_000_000
  test.each([
    ['a host', { domain: 'network', host: 'a'.repeat(long) }],
    ['labels', { domain: 'network', host: 'a.'.repeat(long) }],
    ['colons', { domain: 'network', host: ':'.repeat(long) }],
    ['a path', { domain: 'filesystem', path: '/a'.repeat(long), access: 'read' }],
    ['parents', { domain: 'filesystem', path: '/..'.repeat(long), access: 'read' }],
    ['a variable', { domain: 'environment', variable: 'A'.repeat(long) }],
    ['a command', { domain: 'execution', command: 'a '.repeat(long) }],
  ] as const)('%s', (_, hostile) => {
    const start = processorTime()
    expect(all.allows(hostile)).toBe(false)
    expect(processorTime() - start).toBeLessThan(1000)
  })

  test('trailing dots in Windows names, and patterns designed to be slow', () => {
    const start = processorTime()
    const windows = compile(
      { permissions: { filesystem: { allowed_paths: [{ path: 'c:/**', access: 'read' }] } } },
      { windows: true },
    )
    expect(windows.allows({ domain: 'filesystem', path: `c:/${'. '.repeat(16_000)}x`, access: 'read' })).toBe(true)
    expect(windows.allows({ domain: 'execution', command: `${'. '.repeat(16_000)}x` })).toBe(false)
    const pattern = `/${'**/*a*a*a*b/'.repeat(20)}c`
    const path = `/${`${'a'.repeat(200)}/`.repeat(150)}`
    const slow = compile({
      permissions: {
        filesystem: { allowed_paths: [{ path: '/**', access: 'read' }], denied_paths: Array(500).fill(pattern) },
      },
    })
    slow.allows({ domain: 'filesystem', path, access: 'read' })
    expect(processorTime() - start).toBeLessThan(10_000)
  })
})
