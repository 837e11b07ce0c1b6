// What programs that Blazon starts can read of the descriptors that it inherited, in processes of their own.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { canIsolate } from '../../bindings/node/mcp-process.ts'
import { hasPrograms } from '../support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'descriptors-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const hasBash = hasPrograms('inherited descriptors', ['bash'])
const isIsolated = await canIsolate()
const program = resolve('dist/cli/blazon.js')
const hasBuild = existsSync(program)
if (!hasBuild) console.warn('NOT RUN: inherited descriptors: dist/cli/blazon.js is not built')

const SECRET = 'the text of a host file'
writeFileSync(join(folder, 'secret'), SECRET)
// Writes what its descriptors read, by their numbers.
const LIST = `
import os, sys, json
found = {}
for fd in range(3, 200):
    try: found[fd] = os.pread(fd, 100, 0).decode()
    except OSError as e:
        if e.errno != 9: found[fd] = str(e)
print(json.dumps(found), file=OUT, flush=True)
`
const DESCRIPTORS = [3, 9, 10, 16, 17, 30, 63, 150]

/** Runs a line of bash with open descriptors. */
const inBash = (line: string, cwd = folder) =>
  execFileSync('bash', ['-c', `${line} ${DESCRIPTORS.map((fd) => `${fd}<${folder}/secret`).join(' ')}`], {
    cwd,
    encoding: 'utf8',
  })

describe.runIf(hasBash)('inherited descriptors', () => {
  test('a server of the library reads none of them', () => {
    const source = `
      import { startMcpServer } from ${JSON.stringify(resolve('dist/node.js'))}
      const started = await startMcpServer({ command: 'python3', args: ['-c', ${JSON.stringify(LIST.replace('OUT', 'sys.stdout'))}] })
      for await (const message of started.ok.messages) { console.log(JSON.stringify(message)); break }
      await started.ok.close()`
    writeFileSync(join(folder, 'start.mjs'), source)
    expect(inBash(`${process.execPath} start.mjs`)).not.toContain(SECRET)
  })

  test.runIf(hasBuild)('what an agent starts has none of them', () => {
    const place = mkdtempSync(join(folder, 'run-'))
    mkdirSync(join(place, 'a'))
    const server = { command: 'python3', args: ['-c', LIST.replace('OUT', 'open("seen", "w")')] }
    const agent = `name: a\nversion: 1.0.0\ndescription: A.\nmcp_servers: ${JSON.stringify({ list: server })}\nbash_tools: { python: { command: python3 } }\n`
    writeFileSync(join(place, 'a/agent.yaml'), agent)
    const call = { tool: 'python', input: { args: ['-c', LIST.replace('OUT', 'sys.stdout')] } }
    writeFileSync(join(place, 'plan.json'), JSON.stringify({ turns: [{ calls: [call] }, { text: 'Done.' }] }))
    const words =
      'agent run a --model script:plan.json --prompt Go --work w --accept command:list --accept command:python'
    inBash(`${process.execPath} ${program} ${words} --unpinned list`, place)
    const seen = readFileSync(join(place, 'w/seen'), 'utf8')
    const events = readdirSync(join(place, 'runs')).find((name) => name.endsWith('.events.jsonl'))!
    const text = readFileSync(join(place, 'runs', events), 'utf8')
    expect(seen + text).not.toContain(SECRET)
    if (process.platform === 'linux') expect(seen).toBe('{}\n')
    if (isIsolated) expect(text).toContain('"output":"{}\\n"')
  })
})
