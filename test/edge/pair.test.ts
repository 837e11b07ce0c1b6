// `npm start -- --agents FOLDER`, and the walkthrough of docs/start/domain.md as printed: the tool with all of its
// checks, over what it sees as HTTPS at port 443, against Blazon's own Worker.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../support/port.ts'
import { endAll, newState, says, start } from './npm-start.ts'

afterAll(endAll)

const page = readFileSync('docs/start/domain.md', 'utf8')
const [starting, walk] = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!)

test('docs/start/domain.md works on one machine: two agents are found, talk, give a task and redeem an invitation', async () => {
  expect(starting).toBe('npm start -- --agents /tmp/agents\n')
  const [folder, port] = [join(newState(), 'agents'), await freePort()]
  const server = start('--agents', folder, '--port', String(port))
  await says(server, /Ctrl-C/)
  const lines = walk!.replaceAll('/tmp/agents', folder).replaceAll('8787', String(port))
  const { stdout, stderr, status } = spawnSync('sh', ['-ec', lines], { encoding: 'utf8' })
  expect([status, stderr.includes('error'), stderr]).toEqual([0, false, expect.anything()])
  expect(stdout).toContain('key-verified (checked)')
  expect(stderr).toContain('talking to agent:alice.example: ')
  expect(stderr).toContain('peer-verified (checked)')
  expect(stdout).toMatch(/queued\treview\tagent:bob\.example\t/)
  expect(stdout).toContain('"state":"queued"')
  expect(stdout).toMatch(/^blazon1\.read-one\./m)
  // The page names the commands that the server prints.
  for (const line of server.output().match(/^ {2}node blazon\.mjs .*$/gm)!) expect(lines).toContain(line.trim())
})

test('a folder with other files is left alone', async () => {
  const folder = newState()
  writeFileSync(join(folder, 'alice.key'), 'mine')
  const server = start('--agents', folder, '--port', String(await freePort()))
  expect(await server.ended).toBe(2)
  expect(server.output()).toContain('is not empty')
  expect(readFileSync(join(folder, 'alice.key'), 'utf8')).toBe('mine')
})
