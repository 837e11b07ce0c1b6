// Checks the Worker's answers against openapi.json: any path, method, status or form that the file lacks fails the test
// that sees it.
import { readFileSync } from 'node:fs'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

type Content = Readonly<Record<string, { readonly schema: AnySchemaObject }>>
interface Answer {
  readonly content?: Content
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly in?: string; readonly name?: string }[]
  readonly requestBody?: { readonly content: object }
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>
}
interface OpenApi {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Answer>> }
}

/** The file as it is served: scripts/openapi.mjs makes it. */
export const openapi: OpenApi = JSON.parse(readFileSync('dist/site/openapi.json', 'utf8'))

function answerOf(operation: Operation, status: number): Answer | undefined {
  const answer = operation.responses[String(status)]
  if (answer === undefined || !('$ref' in answer)) return answer
  return openapi.components.responses[answer.$ref.split('/').at(-1)!]
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema({ $id: 'openapi', components: openapi.components })

/** Every observed combination of method, path and status. */
export const seen = new Set<string>()

function pathOf(pathname: string): string | undefined {
  if (Object.hasOwn(openapi.paths, pathname)) return pathname
  return Object.keys(openapi.paths).find((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
}

/** Checks an answer, and returns it unread. */
export async function checkContract(method: string, address: string, response: Response): Promise<Response> {
  const path = pathOf(new URL(address).pathname)
  if (path === undefined || method === 'OPTIONS' || [405, 421].includes(response.status)) return response
  const operation = openapi.paths[path]![method === 'HEAD' ? 'get' : method.toLowerCase()]
  expect(operation, `${method} ${path} is not in openapi.json`).toBeDefined()
  const answer = answerOf(operation!, response.status)
  expect(answer, `${method} ${path} ${response.status} is not in openapi.json`).toBeDefined()
  seen.add(`${method} ${path} ${response.status}`)
  const type = response.headers.get('content-type')?.split(';')[0]
  if (answer!.content === undefined || method === 'HEAD') return response
  const form = answer!.content[type!]
  expect(form, `${method} ${path} ${response.status} ${type} is not in openapi.json`).toBeDefined()
  if (!/[/+]json$/.test(type!)) return response
  const body = await response.clone().json()
  const schema = JSON.parse(JSON.stringify(form!.schema).replaceAll('"#/components', '"openapi#/components'))
  const validate = ajv.compile(schema)
  expect(validate(body), `${method} ${path}: ${ajv.errorsText(validate.errors)}`).toBe(true)
  return response
}
