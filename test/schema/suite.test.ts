import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CompiledSchema, checkSchema, compileSchema } from '../../bindings/schema/index.ts'
import { KEYWORDS } from '../../bindings/schema/shapes.ts'
import { nonEmpty } from '../support/non-empty.ts'
import { hasSuite, SUITES, suiteFile, suiteFiles } from '../support/suites.ts'

interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

/** The drafts: where their required tests are, and the default metaschema of schemas without `$schema`. */
const DRAFTS = [
  ['2020-12', ['json-schema', 'tests'], 'https://json-schema.org/draft/2020-12/schema'],
  ['2019-09', ['json-schema-older', 'draft2019-09'], 'https://json-schema.org/draft/2019-09/schema'],
  ['draft-07', ['json-schema-older', 'draft7'], 'http://json-schema.org/draft-07/schema#'],
] as const

/** Skipped tests: `draft file: group: test` to the reason. */
const SKIPPED: Readonly<Record<string, string>> = {}

/** The documents that the suite refers to, by the URIs in its README. */
function remotes(): Map<string, unknown> {
  const folder = join(SUITES, 'json-schema', 'remotes')
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .map((path) => [
        `http://localhost:1234/${path.replaceAll('\\', '/')}`,
        JSON.parse(readFileSync(join(folder, path), 'utf8')),
      ]),
  )
}

const ofDraft = (schema: unknown, $schema: string) =>
  typeof schema === 'object' && schema !== null && !('$schema' in schema) ? { $schema, ...schema } : schema

/**
 * A keyword whose value is a schema may be `false`, with one common message; every other keyword has a message of its
 * own.
 */
const speaksForItself = ({ keyword, message }: CompiledSchema.Error) =>
  !message.endsWith(' allowed here') ||
  keyword === 'false' ||
  Object.values(KEYWORDS).some((known) => known.get(keyword)?.holds?.startsWith('schema') === true)

const here = hasSuite('json-schema') && hasSuite('json-schema-older')

describe.runIf(here).each(DRAFTS)('the required tests of the JSON Schema test suite, %s', (draft, path, metaschema) => {
  const documents = here ? remotes() : new Map()
  for (const [id, reason] of Object.entries(SKIPPED)) if (id.startsWith(draft)) console.log(`SKIPPED: ${id}: ${reason}`)

  it.each(suiteFiles(...path).filter((file) => file.endsWith('.json')))('%s', (file) => {
    const groups = JSON.parse(new TextDecoder().decode(suiteFile(...path, file))) as Group[]
    const wrong: string[] = []
    for (const { description, schema, tests } of nonEmpty(groups)) {
      const said = ofDraft(schema, metaschema)
      expect(checkSchema(said, { documents }), description).toEqual([])
      const compiled = compileSchema(said, { documents })
      if (!(compiled instanceof CompiledSchema)) {
        wrong.push(`${description}: ${JSON.stringify(compiled)}`)
        continue
      }
      for (const test of tests) {
        if (Object.hasOwn(SKIPPED, `${draft} ${file}: ${description}: ${test.description}`)) continue
        const errors = compiled.validate(test.data)
        expect(errors.filter((error) => !speaksForItself(error))).toEqual([])
        if ((errors.length === 0) !== test.valid) {
          wrong.push(`${description}: ${test.description}: ${JSON.stringify(errors)}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
