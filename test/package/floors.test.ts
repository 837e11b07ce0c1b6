import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { floors } from '../../scripts/floors.mjs'

const root = mkdtempSync(join(tmpdir(), 'floors-'))
afterAll(() => rmSync(root, { recursive: true }))

function problemsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const house = mkdtempSync(join(root, 'house-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(house, path)), { recursive: true })
    writeFileSync(join(house, path), text)
  }
  return floors(house)
}

describe('the check of the floors', () => {
  it('finds nothing in the house as it stands', () => {
    expect(floors()).toEqual([])
  })

  it('passes imports that point down', () => {
    expect(problemsOf({ 'bindings/adl/a.ts': "import { b } from '../text/b.ts'\nexport const a = b\n" })).toEqual([])
  })

  it.each([
    ['of a value', "import { a } from '../adl/a.ts'\n"],
    ['of a type', "import type { A } from '../adl/a.ts'\n"],
    ['of a type within a type', "export type B = import('../adl/a.ts').A\n"],
    ['at run time', "export const load = () => import('../adl/a.ts')\n"],
    ['of an export passed on', "export { a } from '../adl/a.ts'\n"],
    ['over several lines', "import {\n  a,\n} from '../adl/a.ts'\n"],
  ])('refuses one that points up, %s', (_, text) => {
    expect(problemsOf({ 'bindings/text/b.ts': text })).toEqual([
      'bindings/text/b.ts: imports bindings/adl/a.ts, which is above it',
    ])
  })

  it('refuses one that points to a room beside', () => {
    expect(problemsOf({ 'bindings/card/b.ts': "import '../adl/a.ts'\n" })).toEqual([
      'bindings/card/b.ts: imports bindings/adl/a.ts, which is beside it',
    ])
  })

  it.each([
    ['in one room of the Worker', 'edge/http/a.ts', 'edge/http/b.ts'],
    ['in one room of the library', 'bindings/text/a.ts', 'bindings/text/b.ts'],
  ])('refuses two files that import each other, %s', (_, a, b) => {
    const files = { [a]: "import type { B } from './b.ts'\n", [b]: "import type { A } from './a.ts'\n" }
    expect(problemsOf(files)).toEqual([`${a} -> ${b} -> ${a}: a circle of imports`])
  })

  it('refuses a room of the Worker that imports the room above it', () => {
    expect(problemsOf({ 'edge/http/a.ts': "import '../agents/b.ts'\n" })).toEqual([
      'edge/http/a.ts: imports edge/agents/b.ts, which is above it',
    ])
  })

  it('refuses a room that nobody knows', () => {
    expect(problemsOf({ 'bindings/attic/b.ts': '' })).toHaveLength(1)
  })
})
