import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Host } from '../../cli/host.ts'
import { writeData, writeWords } from '../../cli/writer.ts'
import { blazon, type Setting } from './terminal.ts'

/** Clears the screen, hides text, reverses the writing direction, is C1 for CSI, and is invisible. */
const HOSTILE = '\x1b[2J\x1b[8m\u202e\u009b31m\u200b\x07'
// Unicode's categories Cc and Cf, from the platform instead of hidden.ts.
const HIDDEN = /[\p{Cc}\p{Cf}]/u
const FOREIGN = `a${HOSTILE}b`

const hiddenIn = (text: string) => [...text].filter((one) => HIDDEN.test(one) && one !== '\n' && one !== '\t')

const env = { BLAZON_TOKEN: 'token' }
const card = JSON.stringify({ id: 'agent://scout', name: FOREIGN, description: 'Finds \u202epapers.' })
const sources: Readonly<Record<string, string>> = {
  'scout.card.json': card,
  'escaped.json': JSON.stringify({ name: 'é' }),
  'raw.yaml': 'name: "a\u202eb" # \u009b31m\n',
}

/** Commands with answers of servers or documents from strangers. */
const RUNS: readonly (readonly [name: string, argv: readonly string[], setting: Setting])[] = [
  [
    'tasks take',
    ['tasks', 'take', 'bob', '--directory', 'https://d.example'],
    { env, server: () => Response.json({ id: 't', description: FOREIGN }) },
  ],
  [
    'directory export',
    ['directory', 'export', '--from', 'https://d.example'],
    {
      env,
      server: ({ url }) =>
        url.includes('/export')
          ? new Response(`{"id":"agent://a",\t"card":{"name":"a\u202e\u009bb"}}\n`)
          : Response.json({ rules: [{ verdict: 'block', subject: FOREIGN, reason: FOREIGN }], waiting: [] }),
    },
  ],
  ['canonicalize', ['canonicalize', 'scout.card.json'], {}],
  ['fmt', ['fmt', 'raw.yaml'], {}],
  ['fmt --check', ['fmt', '--check', `x${HOSTILE}.yaml`], { files: { [`x${HOSTILE}.yaml`]: 'a:   1\n' } }],
  [
    'canonicalize --hash',
    ['canonicalize', '--hash', `x${HOSTILE}.json`, 'escaped.json'],
    { files: { ...sources, [`x${HOSTILE}.json`]: '{}' } },
  ],
  ['render', ['render', '--text', `${FOREIGN}{{a}}`, '--var', `a=${HOSTILE}`], {}],
  ['validate', ['validate', 'scout.card.json'], {}],
  ['a wrong command', [`x${HOSTILE}`], {}],
  ['an unknown file', ['validate', `x${HOSTILE}`, '--verbose'], {}],
  [
    'publish',
    ['publish', 'scout.card.json', '--to', 'https://d.example'],
    { server: () => Response.json({ stored: true, reason: FOREIGN }) },
  ],
]

describe.each(RUNS)('%s', (_, argv, setting) => {
  test('cannot control the terminal', async () => {
    const { stdout, stderr } = await blazon(argv, {
      files: sources,
      ...setting,
      tty: true,
      env: { ...setting.env, NO_COLOR: '1' },
    })
    expect([hiddenIn(stdout), hiddenIn(stderr)]).toEqual([[], []])
    expect(stdout + stderr).not.toBe('')
  })

  test('keeps stderr visible in a file', async () => {
    const { stderr } = await blazon(argv, { files: sources, ...setting })
    expect(hiddenIn(stderr)).toEqual([])
  })
})

describe('a pipe', () => {
  test.each([
    ['canonicalize', 'scout.card.json'],
    ['fmt', 'raw.yaml'],
  ])('%s: gets the exact bytes', async (...argv) => {
    const { stdout } = await blazon(argv, { files: sources })
    expect(hiddenIn(stdout)).toContain('\u202e')
  })

  test('JSON of servers has no hidden characters, and the same value', async () => {
    const [, take, setting] = RUNS[0]!
    const { stdout } = await blazon(take, setting)
    expect([hiddenIn(stdout), JSON.parse(stdout)]).toEqual([[], { id: 't', description: FOREIGN }])
    const [, argv, answers] = RUNS[1]!
    const exported = await blazon(argv, answers)
    expect(hiddenIn(exported.stdout)).toEqual([])
    const lines = exported.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual([
      { rule: { verdict: 'block', subject: FOREIGN, reason: FOREIGN } },
      { id: 'agent://a', card: { name: 'a\u202e\u009bb' } },
    ])
  })
})

describe('the writer', () => {
  const written = (write: (host: Host) => void, isTTY: boolean) => {
    const chunks: (string | Uint8Array)[] = []
    const output = { isTTY, write: (chunk: string | Uint8Array) => chunks.push(chunk) }
    write({ stdout: output, stderr: output } as unknown as Host)
    return chunks
  }

  test('leaves lines, tabs and its own colors, and no other sequence', () => {
    expect(written((host) => writeData(host, 'a\tb\r\nc\x1b[31md\re\n'), true)).toEqual([
      'a\tb\r\nc\u241b[31md\u240de\n',
    ])
    expect(written((host) => writeWords(host, '\x1b[31mred\x1b[39m\x1b[8mhidden\n'), false)).toEqual([
      '\x1b[31mred\x1b[39m\u241b[8mhidden\n',
    ])
  })

  test('gives bytes to a pipe as they are, and to a terminal as text', () => {
    const bytes = Uint8Array.of(0x61, 0xff, 0x1b, 0x0a)
    expect(written((host) => writeData(host, bytes), false)).toEqual([bytes])
    expect(written((host) => writeData(host, bytes), true)).toEqual(['a\ufffd\u241b\n'])
  })

  test('is the only file of cli/ that writes to a stream', () => {
    // host.ts creates the streams. main.ts writes the version only, and blazon.ts which Node is needed. A language server writes messages to an editor. A run asks at the terminal by readline, in visible text. The tap passes the bytes of a server on as they are, to a program.
    const writes = (path: string) =>
      /console\.|process\.std|\bstd(?:out|err)\??\.write\b|[{,]\s*std(?:out|err)\b/.test(
        readFileSync(`cli/${path}`, 'utf8').replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, ''),
      )
    const files = readdirSync('cli', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
    expect(files.filter(writes).sort()).toEqual([
      'agentlang/models.ts',
      'blazon.ts',
      'commands/runs/tap.ts',
      'host.ts',
      'lsp/connection.ts',
      'main.ts',
      'writer.ts',
    ])
  })
})
