// What an agent run does when a question or a sandbox fails: nothing that the user did not allow.
import { execFile } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Interface } from 'node:readline/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { confirmingAt } from '../../cli/agentlang/models.ts'

const folder = mkdtempSync(join(tmpdir(), 'agent-guards-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a question at the terminal', () => {
  const { isTTY } = process.stdin
  afterEach(() => {
    process.stdin.isTTY = isTTY
  })
  type Answer = (text: string, options?: { signal?: AbortSignal }) => Promise<string>
  let close = () => {}
  /** Asks at a terminal that answers like this. */
  const ask = (question: Answer, hasTerminal = true) => {
    process.stdin.isTTY = hasTerminal
    return confirmingAt(
      () => {},
      () => {
        const terminal = Object.assign(new EventEmitter(), { question, close() {} })
        close = () => void terminal.emit('close')
        return terminal as unknown as Interface
      },
    )
  }

  test.each([
    ['yes', async () => 'yes', true],
    ['y, with spaces', async () => ' Y ', true],
    ['nothing', async () => '', false],
    ['no', async () => 'no', false],
    ['yes and more', async () => 'yes, but', false],
    ['a closed terminal', () => Promise.reject(new Error('readline was closed')), false],
  ])('is answered by %s', async (_, answer, expected) => {
    expect(await ask(answer)('Allow it?')).toBe(expected)
  })

  test('without a terminal is a no, and is not asked', async () => {
    const asked = vi.fn(async () => 'yes')
    expect([await ask(asked, false)('Allow it?'), asked.mock.calls]).toEqual([false, []])
  })

  test('that is open when the terminal closes is a no', async () => {
    const waiting = (_: string, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise<string>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
    const answer = ask(waiting)('Allow it?')
    await Promise.resolve()
    close()
    expect(await answer).toBe(false)
  })

  test('that failed does not answer the next one, and each waits for the one before', async () => {
    const answers = [() => Promise.reject(new Error('closed')), async () => 'y', async () => '']
    const confirm = ask(() => answers.shift()!())
    expect(await Promise.all([confirm('1'), confirm('2'), confirm('3')])).toEqual([false, true, false])
  })
})

describe('a sandbox', () => {
  /** Runs an agent with a command, while `bwrap` is this program. */
  async function run(name: string, bwrap: string) {
    const [place, to] = [join(folder, name), join(folder, name, 'to')]
    for (const path of ['a', 'bin', 'work', 'to']) mkdirSync(join(place, path), { recursive: true })
    const plan = { turns: [{ calls: [{ tool: 'say', input: { args: ['hi'] } }] }, { text: 'Done.' }] }
    const agent = 'name: a\nversion: 1.0.0\ndescription: A.\ndeveloper: acme\nbash_tools: { say: { command: echo } }\n'
    writeFileSync(join(place, 'a/agent.yaml'), agent)
    writeFileSync(join(place, 'plan.json'), JSON.stringify(plan))
    writeFileSync(join(place, 'bin/bwrap'), bwrap, { mode: 0o700 })
    const words = ['--accept', 'command:say', '--to', to, '--work', join(place, 'work'), '--prompt', 'Go']
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [resolve('dist/cli/blazon.js'), 'agent', 'run', 'a', '--model', 'script:plan.json', ...words],
      { cwd: place, env: { ...process.env, PATH: `${join(place, 'bin')}${delimiter}${process.env['PATH']}` } },
    )
    const events = readFileSync(join(to, readdirSync(to).find((file) => file.endsWith('.events.jsonl'))!), 'utf8')
    return { stderr, events }
  }

  test('that does not start runs nothing', async () => {
    const { stderr, events } = await run('broken', '#!/bin/sh\necho it ran\nexit 1\n')
    expect(stderr).toContain('does not start here')
    expect(events).toContain("no tool 'say'")
    expect(events).not.toContain('it ran')
  })

  test('that starts runs what the user accepts', async () => {
    const { stderr, events } = await run('sound', '#!/bin/sh\necho it ran\n')
    expect(stderr).not.toContain('does not start here')
    expect(events).toContain('it ran')
  })
})
