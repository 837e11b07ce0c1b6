// --to of every verb that records runs: a folder or a server, and nothing else.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { blazon } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'run-places-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'file'), '')

const files = {
  'a/agent.yaml': 'name: a\nversion: 1.0.0\ndescription: A.\ndeveloper: acme\n',
  'plan.json': JSON.stringify({ turns: [{ text: 'Done.' }] }),
}
const VERBS: Readonly<Record<string, readonly string[]>> = {
  'agent run': ['agent', 'run', 'a', '--model', 'script:plan.json', '--prompt', 'Go', '--work', '/home/me/work'],
  'runs hook': ['runs', 'hook', '--install', 'claude'],
  'runs tap': ['runs', 'tap'],
}
const argv = (verb: string, to: string) => [
  ...VERBS[verb]!,
  `--to=${to}`,
  ...(verb === 'runs tap' ? ['--', 'true'] : []),
]

describe.each(Object.keys(VERBS))('blazon %s --to', (verb) => {
  test.each([
    'ftp://a.example/runs',
    'file:///tmp/runs',
    'http://a.example/runs',
    'http:/a.example',
    'https://',
    'https://user:pw@a.example/',
    'https://a.example/?x',
    'wss://a.example/',
    '',
    ' ',
    'a\0b',
  ])('refuses %j', async (to) => {
    const { code, stderr } = await blazon(argv(verb, to), { files, stdin: '' })
    expect([code, stderr.includes('--to')], stderr).toEqual([2, true])
  })

  test.runIf(verb === 'agent run')('refuses a file', async () => {
    expect((await blazon(argv(verb, join(folder, 'file')), { files, stdin: '' })).code).toBe(2)
  })

  test('takes a folder and a URL', async () => {
    // An agent run writes its events below the folder of this process as well.
    for (const to of [join(folder, 'made', verb), ...(verb === 'agent run' ? [] : ['https://a.example/v1'])]) {
      const { code } = await blazon(argv(verb, to), {
        files,
        stdin: '',
        server: () => new Response('{}', { status: 503 }),
      })
      expect(code).toBe(0)
    }
  }, 60_000)
})

const program = resolve('dist/cli/blazon.js')
if (!existsSync(program)) console.warn('NOT RUN: agent run --to URL: dist/cli/blazon.js is not built')

test.runIf(existsSync(program))('the lines of an agent run go to the server, with the token', async () => {
  const lines: string[] = []
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const isKnown = request.headers.authorization === 'Bearer tok-12345678'
    if (isKnown) lines.push(...text.split('\n').filter((line) => line !== ''))
    const status = !isKnown ? 401 : request.url === '/v1/runs' ? 201 : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ size: lines.length }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const cwd = mkdtempSync(join(folder, 'agent-'))
  mkdirSync(join(cwd, 'a'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, path), text)
  const words = [...VERBS['agent run']!.slice(0, -1), 'work', '--to', url, '--token', 'env:TOKEN']
  const env = { ...process.env, TOKEN: 'tok-12345678' }
  const { stderr } = await promisify(execFile)(process.execPath, [program, ...words], { cwd, env })
  server.close()
  expect([stderr.includes('not recorded'), stderr.includes(`record: ${url}`)]).toEqual([false, true])
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(['run_started', 'step', 'step', 'run_completed'])
  expect(readdirSync(join(cwd, 'runs')).every((name) => name.endsWith('.events.jsonl'))).toBe(true)
})
