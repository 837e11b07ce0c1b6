import { describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const card = (uri: string) =>
  JSON.stringify({
    id: 'agent://a',
    name: 'a',
    tools: [{ name: 'translate' }, { name: 'sing' }],
    endpoints: [{ protocol: 'http+json', uri }],
  })
const files = {
  'card.json': card('https://mcp.example/mcp'),
  'aitp.json': '{"id": "agent://a", "name": "a", "endpoints": [{"protocol": "aitp", "uri": "agent://a"}]}',
  'list.json': '[]',
}

/** An A2A agent that translates. */
const fetch = async (url: string, init: RequestInit = {}) =>
  init.method === 'POST' || !url.endsWith('/.well-known/agent-card.json')
    ? new Response(null, { status: 405 })
    : Response.json({ skills: [{ id: 'translate' }, { id: 'detect' }] })

describe('probe', () => {
  test('[card/7.4-1] lists claimed tools that are missing, and announces its connections', async () => {
    const { code, stdout, stderr } = await blazon(['probe', 'card.json', '--network'], { files, fetch })
    expect(code).toBe(1)
    expect(stdout).toBe('https://mcp.example/mcp: a2a, tools offered: 2\n  missing    sing\n  unclaimed  detect\n')
    expect(stderr).toMatch(/^connecting to https:\/\/mcp\.example\/mcp\n/)
    expect(stderr).toContain('CARD-178')
  })

  test('[card/7.4-2] connects only with --network, and names the addresses without', async () => {
    const { code, stderr } = await blazon(['probe', 'card.json'], { files })
    expect(code).toBe(2)
    expect(stderr).toContain('probe would connect to https://mcp.example/mcp')
    expect(stderr).toContain('--network')
  })

  test('exits 3 if no endpoint answers', async () => {
    const { code, stdout } = await blazon(['probe', 'card.json', '--network'], { files })
    expect([code, stdout]).toEqual([3, 'https://mcp.example/mcp: does not list its tools\n'])
  })

  test('reports a card without an endpoint to probe', async () => {
    const { code, stderr } = await blazon(['probe', 'aitp.json'], { files })
    expect(code).toBe(0)
    expect(stderr).toContain('nothing to probe')
  })

  test.each([
    [['probe', 'list.json', '--network'], 'is not an Agent Card'],
    [['probe', 'card.json', 'aitp.json', '--network'], 'probe takes one card'],
  ])('%j is wrong usage', async (argv, words) => {
    const { code, stderr } = await blazon(argv, { files })
    expect(code).toBe(2)
    expect(stderr).toContain(words)
  })
})
