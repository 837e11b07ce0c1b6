// Every verb treats an unreadable document alike: diagnostics give the reason, nothing is allowed, and nothing is
// thrown.
import { describe, expect, it, test } from 'vitest'
import * as adl from '../../bindings/adl/index.ts'
import type { Source } from '../../bindings/frame/source.ts'
import type { Diagnostic } from '../../bindings/index.ts'
import { generateKey } from '../../bindings/keys/index.ts'

const KEY = await generateKey('Ed25519')
const REQUEST = { domain: 'environment', variable: 'A' } as const
const GRANTING = '{"adl_spec": "0.1.0", "permissions": {"environment": {"allowed_variables": ["A"]}}}'

interface Ended {
  readonly diagnostics: readonly Diagnostic[]
}

/** The result of every verb, and whether it allows anything. */
const VERBS: Readonly<Record<string, (source: Source) => readonly [Ended, lets: unknown]>> = {
  validate: (source) => [adl.validate(source), adl.validate(source).valid],
  compile: (source) => {
    const policy = adl.compile(source)
    return [policy, policy.allows(REQUEST)]
  },
  decide: (source) => [adl.decide(source, REQUEST), adl.decide(source, REQUEST).allowed],
  grants: (source) => [adl.grants(source), adl.grants(source).rows.some(({ effect }) => effect === 'allow')],
  'diff, as the new one': (source) => [
    adl.diff(GRANTING, source),
    adl.diff(GRANTING, source).changes[0]?.breaking !== true,
  ],
  'diff, as the old one': (source) => [
    adl.diff(source, GRANTING),
    adl.diff(source, GRANTING).changes[0]?.breaking !== true,
  ],
  checkVersion: (source) => [adl.checkVersion(GRANTING, source), adl.checkVersion(GRANTING, source).enough],
  renderPrompt: (source) => [adl.renderPrompt(source), adl.renderPrompt(source).text !== undefined],
  mayProvision: (source) => [adl.mayProvision(source), adl.mayProvision(source).allowed],
  mayPublish: (source) => [adl.mayPublish(source), adl.mayPublish(source).allowed],
  runtimePolicy: (source) => {
    const policy = adl.runtimePolicy(source)
    return [policy, policy.checkInput('a').accepted || policy.checkOutput('a').accepted]
  },
  compileTools: (source) => {
    const tools = adl.compileTools(source)
    return [tools, tools.checkInput('a', {}).valid || tools.checkOutput('a', {}).valid]
  },
  review: (source) => [adl.review(source), adl.review(source).publishable],
  publicCopy: (source) => [adl.publicCopy(source), adl.publicCopy(source).document !== undefined],
  redact: (source) => [adl.redact(source), adl.redact(source).document !== undefined],
  approve: (source) => [adl.approve(source), adl.approve(source).entry !== undefined],
}

/** Verbs that return a list of discrepancies. For a readable document the list has only those. */
const LISTS: typeof VERBS = {
  checkInventory: (source) => [{ diagnostics: adl.checkInventory({ version: 1, agents: [] }, source) }, false],
  checkMediaType: (source) => [{ diagnostics: adl.checkMediaType(source, 'application/adl+json') }, false],
}

const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

const UNREADABLE: readonly (readonly [name: string, source: Source, code: string])[] = [
  ['text that is not valid JSON', '{"name": ', 'ADL-1001'],
  ['a duplicate name', '{"name": "A", "name": "B"}', 'ADL-1001'],
  ['a root that is not an object', '[]', 'ADL-1002'],
  ['more levels than ADL 18.5 allows', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'DOC-113'],
  ['an object that contains itself', cyclic, 'DOC-176'],
  ['an object with a value that JSON does not have', { name: new Map() }, 'DOC-177'],
]

describe.each(Object.entries({ ...VERBS, ...LISTS }))('%s', (_, verb) => {
  it.each(UNREADABLE)('allows nothing with %s, and gives the reason', (_, source, code) => {
    const [{ diagnostics }, lets] = verb(source)
    expect(lets).toBe(false)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    expect([...new Set(errors.map((error) => error.code))]).toEqual([code])
  })

  it('accepts text, bytes and objects', () => {
    const value = JSON.parse(GRANTING) as Source
    const bytes = new TextEncoder().encode(GRANTING)
    const codes = (source: Source) => verb(source)[0].diagnostics.map((diagnostic) => diagnostic.code)
    expect([codes(bytes), codes(value)]).toEqual([codes(GRANTING), codes(GRANTING)])
  })

  it.each([7, null, undefined, []])('refuses %s, which is not a source', (source) => {
    expect(() => verb(source as never)).toThrow(TypeError)
  })
})

test.each(Object.entries(VERBS))('%s reports the warnings of reading', (_, verb) => {
  expect(verb(`\ufeff${GRANTING}`)[0].diagnostics.map(({ code }) => code)).toContain('DOC-105')
})

test('an object is signed with the values that it has', async () => {
  const { bytes } = await adl.sign({ adl_spec: '0.1.0', name: 'A' }, KEY, { force: true })
  const value = JSON.parse(new TextDecoder().decode(bytes)) as Source
  expect((await adl.verify(value, { expect: { keys: [KEY.publicKey] } })).verdict).toBe('verified')
  const changed = { ...(value as object), name: 'B' }
  expect((await adl.verify(changed, { expect: { keys: [KEY.publicKey] } })).verdict).toBe('failed')
})
