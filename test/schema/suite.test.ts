import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CompiledSchema, checkSchema, compileSchema } from '../../bindings/schema/index.ts'
import { hasSuite, SUITES, suiteFile, suiteFiles } from '../support/suites.ts'

interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

/** The documents that the suite's references name, by the addresses that its README gives them. */
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

describe.runIf(hasSuite('json-schema'))('the required tests of the JSON Schema test suite', () => {
  const documents = hasSuite('json-schema') ? remotes() : new Map()

  it.each(suiteFiles('json-schema', 'tests').filter((file) => file.endsWith('.json')))('%s', (file) => {
    const groups = JSON.parse(new TextDecoder().decode(suiteFile('json-schema', 'tests', file))) as Group[]
    const wrong: string[] = []
    for (const { description, schema, tests } of groups) {
      expect(checkSchema(schema, { documents }), description).toEqual([])
      const compiled = compileSchema(schema, { documents })
      if (!(compiled instanceof CompiledSchema)) {
        wrong.push(`${description}: ${JSON.stringify(compiled)}`)
        continue
      }
      for (const test of tests) {
        const errors = compiled.validate(test.data)
        if ((errors.length === 0) !== test.valid) {
          wrong.push(`${description}: ${test.description}: ${JSON.stringify(errors)}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
