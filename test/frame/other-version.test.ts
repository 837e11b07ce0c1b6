// A document that names a version which Blazon does not judge: every verb says so, with the finding of `validate`.
import { describe, expect, test } from 'vitest'
import { sign as signCard } from '../../bindings/a2a/index.ts'
import { sign as signDefinition } from '../../bindings/adl/index.ts'
import { convert, validate, verify } from '../../bindings/index.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import { link } from '../../bindings/runs/identity/link.ts'
import { CURRENT, OLDER } from '../a2a/samples.ts'
import { REVIEW } from '../runs/records.ts'

const KEY = await generateKey('Ed25519')
const DEFINITION = {
  adl_spec: '0.1.0',
  name: 'scout',
  description: 'Finds papers about agents.',
  version: '1.0.0',
  data_classification: { sensitivity: 'internal' },
}
const current = (...versions: readonly string[]) => ({
  ...CURRENT,
  supportedInterfaces: versions.map((protocolVersion) => ({
    url: 'https://a.example/a2a',
    protocolBinding: 'JSONRPC',
    protocolVersion,
  })),
})

type Sign = typeof signDefinition
type Case = readonly [name: string, document: object, sign: Sign, code: string | undefined, pointer: string | undefined]
const CASES: readonly Case[] = [
  ['ADL 0.1.0', DEFINITION, signDefinition, undefined, undefined],
  ['ADL 0.2.0', { ...DEFINITION, adl_spec: '0.2.0' }, signDefinition, 'ADL-2001', '/adl_spec'],
  ['ADL 1.0.0', { ...DEFINITION, adl_spec: '1.0.0' }, signDefinition, 'ADL-2001', '/adl_spec'],
  ['ADL 0.1.0-draft', { ...DEFINITION, adl_spec: '0.1.0-draft' }, signDefinition, 'ADL-2001', '/adl_spec'],
  ['A2A 1.0', current('1.0'), signCard, undefined, undefined],
  ['A2A 1.1', current('1.1'), signCard, undefined, undefined],
  ['A2A 1.0 and 2.0', current('2.0', '1.0'), signCard, undefined, undefined],
  ['A2A 2.0', current('2.0'), signCard, 'CARD-186', '/supportedInterfaces/0/protocolVersion'],
  ['A2A 0.3.0', { ...OLDER, protocolVersion: '0.3.0' }, signCard, undefined, undefined],
  ['A2A 0.2.5', { ...OLDER, protocolVersion: '0.2.5' }, signCard, 'CARD-186', '/protocolVersion'],
]

describe.each(CASES)('%s', (_, document, sign, code, pointer) => {
  const ofVersion = (found: readonly { readonly code: string; readonly source: { readonly pointer?: string } }[]) =>
    found.filter((one) => /ADL-2001|CARD-186/.test(one.code) && one.source.pointer === (pointer ?? one.source.pointer))
  test('validate, verify and convert agree about the version', async () => {
    const { bytes } = await sign(JSON.stringify(document), KEY, { force: true })
    const wanted = code === undefined ? 0 : 1
    expect(ofVersion(validate(bytes!).diagnostics)).toHaveLength(wanted)
    const { verdict, steps } = await verify(bytes!, { expect: { keys: [KEY.publicKey] } })
    expect(verdict).toBe('verified')
    const found = ofVersion(steps.flatMap(({ diagnostic }) => diagnostic ?? []))
    expect(found).toHaveLength(wanted)
    expect(steps.filter(({ name, outcome }) => name === 'document' && outcome === 'warning')).toHaveLength(wanted)
    const made = convert(bytes!, { to: 'card', id: 'agent://scout' })
    expect(made.document).toBeDefined()
    expect(ofVersion(made.diagnostics)).toHaveLength(wanted)
    expect(made.diagnostics.every(({ severity }) => severity !== 'error')).toBe(true)
  })
})

test('a run record of adp-2 is linked with a warning about its version', async () => {
  const codes = async (version: string) =>
    (await link({ ...REVIEW, version })).steps.flatMap(({ diagnostic }) => diagnostic?.code ?? [])
  expect(await codes('adp-2')).toContain('RUN-107')
  expect(await codes('adp-1')).not.toContain('RUN-107')
})

const BUNDLE = (protocolVersion: string) => ({
  initialize: { protocolVersion, capabilities: {}, serverInfo: { name: 'x', version: '1.0.0' } },
})
const RECORD = (schema_version: string) => ({ schema_version, name: 'x', version: 'v1', skills: [] })
const SERVER = (version: string) => ({
  $schema: `https://static.modelcontextprotocol.io/schemas/${version}/server-card.schema.json`,
  name: 'com.example/x',
  description: 'd',
  version: '1.0.0',
  remotes: [{ type: 'streamable-http', url: 'https://a.example/mcp' }],
})

test.each([
  ['MCP of a later date', BUNDLE('2027-01-01'), ['BADL-198']],
  ['MCP of an earlier date', BUNDLE('2024-11-05'), []],
  ['OASF 2', RECORD('2.0.0'), ['BADL-198']],
  ['OASF 1', RECORD('1.1.0'), []],
  ['a server card of a later version', SERVER('v2'), ['SRV-110']],
  ['a server card', SERVER('v1'), []],
])('convert reports the version of %s', (_, document, codes) => {
  const { diagnostics } = convert(document, { to: 'card', id: 'agent://x' })
  expect(diagnostics.map(({ code }) => code).filter((code) => /198|110/.test(code))).toEqual(codes)
})
