// The table of kinds: for every document in the fixtures and of others, exactly one row matches or the order decides.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { read } from '../../bindings/document/read.ts'
import { fits, kindOfMembers } from '../../bindings/frame/detect.ts'
import { glance, glanceYaml } from '../../bindings/frame/open.ts'
import type { KindRow } from '../../bindings/kinds.ts'
import { KINDS } from '../../bindings/tables/kinds.ts'
import { isObject, type JsonObject } from '../../bindings/text/members.ts'
import { processorTime } from '../support/effort.ts'
import { SUITES } from '../support/suites.ts'

const ROWS: readonly KindRow[] = KINDS
const FOLDERS = ['fixtures', `${SUITES}/../data`].filter((folder) => existsSync(folder))

/**
 * Every object in a file that may be a document: the file itself, and the documents inside the fixtures of rules and
 * vectors.
 */
function* documentsIn(value: unknown): Generator<JsonObject> {
  if (Array.isArray(value)) for (const element of value) yield* documentsIn(element)
  else if (isObject(value)) {
    yield value
    for (const part of Object.values(value)) yield* documentsIn(part)
  }
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:json|ya?ml)$/.test(file))
    .map((file) => `${folder}/${file}`),
)
const parsed = files.flatMap((file) => read(readFileSync(file), { file }).document ?? [])

describe('the rows of the table', () => {
  test('exactly one matches each fixture, unless a declared order decides', () => {
    const undecided: string[] = []
    const seen = new Set<string>()
    for (const { file, value } of parsed) {
      for (const members of documentsIn(value)) {
        const [first, ...others] = ROWS.filter(({ tells }) => fits(tells, members))
        if (first === undefined) continue
        seen.add(first.kind)
        const unstated = others.filter(({ kind }) => !first.before?.includes(kind))
        if (unstated.length > 0) undecided.push(`${file}: ${first.kind}, ${unstated.map(({ kind }) => kind)}`)
      }
    }
    expect(undecided.slice(0, 5)).toEqual([])
    expect(seen.size).toBeGreaterThan(5)
  })

  test('a row stands before the kinds that it declares in `before`', () => {
    for (const [i, { kind, before = [] }] of ROWS.entries()) {
      for (const other of before) {
        const at = ROWS.findIndex((row) => row.kind === other)
        expect(at, `${kind} before ${other}`).toBeGreaterThan(i)
      }
    }
  })

  test('differ from each other', () => {
    expect(new Set(ROWS.map(({ kind }) => kind)).size).toBe(ROWS.length)
    const names = ROWS.flatMap((row) => row.files)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('a glance at the members of a root', () => {
  test('finds the same kind as reading the whole document', () => {
    let told = 0
    for (const document of parsed) {
      const kind = kindOfMembers(document.value)
      expect(kindOfMembers(glance(document)), document.file).toBe(kind)
      if (kind !== undefined) told++
    }
    expect(told).toBeGreaterThan(10)
  })

  test('finds it for YAML as well, if each member has its own line', () => {
    for (const { file, value, format, lines } of parsed) {
      if (format !== 'yaml') continue
      expect(kindOfMembers(glanceYaml(new TextDecoder().decode(lines.bytes))), file).toBe(kindOfMembers(value))
    }
  })

  test.each([
    ['adl_spec: 0.1.0\n', 'adl'],
    ['"adl_spec" : "0.1.0" # version\n', 'adl'],
    ["id: 'agent://a' # id\nname: A\n", 'card'],
    ['specVersion: 1\nentries:\n  # one\n\n  - a\n', 'ai-catalog'],
    ['specVersion: 1\nentries: [a]\n', 'ai-catalog'],
    ['specVersion: 1\nentries: a\n', undefined],
    ['more:\n  adl_spec: 0.1.0\n', undefined],
    ['- adl_spec: 0.1.0\n', undefined],
    ['text: |\n  adl_spec: 1\nname: x\n', undefined],
    ['# adl_spec: 1\n', undefined],
  ])('%j', (yaml, kind) => {
    expect(kindOfMembers(glanceYaml(yaml))).toBe(kind)
  })

  test('takes linear time', () => {
    for (const line of ['a: ', 'a:\n\n', '"a": "b\n', "'", 'entries:\n#', 'adl_spec', 'x: #', ' \n']) {
      const take = (times: number) => {
        const text = line.repeat(times)
        const start = processorTime()
        glanceYaml(text)
        return processorTime() - start
      }
      take(1000)
      expect(take(400_000), JSON.stringify(line)).toBeLessThan(20 * take(40_000) + 200)
    }
  })
})
