// The routes of each folder of edge/, compared with its part of openapi.json; and the route that a path belongs to.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { routerOf } from '../../edge/http/router.ts'
import { openapiOf, routeFolders } from '../../scripts/openapi.mjs'
import { processorTime } from '../support/effort.ts'

interface Operation {
  readonly access?: { readonly scope: string; readonly optional?: true }
  readonly limit?: string
  readonly body?: { readonly types: readonly string[]; readonly bytes: number }
}
interface Described {
  readonly security?: readonly object[]
  readonly requestBody?: { readonly content: object }
  readonly responses: object
}
interface Route {
  readonly path: string
  readonly methods: Readonly<Record<string, Operation>>
}
const METHODS = ['get', 'post', 'put', 'delete']
const folders = await Promise.all(
  routeFolders().map(async (folder: string) => {
    const { ROUTES } = (await import(`../../edge/${folder}/routes.ts`)) as { ROUTES: readonly Route[] }
    return { folder, routes: ROUTES, part: openapiOf(folder) }
  }),
)

describe.each(folders)('edge/$folder', ({ routes, part }) => {
  test('has a part of openapi.json for every route, and a route for every part', () => {
    const brought = routes.flatMap(({ path, methods }) =>
      Object.keys(methods).map((method) => `${method.toLowerCase()} ${path}`),
    )
    const described = Object.entries(part.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => METHODS.includes(name))
        .map((method) => `${method} ${path}`),
    )
    expect(brought.sort()).toEqual(described.sort())
  })

  const operations = routes.flatMap(({ path, methods }) =>
    Object.entries(methods).map(([method, operation]) => {
      const described = part.paths[path]![method.toLowerCase()] as Described
      return { name: `${method} ${path}`, operation, described, statuses: Object.keys(described.responses) }
    }),
  )

  test.each(operations)(
    '$name describes the scope that it requires',
    ({ operation: { access }, described, statuses }) => {
      const wanted = access && [...(access.optional ? [{}] : []), { token: [access.scope] }]
      expect(described.security).toEqual(wanted)
      if (access !== undefined) expect(statuses).toEqual(expect.arrayContaining(['401', '403', '503']))
    },
  )

  test.each(operations)('$name describes that requests are counted', ({ operation: { limit }, statuses }) => {
    if (limit !== undefined) expect(statuses).toContain('429')
  })

  test.each(operations)('$name describes the body that it accepts', ({ operation: { body }, described, statuses }) => {
    const types = Object.keys(described.requestBody?.content ?? {})
    expect(types.length > 0).toBe(body !== undefined)
    expect(['413', '415'].map((status) => statuses.includes(status))).toEqual(Array(2).fill(body !== undefined))
    for (const type of types)
      expect([type, type.replace(/\/.*\+/, '/*+')].some((name) => body!.types.includes(name))).toBe(true)
  })
})

test('the folders have the expected routes', () => {
  expect(folders.map(({ folder }) => folder)).toEqual([
    'a2a',
    'agents',
    'api',
    'gateway',
    'identity',
    'operator',
    'wellknown',
  ])
})

/**
 * The methods and paths of a cell such as `POST /v1/a?x=1`, `b`; `GET, PUT /v1/c`. A path without a slash is in the
 * folder of the last one.
 */
function operationsIn(cell: string): string[] {
  let [methods, folder]: [readonly string[], string] = [[], '']
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, span = '']) => span).flatMap((span) => {
    const [, named, place = ''] = /^(?:([A-Z, ]+) )?(\S+)$/.exec(span) ?? []
    if (named !== undefined) methods = named.split(', ')
    const path = place.startsWith('/') ? place : `${folder}${place}`
    folder = path.slice(0, path.lastIndexOf('/') + 1)
    return methods.map((method) => `${method} ${path.replace(/\?.*/, '').replace('NAME', '{name}')}`)
  })
}

test('docs/guide/edge.md names every route, and no other', () => {
  const section = readFileSync('docs/guide/edge.md', 'utf8')
    .split('\n## Routes\n')[1]!
    .split('\n## ')[0]!
    .split('\n### ')[0]!
  const documented = section.split('\n').flatMap((line) => operationsIn(/^\| (`.*?`) \|/.exec(line)?.[1] ?? ''))
  const brought = folders.flatMap(({ routes }) =>
    routes.flatMap(({ path, methods }) => Object.keys(methods).map((method) => `${method} ${path}`)),
  )
  const files = ['/app/', '/directory/', '/openapi.json'].map((path) => `GET ${path}`)
  expect(documented.sort()).toEqual([...brought, ...files].sort())
})

describe('a path', () => {
  const find = routerOf([
    { path: '/agents' },
    { path: '/agents/{name}' },
    { path: '/agents/{name}/{version}' },
    { path: '/agents/{name}/card.json' },
    { path: '/agents/latest/{version}' },
    { path: '/agents/{name}/{version}/bytes/{digest}' },
  ])
  const found = (path: string) => {
    const match = find(path)
    return match && [match.route.path, match.parts]
  }

  test.each([
    ['/agents', '/agents', {}],
    ['/agents/a', '/agents/{name}', { name: 'a' }],
    ['/agents/a/1.0.0', '/agents/{name}/{version}', { name: 'a', version: '1.0.0' }],
    ['/agents/a/card.json', '/agents/{name}/card.json', { name: 'a' }],
    ['/agents/latest/card.json', '/agents/latest/{version}', { version: 'card.json' }],
    ['/agents/latest', '/agents/{name}', { name: 'latest' }],
    ['/agents/a/1/bytes/ff', '/agents/{name}/{version}/bytes/{digest}', { name: 'a', version: '1', digest: 'ff' }],
    ['/agents/a%2Fb/card.json', '/agents/{name}/card.json', { name: 'a/b' }],
    ['/agents/a%252Fb', '/agents/{name}', { name: 'a%2Fb' }],
    ['/agents/%C3%A9', '/agents/{name}', { name: 'é' }],
    ['/agents/__proto__', '/agents/{name}', { name: '__proto__' }],
    ['/agents/{name}', '/agents/{name}', { name: '{name}' }],
    // A literal only matches as it is written: in another spelling it is an ordinary variable part.
    ['/agents/a/card%2Ejson', '/agents/{name}/{version}', { name: 'a', version: 'card.json' }],
  ])('%s belongs to %s', (path, of, parts) => {
    expect(found(path)).toEqual([of, parts])
  })

  test.each([
    '',
    'agents',
    '/',
    '//agents',
    '/agents/',
    '/agents//card.json',
    '/Agents',
    '/agents/a/card.json/',
    '/agents/a/1/bytes',
    '/agents/%',
    '/agents/%e',
    '/agents/%zz',
    '/agents/%ff',
    '/agents/%C0%AF',
    '/agents/%ED%A0%80',
    `/agents/${'a'.repeat(16_384)}`,
    `/agents${'/a'.repeat(1_000)}`,
  ])('%s belongs to no route', (path) => {
    expect(found(path)).toBeUndefined()
  })

  test('that two routes match is a mistake, reported at the start', () => {
    const twice = [{ path: '/a/{x}' }, { path: '/a/{y}' }]
    expect(() => routerOf(twice)).toThrow('/a/{x} and /a/{y} are one')
  })

  test('of the greatest length is matched within a millisecond', () => {
    const paths = [`/agents/${'%41'.repeat(5_000)}`, '/'.repeat(16_000), `/agents/${'%'.repeat(16_000)}`]
    const start = processorTime()
    for (let i = 0; i < 100; i++) for (const path of paths) find(path)
    expect((processorTime() - start) / 300).toBeLessThan(1)
  })
})
