// Agent Cards as bytes: which members are indexed, and which faults are reported.
import { beforeAll, describe, expect, test } from 'vitest'
import { createIndex, loadIndex, type SearchIndex } from '../../bindings/core/index-search.ts'
import { BASELINE } from '../support/builds.ts'
import { cardIndex } from '../support/card-index.ts'
import { agree } from './compare.ts'
import { drawing } from './draw.ts'
import { Oracle } from './oracle.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const bytes = (card: unknown) => encode(JSON.stringify(card))

/** The bits of `indexOpen`. */
const MEMBERS = { name: 1, description: 2, skills: 4, tools: 8 }
type TextMember = keyof typeof MEMBERS

interface Card {
  id: string
  name: string
  description?: string
  skills?: string[]
  tools?: { name?: string; description?: string; inputSchema?: unknown }[]
}

function textOf({ name, description, skills = [], tools = [] }: Card, members: readonly TextMember[]): string {
  const parts = {
    name: [name],
    description: [description],
    skills,
    tools: tools.flatMap((tool) => [tool.name, tool.description]),
  }
  return members.flatMap((member) => parts[member]).join(' ')
}

/** Spells a text at random, with escapes that JSON.parse undoes. */
function spell(text: string, chance: (p: number) => boolean): string {
  const escaped = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
  const spelled = Array.from(text, (c) => (c.length === 1 && chance(0.2) ? escaped(c) : JSON.stringify(c).slice(1, -1)))
  return `"${spelled.join('')}"`
}

