// What a lockfile pins of MCP servers, from hostile ones as well.
import { describe, expect, test } from 'vitest'
import { makeLock } from '../../bindings/agentlang/lock/lock.ts'
import { hiddenInServer, pinServer } from '../../bindings/agentlang/lock/specification.ts'
import { openMcp } from '../../bindings/mcp/peer.ts'
import type { JsonObject } from '../../bindings/text/members.ts'
import { modern, ok } from './made-server.ts'

async function pinsOf(result: JsonObject) {
  const opened = await openMcp(modern(({ id }) => [ok(id, result)]).transport, {
    client: { name: 'test', version: '1.0.0' },
  })
  if ('fault' in opened) throw new Error(opened.fault.detail)
  return pinServer(opened.ok)
}

describe('[agentlang/mcp-2] pins', () => {
  test('cover the instructions and each tool, also one named __proto__', async () => {
    const tools = [{ name: 'a', inputSchema: { type: 'object' } }, JSON.parse('{"name":"__proto__"}')]
    const pinned = await pinsOf({ tools })
    expect(pinned).toEqual({ ok: { instructions: 'Be brief.', tools } })
    if ('fault' in pinned) return
    const { lock } = makeLock({ agent: {}, files: new Map(), index: {}, mcp: { made: pinned.ok } })
    const server = (lock!['mcp'] as Record<string, { instructions: string; tools: object }>)['made']!
    // printf '"Be brief."' | sha256sum
    expect(server.instructions).toBe('sha256:fecef222d7732bb717f79edfbfe005707890d72608deefc4dd8171a5980dd5d0')
    expect(Object.keys(server.tools).sort()).toEqual(['__proto__', 'a'])
  })

  test.each<[string, JsonObject, string]>([
    ['two tools of one name', { tools: [{ name: 'a' }, { name: 'a' }] }, "two tools have the name 'a'"],
    ['a tool without a name', { tools: [{ name: 'a' }, {}] }, 'tool 1 has no name'],
    ['a tool that is null', { tools: [null] }, 'tool 0 has no name'],
    ['an endless list', { tools: [], nextCursor: 'x' }, 'the list of tools is too long'],
  ])('%s cannot be pinned', async (_, result, detail) => {
    expect(await pinsOf(result)).toEqual({ fault: { reason: 'invalid', detail } })
  })

  test('hidden characters in instructions, names and schemas are reported at the server', () => {
    const tools = [
      { name: 'fine', description: 'two\nlines' },
      { name: 'bad', description: 'x\u200b', inputSchema: { properties: { 'p\u202e': { description: '\u{e0041}' } } } },
      null,
    ]
    expect(
      hiddenInServer('a/b', { instructions: '\u2060', tools }).map(({ pointer, detail }) => [pointer, detail]),
    ).toEqual([
      ['/mcp_servers/a~1b', "The text `instructions` of the MCP server 'a/b' has 1 hidden character"],
      ['/mcp_servers/a~1b', "The tool 'bad' of the MCP server 'a/b' has 3 hidden characters"],
    ])
    const many = Array.from({ length: 50 }, (_, i) => ({ name: `${i}\u200b` }))
    expect(hiddenInServer('s', { tools: many })).toHaveLength(20)
  })
})
