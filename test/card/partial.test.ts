import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { disclose, partial as partialCard } from '../../bindings/card/disclosure.ts'
import { describeAll } from '../../bindings/card/templates.ts'
import { verify } from '../../bindings/card/verbs.ts'
import { cuts, withEdits } from '../../bindings/document/edit.ts'
import { parse } from '../../bindings/document/parse.ts'
import { processorTime } from '../support/effort.ts'
import { EXAMPLE, KEY_ID, outcomes, signedCard } from './support.ts'

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const value = (part: { bytes: Uint8Array | undefined }) => JSON.parse(text(part.bytes))

describe('[card/4.1-30] partialCard', () => {
  test('returns the requested members with id and name, without the signature, marked as partial', async () => {
    const card = await signedCard()
    const part = partialCard(card, { fields: ['skills', 'tools', 'nothing', 'signature'] })
    expect(value(part)).toEqual({ id: EXAMPLE.id, name: EXAMPLE.name, skills: EXAMPLE.skills, tools: EXAMPLE.tools })
    expect(part.partial).toBe(true)
    expect(value(partialCard(card, { fields: [] }))).toEqual({ id: EXAMPLE.id, name: EXAMPLE.name })
    expect((await verify(part.bytes!, { partial: part.partial })).verdict).toBe('unverifiable')
  })

  test('does not mark the whole card as partial, and keeps its signature', async () => {
    const card = await signedCard()
    for (const fields of [undefined, Object.keys(JSON.parse(card))]) {
      expect(partialCard(card, { fields })).toMatchObject({ partial: false, diagnostics: [] })
      expect(text(partialCard(card, { fields }).bytes)).toBe(card)
    }
    expect(partialCard('{"id":"agent://a","name":"A"}', { fields: [] }).partial).toBe(false)
  })

  test('keeps digits and spelling', () => {
    const card = '{ "seq": 18446744073709551615, "x": 1,\n "id": "agent://a", "name": "\\u0041", "n": 1.50 }'
    expect(text(partialCard(card, { fields: ['seq', 'n'] }).bytes)).toBe(
      '{ "seq": 18446744073709551615,\n "id": "agent://a", "name": "\\u0041", "n": 1.50 }',
    )
    expect(
      text(partialCard('{"id":"agent://a","__proto__":1,"name":"A"}', { fields: ['__proto__', 'x'] }).bytes),
    ).toContain('__proto__')
  })

  test('refuses input that is not a card, and throws for wrong arguments', () => {
    expect(partialCard('[]', { fields: [] })).toMatchObject({
      document: undefined,
      diagnostics: [{ code: 'CARD-101' }],
    })
    expect(() => partialCard('{}', { fields: 'tools' as never })).toThrow('fields: expected an array of strings')
    expect(() => partialCard('{}', { fields: [1] as never })).toThrow(TypeError)
  })
})

