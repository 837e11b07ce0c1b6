// The public JSON Schema test suite as a whole: its schemas compiled, and its values held against them, as Blaze and Bowtie
// publish it. It lies next to the project (test/support/suites.ts); without it there are no rows.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CompiledSchema, compileSchema } from 'blazon/schema'

export const title = 'JSON Schema, the public suite'

export const notes = [
  'The required tests of the suite for three drafts. Both sides look for one error, and the sums are of the cases where both' +
    ' give the answer of the suite.',
]

const SUITES = resolve(process.env.BLAZON_SUITES ?? '../shared/suites')

/** The drafts: the folder of their tests, their metaschema, and the class of Ajv for them. */
const DRAFTS = [
  ['json-schema/tests', 'https://json-schema.org/draft/2020-12/schema', Ajv2020],
  ['json-schema-older/draft2019-09', 'https://json-schema.org/draft/2019-09/schema', Ajv2019],
  ['json-schema-older/draft7', 'http://json-schema.org/draft-07/schema#', Ajv],
]

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** The JSON files below a folder, by their path in it. */
const filesIn = (folder, recursive = false) =>
  readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [name, readJson(join(folder, name))])

const named = (schema, $schema) =>
  typeof schema === 'object' && !('$schema' in schema) ? { $schema, ...schema } : schema

function ajvOf(Class, remotes) {
  const ajv = new Class({ strict: false, validateFormats: false, validateSchema: false, logger: false })
  for (const [uri, schema] of remotes) {
    try {
      ajv.addSchema(schema, uri)
    } catch {
      // A document of another draft, or one with the $id of another: cases that need it are not counted.
    }
  }
  return ajv
}

/** Compiles a schema as if for the first time: Ajv keeps what it compiled. */
function compileAnew(ajv, schema) {
  const compiled = ajv.compile(schema)
  if (typeof schema === 'object') ajv.removeSchema(schema)
  return compiled
}

function attempt(work) {
  try {
    return work()
  } catch {
    return undefined
  }
}

export function cases() {
  const missing = DRAFTS.map(([folder]) => join(SUITES, folder)).filter((folder) => !existsSync(folder))
  if (missing.length > 0) {
    console.warn(`NOT RUN: ${missing.join(', ')} absent`)
    return []
  }
  const remotes = filesIn(join(SUITES, 'json-schema/remotes'), true).map(([path, schema]) => [
    `http://localhost:1234/${path.replaceAll('\\', '/')}`,
    schema,
  ])
  const documents = new Map(remotes)
  const [schemas, values] = [[], []]
  let all = 0
  for (const [folder, metaschema, Class] of DRAFTS) {
    const ajv = ajvOf(Class, remotes)
    for (const group of filesIn(join(SUITES, folder)).flatMap(([, groups]) => groups)) {
      all += group.tests.length
      const schema = named(group.schema, metaschema)
      const ours = compileSchema(schema, { documents })
      const theirs = attempt(() => compileAnew(ajv, schema))
      if (!(ours instanceof CompiledSchema) || theirs === undefined) continue
      const right = group.tests.filter(
        ({ data, valid }) => (ours.validate(data, ONE).length === 0) === valid && attempt(() => theirs(data)) === valid,
      )
      if (right.length > 0) schemas.push({ schema, ajv })
      for (const { data, valid } of right) values.push({ ours, theirs, data, valid })
    }
  }
  const check = () => {
    for (const { ours, theirs, data, valid } of values) {
      if ((ours.validate(data, ONE).length === 0) !== valid || theirs(data) !== valid) throw new Error('answers differ')
    }
  }
  return [
    {
      name: `validate, ${values.length} of ${all} cases, the schemas compiled before`,
      floor: 0.25,
      aim: 0.4,
      ours: () => values.reduce((sum, { ours, data }) => sum + ours.validate(data, ONE).length, 0),
      peers: { ajv: () => values.reduce((sum, { theirs, data }) => sum + (theirs(data) ? 0 : 1), 0) },
      check,
    },
    {
      name: `compile, ${schemas.length} schemas`,
      floor: 10,
      aim: 20,
      rounds: 5,
      batch: 1,
      ours: () => schemas.map(({ schema }) => compileSchema(schema, { documents })),
      peers: {
        ajv: () => schemas.map(({ schema, ajv }) => compileAnew(ajv, schema)),
      },
      check,
    },
  ]
}

const ONE = { maxErrors: 1 }
