// What an agent run does when a question or a sandbox fails: nothing that the user did not allow.
import { EventEmitter } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'

/** Stands for the terminal: how it answers, and whether the sandbox starts. */
const world = vi.hoisted(() => ({
  question: async (_text: string, _options?: { signal?: AbortSignal }): Promise<string> => '',
  close: () => {},
  isIsolated: false,
}))
vi.mock('node:readline/promises', () => ({
  createInterface() {
    const terminal = Object.assign(new EventEmitter(), {
      question: (text: string, options?: { signal?: AbortSignal }) => world.question(text, options),
      close: () => {},
    })
    world.close = () => void terminal.emit('close')
    return terminal
  },
}))
vi.mock('../../bindings/node/bash-tools.ts', async (original) => {
  const bashTool = (name: string) => ({
    definition: { name, input_schema: { type: 'object' } },
    call: async () => ({ kind: 'ok', value: 'it ran' }),
  })
  return { ...(await original<object>()), canIsolate: async () => world.isIsolated, bashTool }
})
const { confirmingAt } = await import('../../cli/agentlang/run-parts.ts')
const { blazon } = await import('./terminal.ts')

const folder = mkdtempSync(join(tmpdir(), 'agent-guards-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a question at the terminal', () => {
  const { isTTY } = process.stdin
  afterEach(() => {
    process.stdin.isTTY = isTTY
  })
  const ask = (answer: typeof world.question, hasTerminal = true) => {
    process.stdin.isTTY = hasTerminal
    world.question = answer
    return confirmingAt(() => {})
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
    world.close()
    expect(await answer).toBe(false)
  })

  test('that failed does not answer the next one, and each waits for the one before', async () => {
    const answers = [() => Promise.reject(new Error('closed')), async () => 'y', async () => '']
    const confirm = ask(() => answers.shift()!())
    expect(await Promise.all([confirm('1'), confirm('2'), confirm('3')])).toEqual([false, true, false])
  })
})

describe('a sandbox', () => {
  async function run(isIsolated: boolean) {
    world.isIsolated = isIsolated
    const to = mkdtempSync(join(folder, 'to-'))
    const files = {
      'a/agent.yaml':
        'name: a\nversion: 1.0.0\ndescription: A.\ndeveloper: acme\nbash_tools: { say: { command: echo } }\n',
      'plan.json': JSON.stringify({
        turns: [{ calls: [{ tool: 'say', input: { args: ['hi'] } }] }, { text: 'Done.' }],
      }),
    }
    const words = ['--accept', 'command:say', '--to', to, '--work', join(folder, 'work'), '--prompt', 'Go']
    const argv = ['agent', 'run', 'a', '--model', 'script:plan.json', ...words]
    const { stderr, code } = await blazon(argv, { files, stdin: '' })
    const events = readFileSync(join(to, readdirSync(to).find((name) => name.endsWith('.events.jsonl'))!), 'utf8')
    return { code, stderr, events }
  }

  test('that does not start runs nothing', async () => {
    const { code, stderr, events } = await run(false)
    expect(code).toBe(0)
    expect(stderr).toContain('does not start here')
    expect(events).toContain("no tool 'say'")
    expect(events).not.toContain('it ran')
  })

  test('that starts runs what the user accepts', async () => {
    const { stderr, events } = await run(true)
    expect(stderr).not.toContain('does not start here')
    expect(events).toContain('it ran')
  })
})
