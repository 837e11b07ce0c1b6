import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { SPECIFICATIONS } from '../../bindings/specifications.ts'

interface Entry {
  readonly name: string
  readonly description: string
  readonly fileMatch: readonly string[]
  readonly url: string
}

const { schemas }: { schemas: readonly Entry[] } = JSON.parse(readFileSync('editors/schemastore/catalog.json', 'utf8'))

/** The kinds whose files are JSON or YAML, and have names of their own. */
const NAMED = SPECIFICATIONS.filter(
  ({ files, form = 'document', schemas: own }) => files.length > 0 && form === 'document' && own !== undefined,
)

test('SchemaStore gets an entry for each kind with names of its own, and one for the configuration', () => {
  const names = NAMED.map(({ files }) => files.map((name) => (name.startsWith('.') ? `*${name}` : name)))
  const config = ['blazon.config.json', 'blazon.config.yaml']
  const documents = (list: readonly string[]) => list.filter((name) => !name.endsWith('.jsonl'))
  expect(schemas.map(({ fileMatch }) => fileMatch)).toEqual([...names.map(documents), config])
})

test('each entry has a schema that is in the package, at its own address or at that of SchemaStore', () => {
  const known = new Map<string, string>([['blazon-config', 'docs/schema/config.schema.json']])
  for (const { kind, schemas: own = [] } of NAMED) known.set(`blazon-${kind}`, `bindings/${own[0]}`)
  for (const { url, name, description } of schemas) {
    expect([name.length > 0, description.length > 0]).toEqual([true, true])
    if (url === 'https://adl-spec.org/0.1/schema.json') continue
    const at = known.get(basename(url, '.json'))
    expect(url).toBe(`https://json.schemastore.org/${basename(url)}`)
    expect(at !== undefined && existsSync(at), url).toBe(true)
  }
})
