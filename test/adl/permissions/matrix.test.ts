// The matrix of permissions. Expected cells follow from the sentences of docs/guide/permissions.md and runners.md.
import { describe, expect, test } from 'vitest'
import { definitionGranting } from '../../../bindings/adl/granting.ts'
import { decide } from '../../../bindings/adl/policy.ts'
import { settingsGranting } from '../../../bindings/claude-settings/granting.ts'
import { type Document, parse } from '../../../bindings/document/parse.ts'
import { type Granting, type Matrix, OUTCOME_WORDS, permissionMatrix } from '../../../bindings/policy/matrix.ts'
import { processorTime } from '../../support/effort.ts'

const PLACES = { root: '/project', home: '/home/alice' }

const read = (value: object): Document => parse(JSON.stringify(value)).document!
const definition = (permissions: object, more: object = {}) => read({ adl_spec: '0.1.0', permissions, ...more })
const settings = (permissions: object) => read({ permissions })
const bySettings = (document: Document) => settingsGranting(document, PLACES)

/** Lines such as `read /data/**: allowed`, without those that are the same for all documents of a kind. */
function linesOf({ rows }: Matrix): string[] {
  return rows.map(({ what, subject, cells }) => {
    return `${what} ${subject}: ${cells.map(({ outcome }) => OUTCOME_WORDS[outcome]).join(', ')}`
  })
}
const linesAbout = (what: RegExp, ...documents: Granting[]) =>
  linesOf(permissionMatrix(documents)).filter((line) => what.test(line))

describe('the rows of a definition', () => {
  test.each([
    [/^tool/, {}, ['*: denied', 'pay: asks', 'search: allowed']],
    [
      /^(read|write)/,
      {
        filesystem: {
          allowed_paths: [
            { path: '/data/**', access: 'read' },
            { path: '/out', access: 'read_write' },
          ],
          denied_paths: ['/data/secret/**'],
        },
      },
      [
        ...['read /**: denied', 'write /**: denied', 'read /data/**: allowed', 'write /data/**: denied'],
        ...['read /out: allowed', 'write /out: allowed', 'read /data/secret/**: denied'],
        'write /data/secret/**: denied',
      ],
    ],
    [
      /^host/,
      { network: { allowed_hosts: ['*'], allowed_ports: [443], allowed_protocols: ['HTTPS'], deny_private: true } },
      [
        ...['*:443 https: allowed', '*:* https: denied', '*:443 *: denied'],
        ...['127.0.0.1:443 https: denied', '127.0.0.1:* https: denied', '127.0.0.1:443 *: denied'],
      ],
    ],
    [/^host/, { network: { allowed_hosts: ['*.a.example'] } }, ['*: denied', '*.a.example: allowed']],
    [
      /^(command|line)/,
      { execution: { allowed_commands: ['*'], denied_commands: ['rm'], allow_shell: true } },
      ['command *: allowed', 'command rm: denied', 'line *: allowed'],
    ],
    [/^line/, { execution: { allowed_commands: ['*'] } }, ['*: denied']],
    [/^variable/, { environment: { allowed_variables: ['APP_*'] } }, ['*: denied', 'APP_*: allowed']],
    [/^limit/, { resource_limits: { max_memory_mb: 512 } }, ['memoryMb 512: allowed', 'memoryMb 513: denied']],
    [/^variable/, { environment: { allowed_variable: ['A'] } }, ['*: denied']],
  ])('%s %j', (what, permissions, expected) => {
    const tools = [{ name: 'pay', requires_confirmation: true }, { name: 'search' }]
    const lines = linesAbout(what, definitionGranting(definition(permissions, { tools })))
    const [first] = lines[0]!.split(' ')
    expect(lines).toEqual(
      expected.map((line) => (/^(read|write|command|line) /.test(line) ? line : `${first} ${line}`)),
    )
  })
})

/** A rule and the line of what it names. Each rule alone decides about that line. */
const RULES = [
  ['Read(//etc/**)', 'read /etc/**'],
  ['Read(~/notes/*.md)', 'read /home/alice/notes/*.md'],
  ['Read(/src)', 'read /project/src'],
  ['Read(./a?b)', 'read /project/a?b'],
  ['Read(.env)', 'read /project/**/.env'],
  ['Edit(docs/)', 'write /project/**/docs/'],
  ['Bash(npm run:*)', 'line npm run *'],
  ['Bash(git * main)', 'line git * main'],
  ['Bash', 'line *'],
  ['WebFetch(domain:*.example.com)', 'host *.example.com'],
  ['WebFetch(domain:*)', 'host *'],
  ['mcp__github', 'tool mcp__github__*'],
  ['mcp__github__get_*', 'tool mcp__github__get_*'],
  ['WebSearch', 'tool WebSearch'],
] as const

