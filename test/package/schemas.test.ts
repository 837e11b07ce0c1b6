// The JSON Schemas that are published: one table says which, and the package, the build and the schemas themselves agree.
import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDiscovery } from '../../bindings/adl/discovery/specification.ts'
import { newDefinition } from '../../bindings/adl/templates.ts'
import { newCard } from '../../bindings/card/templates.ts'
import { CHECKED_KINDS } from '../../bindings/kinds.ts'
import { SCHEMAS } from '../../scripts/entries.mjs'

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const names = Object.keys(SCHEMAS)

test('the package exports each', () => {
  const { exports } = read('package.json')
  const exported = Object.keys(exports).filter((name) => name.startsWith('./schemas/'))
  expect(exported).toEqual(names.map((name) => `./schemas/${name}`))
  for (const name of names) expect(exports[`./schemas/${name}`]).toBe(`./dist/schemas/${name}`)
})

test.each(['dist/schemas', 'dist/site/schema'])('%s has them as they are in the sources', (folder) => {
  expect(readdirSync(folder).sort()).toEqual([...names].sort())
  for (const [name, source] of Object.entries(SCHEMAS)) {
    expect(read(`${folder}/${name}`)).toEqual(read(source))
  }
})

test('docs/guide/schema.md lists each, with its $id', () => {
  const listed = readFileSync('docs/guide/schema.md', 'utf8')
  for (const [name, source] of Object.entries(SCHEMAS)) {
    const id = read(source).$id as string
    expect([name, listed.includes(name), listed.includes(id) || listed.includes(id.replace(/^.*:/, '...:'))]).toEqual([
      name,
      true,
      true,
    ])
  }
})

test('docs/reference/cli.md lists the kinds that --as takes', () => {
  const [row] = /^\| `--as KIND` \|.*$/m.exec(readFileSync('docs/reference/cli.md', 'utf8'))!
  expect([...row.matchAll(/`([a-z\d-]+)`/g)].map(([, kind]) => kind).sort()).toEqual([...CHECKED_KINDS].sort())
})

describe('each', () => {
  test('has an $id of its own', () => {
    const ids = Object.values(SCHEMAS).map((source) => read(source).$id)
    for (const id of ids) expect(id).toMatch(/^(?:urn:blazon:schema:[a-z\d.-]+|https:\/\/adl-spec\.org\/.+)$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(Object.values(SCHEMAS))('%s is a schema to another implementation', (source) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    expect(ajv.validateSchema(read(source))).toBe(true)
  })

  test('the templates are what they say', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const now = new Date()
    expect(ajv.validate(read(SCHEMAS['card.json']!), newCard('tools', 'Scout', { now }))).toBe(true)
    expect(ajv.validate(read(SCHEMAS['adl.json']!), newDefinition('production', 'Scout', { now }))).toBe(true)
  })

  const some = <T>(whole: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 9, arbitrary: whole }, fc.constantFrom(null, 7, [], {}, ''))
  const text = some(fc.constantFrom('x', 'active', 'Draft'))
  const address = fc.constantFrom('https://a.example/x', 'HTTPS://a.example', 'http://a.example', 'https:', 'a b', '/x')
  const entry = fc.record(
    {
      id: some(fc.uuid({ version: 4 }).map((id) => `urn:uuid:${id}`)),
      adl_document: some(address),
      name: text,
      version: text,
      description: text,
      status: some(fc.constantFrom('draft', 'active', 'deprecated', 'retired', 'Active')),
    },
    { requiredKeys: [] },
  )
  const list = fc.record({ agents: some(fc.array(some(entry), { maxLength: 3 })) }, { requiredKeys: [] })

  test('that of discovery documents says what their rules say', () => {
    const ajv = new Ajv2020({ strict: false })
    // The URI of RFC 3986 as far as these addresses go.
    ajv.addFormat('uri', /^[a-z][a-z\d+.-]*:[^ ]*$/i)
    const validate = ajv.compile(read(SCHEMAS['adl-discovery.json']!))
    fc.assert(
      fc.property(some(list), (value) => {
        const isFine = readDiscovery(JSON.stringify(value)).diagnostics.every(({ severity }) => severity !== 'error')
        expect(validate(value)).toBe(isFine)
      }),
    )
  })
})
