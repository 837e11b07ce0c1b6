// Errors about invalid arguments name the argument, even for a document of an unknown kind.
import { expect, test } from 'vitest'
import { createDirectory, createMemoryStore } from '../../bindings/directory/index.ts'
import { validate } from '../../bindings/verbs.ts'

test.each<[string, unknown, string]>([
  ['no options', null, 'options: expected an object'],
  ['an invalid name', { file: 5 }, 'file: expected the name of the document'],
  ['an invalid time', { now: 'x' }, 'now: expected a valid Date'],
  ['an invalid number', { maxDiagnostics: Number.NaN }, 'maxDiagnostics: expected a positive integer'],
  ['an unknown ruleset', { ruleset: 'constructor' }, 'ruleset: expected'],
])('validate with %s', (_, options, words) => {
  for (const text of ['{}', '{"adl_spec": "0.1.0"}', '{"id": "agent://a", "name": "a"}'])
    expect(() => validate(text, options as never)).toThrow(words)
})

test('a directory accepts text and bytes', async () => {
  const directory = createDirectory({ store: createMemoryStore() })
  await expect(directory.advertise({} as never)).rejects.toThrow('source: expected a string or Uint8Array, got object')
})