describe('the build without SIMD', () => {
  beforeAll(BASELINE.use)

  test.each<[TextMember[] | undefined]>([
    [undefined],
    [['name', 'description', 'skills', 'tools']],
    [['tools']],
    [['name']],
    [[]],
  ])('[card/5-4] [card/3.1-1] random cards with the text members %j', (members) => {
    const draw = drawing((members ?? ['-']).join().length)
    const bits = members?.reduce((sum, member) => sum | MEMBERS[member], 0)
    const { index, add } = cardIndex(createIndex, bits)
    const oracle = new Oracle()
    for (let n = 0; n < 300; n++) {
      const card: Card = {
        id: draw.id(40),
        name: draw.text(3),
        ...(draw.chance(0.8) && { description: draw.text(20) }),
        ...(draw.chance(0.8) && { skills: draw.several(5, draw.tag) }),
        ...(draw.chance(0.6) && {
          tools: draw.several(3, () => ({
            ...(draw.chance(0.8) && { name: draw.text(2) }),
            inputSchema: { description: 'none of the card' },
            ...(draw.chance(0.8) && { description: draw.text(4) }),
          })),
        }),
      }
      // Members that the index does not use must not matter, wherever they are and whatever their names.
      const members_ = Object.entries({ x: [{ id: 1, skills: 2 }], ...card, description2: 'none', descriptioX: 'x' })
      const order = members_.sort(() => draw.below(3) - 1)
      const source = order.map(([key, value]) => `${spell(key, draw.chance)}: ${respell(value, draw.chance)}`)
      const signals = draw.signals()
      const replaced = oracle.ids.includes(card.id)
      expect(add(encode(`{${source.join(', ')}}`), signals)).toEqual({ ok: true, replaced })
      const text = textOf(card, members ?? ['description', 'skills'])
      oracle.add({ id: card.id, tags: card.skills ?? [], text }, signals)
      if (n % 3 === 0) agree(index, oracle, draw.query())
    }
  })

  const ID = '"id":"agent://a"'
  const RANK = { type: -60, id: -61, tag: -62, tags: -63, large: -64 }
  test.each<[name: string, card: string, code: number, offset: number]>([
    ['no object', '[]', RANK.type, 0],
    ['no object, behind a space', ' "x"', RANK.type, 1],
    ['no id', '{"name":"a"}', RANK.type, 0],
    ['an id that is no string', '{"id": 7}', RANK.type, 7],
    ['an empty id', '{"id":""}', RANK.id, 6],
    ['an id of 2,049 bytes', `{"id":"${'i'.repeat(2049)}"}`, RANK.id, 6],
    ['skills that are no array', `{${ID},"skills":"x"}`, RANK.type, 27],
    ['a skill that is no string', `{${ID},"skills":["x",null]}`, RANK.type, 32],
    ['a description that is no string', `{${ID},"description":{}}`, RANK.type, 32],
    ['a description that is null', `{${ID},"description":null}`, RANK.type, 32],
    ['a tag of 256 bytes', `{${ID},"skills":["${'t'.repeat(256)}"]}`, RANK.tag, 28],
    ['a tag of 17 levels', `{${ID},"skills":["${'/'.repeat(16)}"]}`, RANK.tag, 28],
    ['257 tags', `{${ID},"skills":[${'"x",'.repeat(256)}"y"]}`, RANK.tags, 28 + 4 * 256],
    ['65,536 bytes', `{${ID},"x":"${' '.repeat(65_536 - 24)}"}`, RANK.large, 65_535],
    ['no JSON', `{${ID},}`, -10, 18],
    ['nothing', '', -11, 0],
    ['a duplicate member', `{${ID},${ID}}`, -16, 18],
  ])('[card/7.6-1] %s leaves the index unchanged', (_name, card, code, offset) => {
    const { index, add } = filled()
    const before = seen(index)
    const outcome = add(encode(card), { reputation: 1 })
    expect(outcome).toMatchObject({ ok: false, fault: { code, offset } })
    expect(seen(index)).toEqual(before)
  })

  test('[card/7.6-1] accepts values at the limits', () => {
    const { index, add: addBytes } = cardIndex(createIndex)
    const add = (card: string) => expect(addBytes(encode(card))).toEqual({ ok: true, replaced: false })
    add(`{"id":"${'i'.repeat(2048)}"}`)
    add(`{"id":"t","skills":["${'t'.repeat(255)}"]}`)
    add(`{"id":"l","skills":["${'a/'.repeat(15)}b"]}`)
    add(`{"id":"n","skills":[${'"x",'.repeat(255)}"y"]}`)
    const open = '{"id":"s","description":"'
    add(`${open}${'x '.repeat((65_535 - open.length - 2) / 2)}"}`.padEnd(65_535))
    expect(index.query({ tags: ['t'.repeat(255)] }).map(({ id }) => id)).toEqual(['t'])
    expect(index.query({ tags: [`${'a/'.repeat(15)}b`] }).map(({ id }) => id)).toEqual(['l'])
    expect(index.query({ tags: ['a'] }).map(({ id }) => id)).toEqual(['l'])
    expect(index.query({ tags: ['y'] }).map(({ id }) => id)).toEqual(['n'])
    expect(index.query({ text: 'x' }).map(({ id }) => id)).toEqual(['s', 'n'])
    // Only the first 255 bytes of a longer word count.
    index.addRecord({ id: 'w', text: `${'W'.repeat(255)}1` })
    expect(index.query({ text: `${'w'.repeat(255)}22` }).map(({ id }) => id)).toEqual(['w'])
  })

  test('a fault in one of many cards is reported, and the others are indexed', () => {
    const { index, add } = cardIndex(createIndex)
    const outcomes = [add(bytes({ id: 'a' }), { rating: 1 }), add(bytes({})), add(bytes({ id: 'a' }))]
    expect(outcomes).toMatchObject([
      { ok: true, replaced: false },
      { ok: false, fault: { code: RANK.type, offset: 0 } },
      { ok: true, replaced: true },
    ])
    expect(index.query({})[0]?.factors.rating).toBe(1)
  })

  test('members with inherited names are ignored', () => {
    const { index, add } = cardIndex(createIndex)
    add(bytes({ id: 'agent://a' }))
    const tricky = '{"__proto__":{"skills":["y"]},"constructor":1,"id":"agent://a","skills":["x"]}'
    expect(add(encode(tricky))).toEqual({ ok: true, replaced: true })
    expect(index.query({ tags: ['__proto__', 'constructor', 'y'] })).toEqual([])
  })

  test('a loaded index keeps its text members', () => {
    const { index } = cardIndex(createIndex, MEMBERS.name | MEMBERS.tools)
    const copy = cardIndex(() => {
      const loaded = loadIndex(index.save())
      if (!loaded.ok) throw new Error(`fault ${loaded.fault.code}`)
      return loaded.index
    })
    expect(copy.add(bytes({ id: 'new', name: 'alpha', description: 'beta' }))).toEqual({ ok: true, replaced: false })
    const oracle = new Oracle()
    oracle.add({ id: 'new', text: 'alpha' })
    agree(copy.index, oracle, { text: 'alpha beta' })
  })

  test('signals out of range, and random bytes: a fault, never a trap', () => {
    const { index, add } = cardIndex(createIndex)
    expect(add(bytes({ id: 'a' }), { rating: 2 })).toMatchObject({ ok: false, fault: { code: -67 } })
    const { below, chance } = drawing(17)
    for (let n = 0; n < 3000; n++) {
      add(Uint8Array.from({ length: below(90) }, () => (chance(0.6) ? below(4) : below(256))))
    }
    const whole = encode('{"id":"agent://a","skills":["x\\u0041"],"description":"\\ud83d\\ude00 a"}')
    for (let at = 0; at < whole.length; at++) {
      expect(add(whole.slice(0, at)).ok).toBe(false)
      for (let bit = 0; bit < 8; bit++) add(whole.with(at, whole[at]! ^ (1 << bit)))
    }
    expect(index.query({})).toHaveLength(Math.min(index.size, 10))
  })
})

/** The JSON of a value, with its strings spelled at random. */
function respell(value: unknown, chance: (p: number) => boolean): string {
  if (typeof value === 'string') return spell(value, chance)
  if (Array.isArray(value)) return `[${value.map((item) => respell(item, chance)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value).map(([key, item]) => `${spell(key, chance)}:${respell(item, chance)}`)}}`
}

function filled() {
  const { index, add } = cardIndex(createIndex)
  add(bytes({ id: 'agent://a', skills: ['x', 'y/z'], description: 'the first of all' }), { reputation: 0.5 })
  add(bytes({ id: 'agent://b', skills: ['x'], description: 'the second' }))
  return { index, add }
}

function seen(index: SearchIndex) {
  const question = { tags: ['x', 'y', 't'], text: 'the first x t' }
  return [index.size, index.query(question), index.statistics(question), index.save()]
}