test('cutting children out of containers gives the same result as filtering the value', () => {
  const json = fc.json({ maxDepth: 1 }).filter((source) => /^[[{]/.test(source))
  fc.assert(
    fc.property(json, fc.array(fc.boolean(), { minLength: 1 }), fc.boolean(), (source, pattern, pretty) => {
      const parsed = JSON.parse(source)
      const { document } = parse(pretty ? JSON.stringify(parsed, null, 2) : source)
      if (document === undefined) return
      const stays = (i: number) => pattern[i % pattern.length]!
      const expected = Array.isArray(parsed)
        ? parsed.filter((_, i) => stays(i))
        : Object.fromEntries(
            document.tape.children(0).flatMap((name, i) => {
              const key = document.tape.text(name)
              return stays(i) ? [[key, parsed[key]]] : []
            }),
          )
      const edited = withEdits(
        document,
        cuts(document, 0, (_, i) => stays(i)),
      )
      expect(JSON.parse(text(edited.bytes))).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

describe('[card/7.2-1] [card/7.5-1] disclose', () => {
  const tools = ['translate', 'admin.reset', 'glossary'].map((name) => ({ name }))
  const card = {
    id: 'agent://a',
    name: 'A',
    tools,
    endpoints: [
      { protocol: 'aitp', uri: 'agent://a', methods: ['admin.reset', 'translate'] },
      { protocol: 'ws', uri: 'wss://a.example/admin', methods: ['admin.reset'] },
      { protocol: 'http+json', uri: 'https://a.example' },
    ],
    seq: 3,
    signature: 'x',
  }
  const policy: readonly disclose.Rule[] = [
    { to: ['agent://auditor'], show: 'whole' },
    { to: (caller) => caller?.startsWith('agent://blocked/') ?? false, show: 'nothing' },
    { to: 'known', show: { hideTools: ['admin.reset'] } },
    { to: 'anyone', show: { fields: ['tools', 'seq'], hideTools: ['admin.reset', 'glossary'] } },
  ]
  const seen = (caller: string | undefined, rules = policy) => disclose(JSON.stringify(card), rules, { caller })

  it('applies the first rule that matches the caller', () => {
    expect(seen('agent://auditor')).toMatchObject({ partial: false, refused: false })
    expect(value(seen('agent://auditor'))).toEqual(card)
    expect(seen('agent://blocked/1')).toEqual({
      document: undefined,
      bytes: undefined,
      diagnostics: [],
      partial: false,
      refused: true,
    })
    expect(seen(undefined).partial).toBe(true)
    expect(value(seen(undefined))).toEqual({ id: 'agent://a', name: 'A', tools: [{ name: 'translate' }], seq: 3 })
  })

  it('removes hidden tools everywhere, including the methods of endpoints', () => {
    const shown = seen('agent://b')
    expect(value(shown)).toEqual({
      id: 'agent://a',
      name: 'A',
      tools: [{ name: 'translate' }, { name: 'glossary' }],
      endpoints: [{ protocol: 'aitp', uri: 'agent://a', methods: ['translate'] }, card.endpoints[2]],
      seq: 3,
    })
    expect(text(shown.bytes)).not.toContain('admin')
  })

  it('shows id and name to a caller that matches no rule, and the whole card if nothing is hidden', () => {
    expect(value(seen('agent://b', []))).toEqual({ id: 'agent://a', name: 'A' })
    const all = seen(undefined, [{ to: 'anyone', show: { hideTools: ['none'] } }])
    expect([all.partial, value(all)]).toEqual([false, card])
    const none = seen(undefined, [{ to: 'anyone', show: { hideTools: tools.map(({ name }) => name) } }])
    expect(value(none)).toEqual({ id: 'agent://a', name: 'A', tools: [], endpoints: [card.endpoints[2]], seq: 3 })
  })

  it.each([
    '{"id":"agent://a","name":"A","tools":{"name":"t"},"endpoints":[7,null,{"methods":"t"},{"methods":[1,"t"]}]}',
    '{"id":"agent://a","name":"A","tools":["t",{"name":7},{"name":["t"]}],"endpoints":{}}',
    '{"tools":[],"endpoints":[[]],"name":{}}',
    '{}',
  ])('handles odd cards: %s', (odd) => {
    const shown = disclose(odd, [{ to: 'anyone', show: { hideTools: ['t'] } }], undefined)
    expect(shown.document).toBeDefined()
  })

  it('filters many endpoints in time', () => {
    const endpoints = Array.from({ length: 20_000 }, () => ({ methods: ['a', 'b'] }))
    const start = processorTime()
    const shown = disclose(
      JSON.stringify({ ...card, endpoints }),
      [{ to: 'anyone', show: { hideTools: ['a'] } }],
      undefined,
    )
    expect(processorTime() - start).toBeLessThan(3000)
    expect(value(shown).endpoints[19_999]).toEqual({ methods: ['b'] })
  })

  it('throws for wrong policies', () => {
    expect(() => seen('x', {} as never)).toThrow('policy: expected an array of rules')
    expect(() => seen('x', [{ to: 'all', show: 'whole' } as never])).toThrow('policy[0].to: expected anyone')
  })
})

describe('[card/7.6-3] describeAll', () => {
  const asked: string[][] = []
  /** An agent that answers exactly as section 4.1 says. */
  const agent = (card: string) => async (fields: readonly string[]) => {
    asked.push([...fields])
    const whole = JSON.parse(card)
    return JSON.stringify(
      Object.fromEntries(['id', 'name', ...fields].flatMap((f) => (f in whole ? [[f, whole[f]]] : []))),
    )
  }

  test('assembles the parts and verifies the whole card', async () => {
    const card = await signedCard({ id: KEY_ID, did: undefined, extensions: { 'x.y': { n: 1.5 } } })
    const { document, proof, diagnostics } = await describeAll(agent(card))
    expect(document!.value).toEqual(JSON.parse(card))
    expect([proof!.verdict, diagnostics]).toEqual(['verified', []])
    expect(asked.every((fields) => fields.includes('seq'))).toBe(true)
  })

  test('verifies a card only if all members came, with the signature inside or next to the part', async () => {
    const card = await signedCard({ id: KEY_ID, did: undefined, other: 7 })
    expect((await describeAll(async () => card)).proof!.verdict).toBe('verified')
    const { signature } = JSON.parse(card)
    const beside = async (fields: readonly string[]) => ({ card: partialCard(card, { fields }).document!, signature })
    const { proof } = await describeAll(beside, { others: ['other'] })
    expect(proof!.verdict).toBe('verified')
    expect((await describeAll(beside)).proof!.verdict).toBe('failed')
    const without = await describeAll(async (fields) => partialCard(card, { fields }).document!)
    expect([without.proof!.verdict, outcomes(without.proof!)['signature']]).toEqual(['unverifiable', 'unknown'])
  })

  test('fetches a card again if it changes between two calls, at most three times', async () => {
    const cards = await Promise.all([1, 2].map((seq) => signedCard({ id: KEY_ID, did: undefined, seq })))
    let calls = 0
    const once = (fields: readonly string[]) => agent(cards[calls++ < 2 ? 0 : 1]!)(fields)
    expect((await describeAll(once)).document!.value).toMatchObject({ seq: 2 })
    let turn = 0
    const never = (fields: readonly string[]) => agent(cards[turn++ % 2]!)(fields)
    const { document, diagnostics } = await describeAll(never)
    expect([document, diagnostics[0]!.code, turn]).toEqual([undefined, 'CARD-162', 6])
    const other = await signedCard({ did: undefined })
    let answered = 0
    const swapped = (fields: readonly string[]) => agent(answered++ === 0 ? cards[0]! : other)(fields)
    expect((await describeAll(swapped, { attempts: 1 })).diagnostics[0]!.code).toBe('CARD-162')
  })

  test('handles answers that are not cards', async () => {
    expect(await describeAll(async () => '[')).toMatchObject({ document: undefined, proof: undefined })
    await expect(describeAll(() => Promise.reject(new Error('BUSY')))).rejects.toThrow('BUSY')
    await expect(describeAll('x' as never)).rejects.toThrow('describe: expected a function')
  })
})
