import { expect, it } from 'vitest'
import { classificationOf } from '../../bindings/adl/index.ts'
import { parse } from '../../bindings/document/parse.ts'

const { document } = parse(
  JSON.stringify({
    data_classification: { sensitivity: 'confidential' },
    tools: [{ name: 'a', data_classification: { sensitivity: 'internal' } }, { name: 'b' }, 7],
    resources: [{ name: 'r', data_classification: { sensitivity: 'public' } }],
    prompts: [{ name: 'p', data_classification: { sensitivity: 'public' } }],
  }),
)

it.each([
  ['', '/data_classification'],
  ['/data_classification/sensitivity', '/data_classification'],
  ['/tools', '/data_classification'],
  ['/tools/0', '/tools/0/data_classification'],
  ['/tools/0/parameters/properties/x', '/tools/0/data_classification'],
  ['/tools/1', '/data_classification'],
  ['/tools/2/name', '/data_classification'],
  ['/tools/3', '/data_classification'],
  ['/tools/00', '/data_classification'],
  ['/tools/length', '/data_classification'],
  ['/resources/0/uri', '/resources/0/data_classification'],
  ['/prompts/0', '/data_classification'],
  ['/__proto__/0', '/data_classification'],
])('[adl/10.4-20] the classification for %j is at %s', (pointer, expected) => {
  expect(classificationOf(document!, pointer)!.pointer).toBe(expected)
})

it('returns undefined without any classification', () => {
  for (const text of [
    '{}',
    '[]',
    '1',
    '{"data_classification": "public"}',
    '{"tools": {"0": {"data_classification": {}}}}',
  ]) {
    expect(classificationOf(parse(text).document!, '/tools/0')).toBeUndefined()
  }
  expect(() => classificationOf(document!, 'tools')).toThrow(/^pointer: /)
})
