// Holds what the Worker answers against edge/public/openapi.json: a path, method, status or form that the file does not
// have is a failure, wherever it is seen.
import { readFileSync } from 'node:fs'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import { expect } from 'vitest'

type Content = Readonly<Record<string, { readonly schema: AnySchemaObject }>>
interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

export const openapi = JSON.parse(readFileSync('edge/public/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema({ $id: 'openapi', components: openapi.components })

/** Every method, path and status that was seen. */
export const seen = new Set<string>()

function pathOf(pathname: string): string | undefined {
  if (Object.hasOwn(openapi.paths, pathname)) return pathname
  return Object.keys(openapi.paths).find((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
}

/** Checks an answer, and gives it back unread. */
export async function checkContract(method: string, address: string, response: Response): Promise<Response> {
  const path = pathOf(new URL(address).pathname)
  if (path === undefined || method === 'OPTIONS' || [405, 421].includes(response.status)) return response
  const operation = openapi.paths[path]![method === 'HEAD' ? 'get' : method.toLowerCase()]
  expect(operation, `${method} ${path} is not in openapi.json`).toBeDefined()
  const answer = operation!.responses[String(response.status)]
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
