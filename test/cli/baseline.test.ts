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
  test('holds what is found; later runs show nothing of it', async () => {
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

  test('what is new is shown and counts', async () => {
    const { text } = await written({ 'a.adl.json': agent(old) }, 'a.adl.json')
    const files = { 'a.adl.json': agent({ ...old, ...NEW }), 'b.json': text }
    expect(await shown(files, 'a.adl.json', '--baseline', 'b.json')).toEqual({
      code: 1,
      pointers: ['/data_classification/sensitivity'],
    })
    expect((await shown(files, 'a.adl.json')).pointers.length).toBeGreaterThan(1)
  })

  test('findings are known again after lines and elements have moved, from another folder too', async () => {
    const { text } = await written({ 'x/a.adl.json': agent(old) }, 'x/a.adl.json')
    const moved = { ...old, tools: [tool('first'), ...[...old.tools].reverse()] }
    const files = { 'x/a.adl.json': `\n\n${JSON.stringify(JSON.parse(agent(moved)))}`, 'b.json': text }
    expect(await shown(files, './x/a.adl.json', '--baseline', 'b.json')).toEqual({ code: 0, pointers: [] })
    const another = { ...moved, tools: [...moved.tools, tool('other', { returns: 7 })] }
    const { pointers } = await shown({ ...files, 'x/a.adl.json': agent(another) }, 'x', '--baseline', 'b.json')
    expect(pointers).toEqual(['/tools/3/returns'])
  })

  test('what is gone is told', async () => {
    const { text } = await written({ 'a.adl.json': agent(old) }, 'a.adl.json')
    const files = { 'a.adl.json': agent(), 'b.json': text }
    const { code, stderr } = await validate(['a.adl.json', '--baseline', 'b.json'], files)
    expect(code).toBe(0)
    expect(stderr).toMatch(/\d known findings? gone: --write-baseline b\.json takes them out/)
    const part = await validate(['a.adl.json#/name', '--baseline', 'b.json'], files)
    expect(part.stderr).not.toContain('gone')
  })

  test('of a part of the files keeps what it has of the others, and loses what is gone from these', async () => {
    const [a, b] = [agent(old), agent({ ...old, version: 'one' })]
    const { text } = await written({ 'a.adl.json': a, 'b.adl.json': b }, 'a.adl.json', 'b.adl.json')
    const files = { 'a.adl.json': agent(), 'b.adl.json': b, 'b.json': text }
    const later = { ...files, 'b.json': (await written(files, 'a.adl.json')).text }
    const known = (of: string) => JSON.parse(of).findings.map(({ file }: { file: string }) => file)
    expect(known(later['b.json'])).toEqual(known(text).filter((file: string) => file === 'b.adl.json'))
    expect((await shown(later, 'b.adl.json', '--baseline', 'b.json')).code).toBe(0)
    // A part of a file says nothing of the rest of it.
    const part = await written({ ...files, 'a.adl.json': a }, 'a.adl.json#/tools', 'b.adl.json')
    expect(JSON.parse(part.text).findings.map(JSON.stringify).sort()).toEqual(
      JSON.parse(text).findings.map(JSON.stringify).sort(),
    )
  })

  test('takes the place of no other file', async () => {
    const { code, stderr, saved } = await validate(['a.adl.json', '--write-baseline', 'b.json'], {
      'a.adl.json': agent(old),
      'b.json': '{"name": "x"}',
    })
    expect([code, saved.size]).toEqual([2, 0])
    expect(stderr).toContain('remove the file')
  })

  test('is a key of the configuration, by the path from there', async () => {
    const { text } = await written({ 'a.adl.json': agent(old) }, 'a.adl.json')
    const files = { 'a.adl.json': agent(old), 'b.json': text, 'blazon.config.json': '{"baseline": "b.json"}' }
    expect((await validate(['a.adl.json'], files)).code).toBe(0)
    expect((await validate(['a.adl.json', '--write-baseline', 'c.json'], files)).saved.has('c.json')).toBe(true)
  })

  test('never holds what ended the check: another document would come in behind it', async () => {
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

  test('one that is not there, and both options, are wrong usage', async () => {
    const files = { 'a.adl.json': agent() }
    expect(await validate(['a.adl.json', '--baseline', 'b.json'], files)).toMatchObject({ code: 2 })
    const both = await validate(['a.adl.json', '--baseline', 'b.json', '--write-baseline', 'c.json'], files)
    expect([both.code, both.saved.size]).toEqual([2, 0])
  })

  test('a fingerprint of a confidential definition is made of nothing that is in it [adl/18.9-2]', async () => {
    const of = async (name: string, sensitivity: string) => {
      const content = agent({ data_classification: { sensitivity }, metadata: { authors: [{ name, email: 7 }] } })
      return JSON.parse((await written({ 'a.adl.json': content }, 'a.adl.json')).text).findings
    }
    expect(await of('Ada', 'confidential')).toEqual(await of('Eve', 'confidential'))
    expect(await of('Ada', 'public')).not.toEqual(await of('Eve', 'public'))
  })
})
