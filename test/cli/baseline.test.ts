import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Setting } from './terminal.ts'
import { agent, validate } from './validating.ts'

const tool = (name: string, more: object = {}) => ({
  name,
  description: 'Does something.',
  parameters: { type: 'object' },
  ...more,
})
const old = { version: '1', tools: [tool('find', { returns: 7 }), tool('tell')] }
const NEW = { data_classification: { sensitivity: 'secret' } }

async function written(files: NonNullable<Setting['files']>, ...argv: string[]) {
  const ran = await validate([...argv, '--write-baseline', 'b.json'], files)
  return { ...ran, text: Buffer.from(ran.saved.get('b.json')!).toString() }
}
const shown = async (files: NonNullable<Setting['files']>, ...argv: string[]) => {
  const { code, stdout } = await validate([...argv, '--format', 'json'], files)
  const { results } = JSON.parse(stdout)
  return {
    code,
    pointers: results.flatMap((result: { diagnostics: { source: { pointer: string } }[] }) =>
      result.diagnostics.map(({ source }) => source.pointer),
    ),
  }
}

describe('a baseline', () => {
  test('holds the findings; later runs do not show them', async () => {
    const files = { 'a.adl.json': agent(old) }
    const { code, stderr, text } = await written(files, 'a.adl.json')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^wrote b\.json\n\d known findings not shown \(b\.json\)\n/)
    const schema = JSON.parse(readFileSync('docs/schema/baseline.schema.json', 'utf8'))
    expect(new Ajv2020().validate(schema, JSON.parse(text))).toBe(true)
    const later = await validate(['a.adl.json', '--baseline', 'b.json'], { ...files, 'b.json': text })
    expect([later.code, later.saved.size]).toEqual([0, 0])
    expect(later.stderr).not.toContain('is valid')
  })

  test('new findings are shown and count', async () => {
    const { text } = await written({ 'a.adl.json': agent(old) }, 'a.adl.json')
    const files = { 'a.adl.json': agent({ ...old, ...NEW }), 'b.json': text }
    expect(await shown(files, 'a.adl.json', '--baseline', 'b.json')).toEqual({
      code: 1,
      pointers: ['/data_classification/sensitivity'],
    })
    expect((await shown(files, 'a.adl.json')).pointers.length).toBeGreaterThan(1)
  })

  test('findings are recognized after lines and elements moved, also from another folder', async () => {
    const { text } = await written({ 'x/a.adl.json': agent(old) }, 'x/a.adl.json')
    const moved = { ...old, tools: [tool('first'), ...[...old.tools].reverse()] }
    const files = { 'x/a.adl.json': `\n\n${JSON.stringify(JSON.parse(agent(moved)))}`, 'b.json': text }
    expect(await shown(files, './x/a.adl.json', '--baseline', 'b.json')).toEqual({ code: 0, pointers: [] })
    const another = { ...moved, tools: [...moved.tools, tool('other', { returns: 7 })] }
    const { pointers } = await shown({ ...files, 'x/a.adl.json': agent(another) }, 'x', '--baseline', 'b.json')
    expect(pointers).toEqual(['/tools/3/returns'])
  })

  test('reports known findings that are gone', async () => {
    const { text } = await written({ 'a.adl.json': agent(old) }, 'a.adl.json')
    const files = { 'a.adl.json': agent(), 'b.json': text }
    const { code, stderr } = await validate(['a.adl.json', '--baseline', 'b.json'], files)
    expect(code).toBe(0)
    expect(stderr).toMatch(/\d known findings? gone: --write-baseline b\.json removes them/)
    const part = await validate(['a.adl.json#/name', '--baseline', 'b.json'], files)
    expect(part.stderr).not.toContain('gone')
  })

  test('written for some files, keeps the entries of the others and drops gone ones of these', async () => {
    const [a, b] = [agent(old), agent({ ...old, version: 'one' })]
    const { text } = await written({ 'a.adl.json': a, 'b.adl.json': b }, 'a.adl.json', 'b.adl.json')
    const files = { 'a.adl.json': agent(), 'b.adl.json': b, 'b.json': text }
    const later = { ...files, 'b.json': (await written(files, 'a.adl.json')).text }
    const known = (of: string) => JSON.parse(of).findings.map(({ file }: { file: string }) => file)
    expect(known(later['b.json'])).toEqual(known(text).filter((file: string) => file === 'b.adl.json'))
    expect((await shown(later, 'b.adl.json', '--baseline', 'b.json')).code).toBe(0)
    // A check of a part says nothing about the rest of the file.
    const part = await written({ ...files, 'a.adl.json': a }, 'a.adl.json#/tools', 'b.adl.json')
    expect(JSON.parse(part.text).findings.map(JSON.stringify).sort()).toEqual(
      JSON.parse(text).findings.map(JSON.stringify).sort(),
    )
  })

  test('never overwrites another kind of file', async () => {
    const { code, stderr, saved } = await validate(['a.adl.json', '--write-baseline', 'b.json'], {
      'a.adl.json': agent(old),
      'b.json': '{"name": "x"}',
    })
    expect([code, saved.size]).toEqual([2, 0])
    expect(stderr).toContain('or delete this one and write it again')
  })

  test('can be named in the configuration, relative to it', async () => {
    const { text } = await written({ 'a.adl.json': agent(old) }, 'a.adl.json')
    const files = { 'a.adl.json': agent(old), 'b.json': text, 'blazon.config.json': '{"baseline": "b.json"}' }
    expect((await validate(['a.adl.json'], files)).code).toBe(0)
    expect((await validate(['a.adl.json', '--write-baseline', 'c.json'], files)).saved.has('c.json')).toBe(true)
  })

  test('never holds findings that ended the check: they would hide another document', async () => {
    for (const content of ['{', '{"x": 1}', agent({ adl_spec: '9.9.9' })]) {
      const { code, text } = await written({ 'a.json': content }, 'a.json')
      expect([content, code, JSON.parse(text).findings]).toEqual([content, 1, []])
    }
  })

  test.each([
    ['{', 'b.json:1:2'],
    ['{"version": 2, "findings": []}', 'b.json:1:13'],
    ['{"version": 1,\n "findings": [{"file": "a", "fingerprint": "xyz"}]}', 'b.json:2:44'],
    ['{"version": 1, "version": 1, "findings": []}', 'b.json:1:16'],
  ])('%s is refused, with its place', async (text, words) => {
    const { code, stdout, stderr } = await validate(['a.adl.json', '--baseline', 'b.json'], {
      'a.adl.json': agent(),
      'b.json': text,
    })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
    expect(stderr).toContain('--write-baseline')
  })

  test('a missing baseline, and both options together, are wrong usage', async () => {
    const files = { 'a.adl.json': agent() }
    expect(await validate(['a.adl.json', '--baseline', 'b.json'], files)).toMatchObject({ code: 2 })
    const both = await validate(['a.adl.json', '--baseline', 'b.json', '--write-baseline', 'c.json'], files)
    expect([both.code, both.saved.size]).toEqual([2, 0])
  })

  test('the fingerprints of a confidential definition do not depend on its values [adl/18.9-2]', async () => {
    const of = async (name: string, sensitivity: string) => {
      const content = agent({ data_classification: { sensitivity }, metadata: { authors: [{ name, email: 7 }] } })
      return JSON.parse((await written({ 'a.adl.json': content }, 'a.adl.json')).text).findings
    }
    expect(await of('Ada', 'confidential')).toEqual(await of('Eve', 'confidential'))
    expect(await of('Ada', 'public')).not.toEqual(await of('Eve', 'public'))
  })
})
