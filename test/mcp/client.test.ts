// Configurations of MCP clients: the rules of Claude Code, VS Code and Cursor, by their pages.
import { describe, expect, test } from 'vitest'
import { validate } from '../../bindings/index.ts'

const found = (value: unknown, file = 'mcp.json') => {
  const source = typeof value === 'string' ? value : JSON.stringify(value)
  return validate(source, { file }).diagnostics.map(({ rule, source: { pointer } }) => `${rule} ${pointer}`)
}
const server = (one: object, file?: string) => found({ mcpServers: { mail: one } }, file)
/** A variable, as clients write it. */
const of = (name: string) => `$\{${name}}`
const AT = '/mcpServers/mail'

describe('a server', () => {
  test.each<[object, string[]]>([
    [{ command: 'mail', args: ['-y'], env: { A: of('A:-x') } }, []],
    [{ type: 'stdio', command: 'mail', cwd: '.', envFile: '.env' }, []],
    [{ type: 'http', url: 'https://mail.example.com/mcp', headers: { Authorization: `Bearer ${of('KEY')}` } }, []],
    [{ type: 'sse', url: 'http://localhost:3000/sse' }, []],
    [{ type: 'http', url: 'unix:///tmp/server.sock' }, []],
    [{ type: 'streamable-http', url: 'http://127.0.0.1:3000' }, []],
    [{ httpUrl: 'https://mail.example.com/mcp', trust: true }, []],
    [{ serverUrl: 'https://mail.example.com/mcp', alwaysAllow: ['x'] }, []],
    [{ type: 'sdk', name: 'inner' }, []],
    [{ url: 'http://mail:8080/mcp' }, []],
    [{ url: 'http://192.168.0.2/mcp' }, []],
    [{ url: 'http://host.docker.internal:1/mcp' }, []],
    [{ url: `http://${of('HOST')}/mcp` }, []],
    [{}, [`no-start ${AT}`]],
    [{ type: 'http', command: 'mail' }, [`no-start ${AT}`]],
    [{ type: 'stdio', url: 'https://mail.example.com' }, [`no-start ${AT}`]],
    [{ command: 'mail', url: 'https://mail.example.com' }, [`two-starts ${AT}/url`]],
    [{ type: 'htpp', url: 'https://mail.example.com' }, [`transport ${AT}/type`]],
    [{ url: 'http://mail.example.com/mcp' }, [`plain-http ${AT}/url`]],
    [{ command: '' }, [`empty-value ${AT}/command`]],
    [{ command: 'mail', args: '-y' }, [`member-type ${AT}/args`]],
    [{ command: 'mail', arg: ['-y'] }, [`misspelt-member ${AT}/arg`]],
    [{ comand: 'mail', arg: ['-y'] }, [`no-start ${AT}/comand`, `misspelt-member ${AT}/arg`]],
    [{ type: 'http', ulr: 'https://mail.example.com' }, [`no-start ${AT}/ulr`]],
    [{ command: 'mail', ulr: 'https://mail.example.com' }, [`misspelt-member ${AT}/ulr`]],
    [{ command: 'mail', header: {} }, [`misspelt-member ${AT}/header`]],
    [{ command: 'mail', env: { K: 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5' } }, [`literal-secret ${AT}/env/K`]],
    [{ command: 'mail', env: { K: of('input:k') } }, [`undefined-input ${AT}`]],
  ])('%j: %j', (one, expected) => {
    expect(server(one)).toEqual(expected)
  })

  test('without a type is local for Claude Code, so .mcp.json needs one with a url', () => {
    const one = { url: 'https://mail.example.com/mcp' }
    expect(server(one, 'a/.mcp.json')).toEqual([`no-transport ${AT}/url`])
    expect(server(one, '.cursor/mcp.json')).toEqual([])
  })

  test('that stands twice is reported once, unless one is disabled', () => {
    const [one, two] = [{ command: 'mail' }, { command: 'mail', args: ['-y'] }]
    expect(found({ mcpServers: { a: one, b: two, c: one } })).toEqual(['repeated-server /mcpServers/c'])
    expect(found({ mcpServers: { a: one, c: { ...one, disabled: true } } })).toEqual([])
  })
})

test('VS Code names its servers differently, defines inputs, and takes comments', () => {
  const text = `{\n  // "x\n  "servers": {"a/*": {"command": "//x", /* , */ "env": {"K": "${of('input:k')}"},}, },\n  "inputs": [{"id": "k"},],\n}`
  expect(found(text, '.vscode/mcp.json')).toEqual([])
  expect(found(text.replace('"id": "k"', '"id": "l"'), '.vscode/mcp.json')).toEqual(['undefined-input /servers/a~1*'])
  expect(found(text, '.mcp.json')).toEqual(['json/unexpected '])
  expect(found('{"mcpServers": {"a": {"command": "x"}, , }}')).toEqual(['json/unexpected /mcpServers'])
  expect(found('{"mcpServers": {} /* open')).toEqual(['json/end '])
})

test('a plugin of Claude Code names its servers at the root', () => {
  expect(found({ a: { command: 'x' }, b: { comand: 'x' } }, '.mcp.json')).toEqual(['no-start /b/comand'])
})

test('hostile configurations are read in time', () => {
  const many = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, i) => [`s${i}`, { command: `c${i}`, [`arg${i}`]: of('input:x') }]),
  )
  expect(found({ mcpServers: many }).length).toBeGreaterThan(50)
  expect(found(`{"mcpServers": {}${',/*'.repeat(100_000)}`)).toHaveLength(1)
})
