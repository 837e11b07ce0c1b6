// The routes of the Worker, compared with openapi.json; and the route that a path belongs to. docs/reference/routes.md is
// generated from them: npx vitest run --project node test/edge/routes -u
import { describe, expect, test } from 'vitest'
import { routerOf } from '../../edge/http/origins.ts'
import { processorTime } from '../support/effort.ts'
import { openapi } from './contract.ts'
import { ROUTES } from './route-table.ts'

const operations = ROUTES.flatMap(({ path, methods }) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, method, operation })),
)

describe('openapi.json', () => {
  test('describes every route, and no other', () => {
    const described = Object.entries(openapi.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(operations.map(({ name }) => name).sort())
  })

  test.each(operations)('describes the token, the limit and the body of $name', ({ path, method, operation }) => {
    const { access, limit, body } = operation
    const { security, requestBody, responses } = openapi.paths[path]![method.toLowerCase()]!
    const statuses = Object.keys(responses)
    expect(security).toEqual(access && [...(access.optional ? [{}] : []), { token: [access.scope] }])
    if (access !== undefined) expect(statuses).toEqual(expect.arrayContaining(['401', '403', '503']))
    if (limit !== undefined) expect(statuses).toContain('429')
    const types = Object.keys(requestBody?.content ?? {})
    expect(types.length > 0).toBe(body !== undefined)
    expect(['413', '415'].map((status) => statuses.includes(status))).toEqual(Array(2).fill(body !== undefined))
    for (const type of types)
      expect([type, type.replace(/\/.*\+/, '/*+')].some((name) => body!.types.includes(name))).toBe(true)
  })

  test.each(operations.filter(({ operation }) => operation.query !== undefined))(
    'describes the parameters that $name accepts, and no other',
    ({ path, method, operation: { query } }) => {
      const { parameters = [] } = openapi.paths[path]![method.toLowerCase()]!
      const described = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
      expect(described.sort()).toEqual(Object.keys(query!).sort())
    },
  )

  test('gives each operation its own id', () => {
    const ids = operations.map(({ path, method }) => openapi.paths[path]![method.toLowerCase()]!.operationId)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  })

  test('refers to every component, and to no other', () => {
    const { securitySchemes: _, ...components } = openapi.components as Readonly<Record<string, object>>
    const names = Object.entries(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    )
    const used = Array.from(JSON.stringify(openapi).matchAll(/"\$ref":"([^"]+)"/g), ([, name]) => name!)
    expect([...new Set(used)].sort()).toEqual(names.sort())
  })
})

/** A row for each operation, in the order of the file. */
const rows = Object.entries(openapi.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { summary, security = [] }]) => {
    const scopes = security.flatMap((one) => Object.values(one).flat())
    const token = scopes.length < security.length ? [...scopes, 'or none'] : scopes
    return `| \`${method.toUpperCase()}\` | \`${path}\` | ${token.join(', ')} | ${summary.trim()} |`
  }),
)

test('docs/reference/routes.md lists every route', async () => {
  const head = [
    '# Routes of the Worker',
    '',
    'Written from edge/openapi.yaml by test/edge/routes.test.ts; do not edit. `/openapi.json` of a deployment has parameters, bodies',
    'and responses. The [guide](../guide/edge.md#tokens) explains the scopes of tokens.',
    '',
    '| method | path | token | what it does |',
    '|---|---|---|---|',
  ]
  await expect([...head, ...rows, ''].join('\n')).toMatchFileSnapshot('../../docs/reference/routes.md')
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
