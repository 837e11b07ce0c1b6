// Compares schema.json with Ajv, and with the schema that ADL publishes. They differ only where docs/design/decisions.md says
// so.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import schema from '../../bindings/adl/schema.json' with { type: 'json' }
import { ADL, documentShape } from '../../bindings/adl/specification.ts'
import { isExtension } from '../../bindings/adl/subject.ts'
import { explain } from '../../bindings/frame/explain.ts'
import { hasShape } from '../../bindings/frame/shape.ts'
import { type Document, parse as parseJson } from '../../bindings/index.ts'
import { isDateTime, isEmail, isUri, isUriReference } from '../../bindings/schema/formats.ts'
import { isObject } from '../../bindings/text/members.ts'
import { ODD_VALUES, placesOf, replaced } from './profiles/odd-values.ts'
import { CLEAN } from './support.ts'

const DATA = resolve(process.env['BLAZON_DATA'] ?? '../shared/data', 'adl')
const hasData = existsSync(DATA)
if (!hasData) console.warn('NOT RUN: the published schema of ADL: absent from ../shared/data')

// The formats have their own tests, and Ajv has none built in.
const formats = { 'date-time': isDateTime, email: isEmail, uri: isUri, 'uri-reference': isUriReference }
const compile = (of: object) => new Ajv2020({ strict: false, formats, logger: false }).compile(of)

const examples = ['minimal', 'with-tools', 'production']
const documents: readonly object[] = hasData
  ? [CLEAN, ...examples.map((name) => parse(readFileSync(join(DATA, 'examples', `${name}.yaml`), 'utf8')))]
  : [CLEAN]

/** Each document with each of its values replaced by each odd value, and with one more member in each object. */
function* mutations(): Generator<unknown> {
  for (const document of documents) {
    for (const path of placesOf(document)) {
      for (const odd of ODD_VALUES) yield JSON.parse(replaced(document, path, odd))
      for (const name of ['x_1a', 'x_acme', 'x_', 'other', '__proto__', 'healthcare']) {
        yield JSON.parse(replaced(document, path, { ...(at(document, path) as object), [name]: 1 }))
      }
    }
  }
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((part, name) => (part as Record<string, unknown>)[name], value)

describe('the schema', () => {
  test('[adl/14.2-1] agrees with Ajv, except for members that only profiles may add', () => {
    const ajv = compile(schema)
    const differing: string[] = []
    let count = 0
    for (const value of mutations()) {
      count++
      const ours = isObject(value) && hasShape(documentShape(), value, isExtension)
      // Ajv leaves the two open objects open.
      if (ours !== ajv(value) && !(ours === false && hasUndefined(value))) differing.push(JSON.stringify(value))
    }
    expect(differing.slice(0, 3)).toEqual([])
    expect(count).toBeGreaterThan(hasData ? 3000 : 100)
  })

  test('has a finding for every refused document and none for accepted ones', () => {
    const differing: string[] = []
    for (const value of mutations()) {
      if (!isObject(value)) continue
      const { document } = parseJson(JSON.stringify(value), { format: 'json' })
      let told = 0
      const listener = { fault: () => told++, undefinedMember: () => told++ }
      explain({ document: document as Document, words: ADL.words, listener }, documentShape(), value, '')
      if (hasShape(documentShape(), value, isExtension) !== (told === 0)) differing.push(JSON.stringify(value))
    }
    expect(differing.slice(0, 3)).toEqual([])
  })

  test.runIf(hasData)('[adl/14.2-1] differs from the published one only where that differs from the text', () => {
    const published = compile(JSON.parse(readFileSync(join(DATA, 'schema-0.1.0.json'), 'utf8')))
    const ours = compile(schema)
    const unexplained: string[] = []
    for (const value of mutations()) {
      if (ours(value) === published(value)) continue
      if (!isListed(published.errors, ours.errors))
        unexplained.push(JSON.stringify([value, published.errors, ours.errors]))
    }
    expect(unexplained.slice(0, 3)).toEqual([])
  })
})

type Errors = ReturnType<typeof compile>['errors']

/** The intended differences, by what one schema refuses and the other accepts. */
function isListed(published: Errors, ours: Errors): boolean {
  const [theirs] = published ?? []
  const [own] = ours ?? []
  if (theirs?.keyword === 'additionalProperties') {
    const name = String(theirs.params['additionalProperty'])
    // Extension names may begin with a digit; the validator closes the document and data_classification.
    return (
      /^x_[a-z0-9_]+$/.test(name) || theirs.instancePath === '' || theirs.instancePath.endsWith('data_classification')
    )
  }
  if (theirs?.keyword === 'type' && theirs.params['type'] === 'integer') {
    return /(context_window|max_tokens|sanitization\/max_input_length|max_retries|delay_ms)$/.test(theirs.instancePath)
  }
  // Tags are a SHOULD; $schema is a reference, id a URI.
  if (theirs?.keyword === 'pattern') return /^\/metadata\/tags\/\d+$/.test(theirs.instancePath)
  if (theirs?.keyword === 'format') return theirs.instancePath === '/$schema'
  return own?.keyword === 'format' && own.instancePath === '/id'
}

function hasUndefined(value: unknown): boolean {
  const names = new Set(Object.keys(schema.properties))
  const isObject = (of: unknown): of is Record<string, unknown> =>
    typeof of === 'object' && of !== null && !Array.isArray(of)
  const isOpen = (of: unknown, known: ReadonlySet<string>) =>
    isObject(of) && Object.keys(of).some((name) => !known.has(name) && !/^x_[a-z0-9_]+$/.test(name))
  if (!isObject(value)) return false
  const classification = new Set(Object.keys(schema.$defs.data_classification.properties))
  const owners = [value, ...[value['tools'], value['resources']].flatMap((list) => (Array.isArray(list) ? list : []))]
  return (
    isOpen(value, names) ||
    owners.some((owner) => isObject(owner) && isOpen(owner['data_classification'], classification))
  )
}