describe('the rows of settings', () => {
  test.each(RULES)('%s is the row %s', (rule, line) => {
    const lines = [{ allow: [rule] }, { ask: [rule] }, { deny: [rule] }].map((permissions) => {
      return linesAbout(/./, bySettings(settings(permissions))).find((one) => one.startsWith(`${line}: `))
    })
    expect(lines).toEqual([`${line}: allowed`, `${line}: asks`, `${line}: denied`])
  })

  test.each(['Read(/[ab].txt)', String.raw`Read(/\[a\].txt)`])('denies what %s names', (rule) => {
    const lines = linesAbout(/^read .*txt/, bySettings(settings({ deny: [rule] })))
    expect(lines).toEqual([expect.stringMatching(/: denied$/)])
  })

  test('names the folders of the session, and what the mode decides', () => {
    const permissions = { additionalDirectories: ['../other'], defaultMode: 'acceptEdits' }
    expect(linesOf(permissionMatrix([bySettings(settings(permissions))]))).toEqual([
      ...['tool *: asks', 'read /**: asks', 'write /**: asks', 'read /project/**: allowed'],
      ...['write /project/**: allowed', 'read /other/**: allowed', 'write /other/**: allowed'],
      ...['host *: asks', 'line *: asks'],
    ])
  })
})

describe('side by side', () => {
  const a = definition(
    {
      filesystem: { allowed_paths: [{ path: '/project/**', access: 'read' }] },
      network: { allowed_hosts: ['a.example'], allowed_ports: [8443] },
      execution: { allowed_commands: ['git*'] },
    },
    { tools: [{ name: 'mcp__mail__send', requires_confirmation: true }] },
  )
  const b = settings({ allow: ['Bash(git status)', 'WebFetch(domain:b.example)', 'mcp__mail'], deny: ['Read(.env)'] })
  const documents = [definitionGranting(a), bySettings(b)]

  test('asks each document about what any of them names', () => {
    const lines = linesOf(permissionMatrix(documents))
    for (const line of [
      'tool mcp__mail__send: asks, allowed',
      'tool mcp__mail__*: denied, allowed',
      'read /project/**: allowed, allowed',
      'read /project/**/.env: allowed, denied',
      'host a.example:8443: allowed, asks',
      'host a.example:*: denied, asks',
      'host b.example:8443: denied, allowed',
      'line git status: denied, allowed',
    ])
      expect(lines).toContain(line)
    expect(new Set(lines).size).toBe(lines.length)
  })

  test('each cell is what `decide` answers', () => {
    for (const { request, cells } of permissionMatrix(documents).rows) {
      const [one, other] = [decide(a, request), bySettings(b).decide(request)]
      expect(cells[0]).toMatchObject({ reason: one.reason, decidedBy: one.decidedBy })
      expect(cells[0]!.outcome === 'allow').toBe(one.allowed)
      expect(cells[1]).toEqual(other)
    }
  })

  test('a document that permits nothing denies each row', () => {
    const retired = definition(
      { environment: { allowed_variables: ['*'] } },
      { lifecycle: { status: 'retired' }, tools: [{ name: 'a', requires_confirmation: true }] },
    )
    const { rows } = permissionMatrix([definitionGranting(retired), definitionGranting('[]')])
    for (const { cells } of rows) expect(cells.map(({ outcome }) => outcome)).toEqual(['deny', 'deny'])
    expect(rows.find(({ what }) => what === 'variable')!.cells[0]!.decidedBy).toBe('/lifecycle/status')
  })
})

describe('bounds', () => {
  const many = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i))

  test('counts the rows that are left out', () => {
    const { rows, leftOut } = permissionMatrix([bySettings(settings({ allow: many(600, (i) => `mcp__a__${i}`) }))])
    // Without a rule: one for tools, hosts and lines, and two for `/**` and the project.
    expect([rows.length, leftOut]).toEqual([500, 600 + 7 - 500])
    const long = permissionMatrix([bySettings(settings({ deny: [`Bash(${'x'.repeat(300)})`] }))])
    expect([long.rows.length, long.leftOut]).toEqual([7, 1])
    const ports = many(10, (i) => `${i + 1}`).map(Number)
    const network = { allowed_hosts: ['a.example'], allowed_ports: ports, allowed_protocols: ports.map((i) => `p${i}`) }
    expect(permissionMatrix([definitionGranting(definition({ network }))]).leftOut).toBe(2 * (100 - 64))
  })

  test('asks no request that is invalid', () => {
    const all = many(65_535, (i) => `${i + 1}`).map(Number)
    for (const allowed_ports of [[443.5], all, []])
      expect(
        linesAbout(/^host/, definitionGranting(definition({ network: { allowed_hosts: ['*'], allowed_ports } })))[0],
      ).toBe(allowed_ports === all ? 'host *:1: allowed' : 'host *: denied')
  })

  test.each([
    [
      'rules',
      settings({ deny: many(9_000, (i) => `Bash(*${'a'.repeat(45)}${i}*b*)`), allow: [`Bash(${'a '.repeat(120)})`] }),
    ],
    ['paths', settings({ deny: many(2_000, (i) => `Read(*${'a'.repeat(120)}${i})`) })],
    [
      'hosts, ports and protocols',
      definition({
        network: {
          allowed_hosts: many(500, (i) => `*.h${i}.example`),
          allowed_ports: many(60_000, (i) => `${i + 1}`).map(Number),
          allowed_protocols: many(20_000, (i) => `p${i}`),
        },
      }),
    ],
  ])('many %s take a bounded time', (what, document) => {
    const before = processorTime()
    permissionMatrix([what.startsWith('hosts') ? definitionGranting(document) : bySettings(document)])
    expect(processorTime() - before).toBeLessThan(2_000)
  })
})
