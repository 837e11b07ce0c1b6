// Wrong arguments are told by their names, also for a document of no kind that is known.
import { expect, test } from 'vitest'
import { createDirectory, createMemoryStore } from '../../bindings/directory/index.ts'
import { validate } from '../../bindings/validate.ts'

test.each<[string, unknown, string]>([
  ['no options', null, 'options: expected an object'],
  ['a name that is none', { file: 5 }, 'file: expected the name of the document'],
  ['a time that is none', { now: 'x' }, 'now: expected a valid Date'],
  ['a number that is none', { maxDiagnostics: Number.NaN }, 'maxDiagnostics: expected a positive integer'],
  ['a ruleset that is none', { ruleset: 'constructor' }, 'ruleset: expected'],
])('validate with %s', (_, options, words) => {
  for (const text of ['{}', '{"adl_spec": "0.1.0"}', '{"id": "agent://a", "name": "a"}'])
    expect(() => validate(text, options as never)).toThrow(words)
})

test('a directory takes text and bytes', async () => {
  const directory = createDirectory({ store: createMemoryStore() })
  await expect(directory.advertise({} as never)).rejects.toThrow('source: expected a string or Uint8Array, got object')
})
