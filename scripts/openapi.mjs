// edge/openapi.yaml and the routes of the Worker -> openapi.json. The file describes each operation. Its route adds the
// token, the variable parts of the path, and the responses that follow from a token, a limit or a body.
import { resolve } from 'node:path'
import { compileFunction } from 'node:vm'
import { parse } from 'yaml'
import { bundledText } from './bundler.mjs'
import { ENTRIES } from './entries.mjs'
import { readJson, readText } from './files.mjs'

const FILE = 'edge/openapi.yaml'
const TABLES = `
export { ROUTES } from './edge/routes.ts'
export { KINDS } from './bindings/tables/kinds.ts'
export { FORMATS } from './bindings/convert/formats.ts'`

/** The whole description. Throws if the file and the routes differ in their operations. */
export async function openapi() {
  const { name, version } = readJson('package.json')
  const { ROUTES, KINDS, FORMATS } = await tables(name)
  const { info, common, components, operations, ...head } = parse(readText(FILE))
  const { securitySchemes, parameters, responses, schemas } = components
  schemas.Kind = { enum: KINDS.filter(({ isChecked }) => isChecked).map(({ kind }) => kind) }
  schemas.Format = { enum: FORMATS }

  const rows = ROUTES.flatMap(rowsOf)
  refuseDifferences(new Set(rows.map(({ name }) => name)), new Set(Object.keys(operations)))
  const paths = Object.fromEntries(ROUTES.map(({ path }) => [path, {}]))
  for (const row of rows) {
    paths[row.path][row.method] = operationOf(row, withLike(row.name, operations), { common, parameters })
  }
  return {
    ...head,
    info: { ...info, version },
    paths,
    components: {
      securitySchemes,
      parameters: mapped(parameters, ({ name, in: place, ...schema }) => parameterOf(name, place, schema)),
      responses: mapped(responses, responseOf),
      schemas: mapped(schemas, schemaOf),
    },
  }
}

/** Runs the modules without the core, which only handlers need. Nothing is built yet, so entries are their sources. */
async function tables(name) {
  const sources = Object.entries(ENTRIES).map(([entry, path]) => [entry === 'index' ? name : `${name}/${entry}`, path])
  const text = await bundledText({
    stdin: { contents: TABLES, resolveDir: '.' },
    alias: Object.fromEntries(sources.map(([entry, path]) => [entry, resolve(path)])),
    external: ['#wasm', 'node:*', '*/dist/agents.js'],
    format: 'cjs',
    platform: 'neutral',
  })
  const module = { exports: {} }
  compileFunction(text, ['module', 'require'])(module, () => ({}))
  return module.exports
}

function rowsOf({ path, methods, tell }) {
  return Object.entries(methods).map(([method, row]) => {
    return { ...row, path, tell, method: method.toLowerCase(), name: `${method} ${path}` }
  })
}

function refuseDifferences(routes, operations) {
  const missing = [...routes].filter((name) => !operations.has(name))
  const unknown = [...operations].filter((name) => !routes.has(name))
  if (missing.length > 0) throw new Error(`${FILE} does not describe ${missing.join(', ')}`)
  if (unknown.length > 0) throw new Error(`${FILE} describes ${unknown.join(', ')}, which the Worker does not have`)
}

/** An operation of the file, with the members of the one that `like` names. */
function withLike(name, operations) {
  const { like, ...own } = operations[name]
  return like === undefined ? own : { ...withLike(like, operations), ...own }
}

function operationOf(row, described, file) {
  const { id, summary, description, body, 'body?': content = body } = described
  const { access } = row
  const parameters = parametersOf(row, described, file)
  return {
    operationId: id,
    summary,
    description,
    security: access && [...(access.optional ? [{}] : []), { token: [access.scope] }],
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: content && { required: body !== undefined, content: contentOf(content) },
    responses: responsesOf(row, described, file),
  }
}

function parametersOf({ path }, { parameters: named = [], path: parts = {}, query = {}, common = [] }, { parameters }) {
  return [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, part]) =>
      part in parts || !(part in parameters)
        ? parameterOf(part, 'path', parts[part] ?? 'string')
        : referenceTo('parameters', part),
    ),
    ...named.map((name) => referenceTo('parameters', name)),
    ...(common.includes(304) ? [referenceTo('parameters', 'IfNoneMatch')] : []),
    ...Object.entries(query).map(([key, schema]) => parameterOf(key, 'query', schema)),
  ]
}

function responsesOf({ path, access, limit, body, tell }, { common: listed = [], ...described }, { common }) {
  const statuses = [...listed, ...(access ? [401, 403, 503] : []), ...(body ? [413, 415] : []), ...(limit ? [429] : [])]
  const faultOf = (status) => {
    if (tell === undefined) return common[status]
    return path.startsWith('/v2/') ? 'OciErrors' : 'A2aFault'
  }
  const shared = statuses.map((status) => [status, referenceTo('responses', faultOf(status))])
  const own = Object.entries(described).filter(([key]) => /^\d/.test(key))
  return { ...Object.fromEntries(shared), ...mapped(Object.fromEntries(own), responseOf) }
}

function parameterOf(key, place, value) {
  const { description, ...schema } = schemaOf(value)
  const [name, isRequired] = keyOf(key)
  return { name, in: place, required: isRequired, description, schema }
}

/** The name of a component, a description, or a description and the content. */
function responseOf(value) {
  if (/^[A-Z]\w+$/.test(value)) return referenceTo('responses', value)
  const [description, content] = [value].flat()
  return { description, content: content && contentOf(content) }
}

/** A schema for JSON, or one for each media type. */
function contentOf(value) {
  if (value === 'problem') return contentOf({ 'application/problem+json': 'Problem' })
  const isByType = Object.keys(value).every((key) => key.includes('/')) && typeof value === 'object'
  return mapped(isByType ? value : { 'application/json': value }, (schema) => ({ schema: schemaOf(schema) }))
}

/**
 * A JSON Schema from its short form: `any`, the name of a type or of a component, or an object. There, `is` is another
 * schema, `object` and `closed` have the members, optional ones with a question mark, and `array` has the items.
 */
function schemaOf(value) {
  if (value === 'any') return {}
  if (typeof value === 'string') return /^[A-Z]/.test(value) ? referenceTo('schemas', value) : { type: value }
  const { is, closed, object = closed, array, anyOf, oneOf, allOf, additionalProperties, ...rest } = value
  return {
    ...(is && schemaOf(is)),
    ...(object && membersOf(object)),
    ...(closed && { additionalProperties: false }),
    ...(array && { type: 'array', items: schemaOf(array) }),
    ...(additionalProperties && { additionalProperties: schemaOf(additionalProperties) }),
    ...mapped({ anyOf, oneOf, allOf }, (schemas) => schemas?.map(schemaOf)),
    ...rest,
  }
}

function membersOf(object) {
  const members = Object.entries(object).map(([key, schema]) => [...keyOf(key), schemaOf(schema)])
  const required = members.filter(([, isRequired]) => isRequired).map(([name]) => name)
  const properties = Object.fromEntries(members.map(([name, , schema]) => [name, schema]))
  return { type: 'object', ...(required.length > 0 && { required }), properties }
}

/** `name` is required, `name?` is optional. */
function keyOf(key) {
  return key.endsWith('?') ? [key.slice(0, -1), false] : [key, true]
}

function referenceTo(kind, name) {
  return { $ref: `#/components/${kind}/${name}` }
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]))
}
