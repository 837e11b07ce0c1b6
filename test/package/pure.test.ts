import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { markPure } from '../../scripts/bundler.mjs'

/** What a bundler leaves of the module when `used` alone is imported. */
async function left(text: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: "export { used } from 'module'" },
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [
      {
        name: 'module',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^module$/ }, () => ({ path: 'module', namespace: 'given' }))
          onLoad({ filter: /.*/, namespace: 'given' }, () => ({ loader: 'ts', contents: markPure('module.ts', text) }))
        },
      },
    ],
  })
  return outputFiles[0]!.text
}

describe('the mark of what has no effects', () => {
  it.each([
    ['a call', 'const other = make()'],
    ['what is made new', 'const other = new Thing(1)'],
    ['what is called of a member', "const other = Object.freeze({ a: 'b' })"],
    ['a property that is read', 'const other = table.a'],
    ['what is spread', 'const other = [...list, 1]'],
    ['an object of calls', 'const other = { a: make(), b: { c: make() } }'],
    ['a sum', 'const other = table.a + 1'],
    ['a type beside it', 'const other = make() as unknown as Readonly<Record<string, number>>'],
    ['a template', 'const other = make`text`'],
    ['several at once', 'const first = make(), other = make(first)'],
    ['what may change', 'export let other = make()'],
    ['members of an object', 'const { e, f: other } = table.g ?? list'],
    ['items of a list', 'const [first, other] = [1, make()] as const'],
    ['one that another needs', 'const first = make()\nexport const other = make(first)'],
  ])('lets go of %s', async (_, text) => {
    const module = `declare const make: any, table: any, list: any, Thing: any\nexport const used = 1\n${text}\n`
    expect(await left(module)).not.toMatch(/make|Thing|freeze|table|list/)
  })

  it('keeps what is used, with what that needs', async () => {
    const text = 'const base = new Map([[1, 2]])\nconst other = new Map(base)\nexport const used = [...base, 3]\n'
    const { used } = await import(`data:text/javascript,${encodeURIComponent(await left(text))}`)
    expect(used).toEqual([[1, 2], 3])
    expect(await left(text)).not.toContain('other')
  })

  it('changes no value', async () => {
    const text = [
      "export const object = { a: 1, ['b']: () => object.a }",
      'export const sum = object.a + object.b(), list = [sum, ...[3]]',
      'export let count = list.length',
      'export const text = String(count) + sum // a comment after it',
      'export const { a, b: method } = object, [one, two] = [object.a, [object.a]]',
      'export const [three, , four = 4] = [3, 0], { x = 5, ...rest } = { y: 6 }',
    ].join('\n')
    const made = await import(`data:text/javascript,${encodeURIComponent(markPure('module.js', text))}`)
    expect([made.object.b(), made.method(), made.a]).toEqual([1, 1, 1])
    expect(made).toMatchObject({ sum: 2, list: [2, 3], count: 2, text: '22' })
    expect(made).toMatchObject({ one: 1, two: [1], three: 3, four: 4, x: 5, rest: { y: 6 } })
  })

  it.each(['register()', 'for (const a of list) table.push(a)', "import './other.ts'"])(
    'refuses a module that does something when it is loaded: %s',
    (text) => {
      expect(() => markPure('module.ts', text)).toThrow(/^module\.ts: an effect at the top level: /)
    },
  )
})
