import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { EVERY_COMMAND } from './every-command.ts'
import { blazon, type Setting } from './terminal.ts'

const schema = JSON.parse(readFileSync('docs/schema/cli-output.schema.json', 'utf8'))
const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true })
const validate = ajv.compile(schema)

function expectValid(text: string): Record<string, unknown> {
  const value = JSON.parse(text)
  expect(validate(value), ajv.errorsText(validate.errors)).toBe(true)
  return value
}

const files = {
  'good.json': '{"b": [1, {"c": 2}], "a": "é"}',
  'other.json': '{"b": [1, {"c": 3}], "a": "é"}',
  'longer.json': '{"b": [1, {"c": 2}, 3], "a": "é"}',
  'bad.json': '{\n  "a": 1,\n  "a": 2\n}',
  'comma.json': '[1,]',
  'cut.json': '{"a": [1',
  'numbers.json': '[9007199254740993, 1e-400]',
  'granting.json': '{"adl_spec": "0.1.0", "permissions": {"environment": {"allowed_variables": ["A"]}}}',
  'wider.json': '{"adl_spec": "0.1.0", "permissions": {"environment": {"allowed_variables": ["*"]}}}',
  'agent.json': JSON.stringify({
    adl_spec: '0.1.0',
    name: 'Scout',
    description: 'Finds papers, and nothing else.',
    version: '1.0.0',
    data_classification: { sensitivity: 'public' },
  }),
  'run.json': readFileSync('fixtures/runs/review.json', 'utf8'),
  'run.ndjson': '{}\n',
  'agent.yaml': 'name: scout\nversion: 1.0.0\nmodels: {}\n',
  'card.json': '{"id": "agent://scout", "name": "Scout", "skills": ["nlp"], "seq": 4}',
  'claiming.json':
    '{"id": "agent://a", "name": "a", "tools": [{"name": "x"}], "endpoints": [{"protocol": "http+json", "uri": "https://a.example"}]}',
  'template.txt': 'Hello {{name}}',
  'values.json': '{"name": "World"}',
  'private.pem': await exportKey(await generateKey(), 'pem'),
}

/** A network without agents, so no socket is opened. */
const noSockets: Setting['sockets'] = async () =>
  class {
    constructor() {
      throw new Error('no WebSocket was to be opened')
    }
  } as never

const AGENT = { 'coach/agent.yaml': 'name: coach\nversion: 1.0.0\ndeveloper: acme\n' }

const CASES: readonly [exit: number, line: string, setting?: Setting][] = [
  [0, 'bump card.json'],
  [0, 'revoke card.json --key private.pem'],
  [0, 'sign card.json --key private.pem'],
  [4, 'verify card.json'],
  [0, 'canonicalize good.json'],
  [0, 'canonicalize good.json numbers.json --hash sha512'],
  [0, 'canonicalize good.json --without /b/1/c --without /none'],
  [1, 'canonicalize bad.json'],
  [1, 'canonicalize comma.json cut.json good.json'],
  [3, 'canonicalize none.json bad.json'],
  [1, 'canonicalize -', { stdin: '[1 2]' }],
  [0, 'diff --canonical good.json good.json'],
  [1, 'diff --canonical good.json other.json'],
  [1, 'diff --canonical good.json longer.json'],
  [1, 'diff --canonical good.json bad.json'],
  [0, 'diff granting.json granting.json'],
  [1, 'diff granting.json wider.json'],
  [1, 'diff granting.json bad.json'],
  [0, 'decide granting.json environment variable=A'],
  [1, 'decide granting.json tool name=A'],
  [1, 'decide bad.json tool name=A'],
  [0, 'grants granting.json wider.json'],
  [0, 'permissions granting.json wider.json'],
  [0, 'match --kind host *.example.com -- a.example.com'],
  [1, 'match --kind host *.a* b -- x.a.example x.a1 -', { stdin: 'b\ny\n' }],
  [2, 'match --kind host ** -- a.example.com'],
  [0, 'render template.txt --vars values.json'],
  [1, 'render template.txt'],
  [1, 'render --text {{x --vars values.json'],
  [3, 'render none.txt'],
  [0, 'selftest --numbers 1000'],
  [0, 'search --tag nlp --from card.json'],
  [1, 'search nothing --from card.json'],
  [3, 'search --tag nlp --from none.json'],
  [
    1,
    'probe claiming.json --network -q',
    {
      fetch: async (_: string, init?: RequestInit) =>
        init?.method === 'POST' ? new Response(null, { status: 404 }) : Response.json({ skills: [] }),
    },
  ],
  [3, 'probe claiming.json --network -q'],
  [3, 'discover alice.example.com -q'],
  [3, 'dns check alice.example.com -q'],
  [0, 'tags list'],
  [0, 'tags normalize ML'],
  [0, 'tags suggest pyhton other'],
  [1, 'tags match nlp -- nlp/translation vision'],
  [0, 'completion zsh'],
  [0, 'fmt good.json other.json'],
  [1, 'fmt --check good.json bad.json'],
  [0, 'fmt --compact good.json'],
  [0, 'init new.adl.yaml'],
  [0, 'init new.card.json --kind card'],
  [1, 'validate good.json'],
  [0, 'explain'],
  [0, 'explain ADL-2002'],
  [0, 'approve agent.json --inventory inventory.json'],
  [0, 'convert agent.json --to mcp-2025-11-25'],
  [0, 'review agent.json'],
  [0, 'gate agent.json --trusted'],
  [1, 'gate agent.json'],
  [0, 'keygen'],
  [0, 'doctor'],
  [
    0,
    'invite create alice --directory https://a.example -q',
    {
      env: { BLAZON_TOKEN: 't' },
      server: () => Response.json({ id: 'A'.repeat(22), signed: true, invitation: {} }, { status: 201 }),
    },
  ],
  [1, 'invite redeem good.json'],
  [1, 'dns records good.json'],
  [3, 'chat bob.example.com --as agent:alice.example.com --key private.pem --say hello -q', { sockets: noSockets }],
  [3, 'tasks send bob.example.com review --as agent:alice.example.com --key private.pem -q'],
  [3, 'tasks status https://bob.example.com/agent/tasks/1 --as agent:alice.example.com --key private.pem -q'],
  [3, 'tasks cancel https://bob.example.com/agent/tasks/1 --as agent:alice.example.com --key private.pem -q'],
  ...(
    [
      ['tasks list bob --directory https://a.example -q', { tasks: [] }],
      ['tasks take bob --directory https://a.example -q', {}],
      ['tasks complete bob 1 --directory https://a.example -q', { id: '1', state: 'completed' }],
    ] as const
  ).map(([line, body]): [number, string, Setting] => [
    0,
    line,
    { env: { BLAZON_TOKEN: 't' }, server: () => Response.json(body) },
  ]),
  [
    0,
    'token create ci --scope publish --directory https://a.example -q',
    { env: { TOKEN_SECRET: 's' }, server: () => Response.json({ tokens: { ci: 'blazon1.publish.0.Y2k.x' } }) },
  ],
  [
    0,
    'token revoke ci --directory https://a.example -q',
    { env: { TOKEN_SECRET: 's' }, server: () => Response.json({ withdrawn: ['ci'] }) },
  ],
  [0, 'keygen --algorithm ES256 --out new.key'],
  [0, 'agent inspect agent.yaml -q'],
  [0, 'grants agent.yaml granting.json'],
  [0, 'gate agent.yaml --host desktop -q'],
  [0, 'runs redact run.json -q'],
  [0, 'runs audit run.json --against run.json'],
  [0, 'convert run.json --to otlp -q'],
  [0, 'runs seal run.json --key private.pem --out sealed.ndjson -q'],
  [1, 'runs prove run.ndjson --step 0 -q'],
  [0, 'runs redact sealed.ndjson -q', { files: { ...files, 'sealed.ndjson': '{}\n', 'sealed.salts': '' } }],
  [1, 'runs retain run.ndjson --older 9 -q'],
  [0, 'runs show run.json -q'],
  [1, 'runs tail run.ndjson -q'],
  [0, 'runs list . -q'],
  [0, 'runs stats . -q'],
  [1, 'runs search x . -q'],
  [0, 'runs hook --install codex -q'],
  [3, 'runs tap -q -- /nonexistent/server'],
  [0, 'agent lock coach -q', { files: AGENT }],
  [0, 'agent build coach --key private.pem -q', { files: { ...files, ...AGENT } }],
  [3, 'agent run coach --model script:none.json --prompt x -q', { files: AGENT }],
  [3, 'agent pull registry.example/acme/coach:1.0.0 -q', { server: () => new Response('', { status: 404 }) }],
  [1, 'agent unpack coach@1.0.0.agent -q', { files: { 'coach@1.0.0.agent': 'PK' } }],
  [0, 'aip init -q'],
  [3, 'aip issue --agent a --tenant a --capability agent:a -q'],
  [4, 'verify run.json -q'],
  [0, 'sign agent.json --key private.pem'],
  [1, 'sign good.json --key private.pem'],
  [1, 'sign numbers.json --key private.pem'],
  [4, 'verify good.json'],
  [4, 'verify bad.json good.json'],
  [
    0,
    'directory export --from https://a.example -q',
    { env: { BLAZON_TOKEN: 't' }, server: () => new Response('{"id":"agent://a","card":""}\n') },
  ],
  [
    1,
    'directory import card.json --to https://a.example -q',
    {
      env: { BLAZON_TOKEN: 't' },
      server: () => Response.json({ lines: 1, stored: 0, unchanged: 0, refused: [{ line: 1, reason: 'no' }] }),
    },
  ],
  ...(
    [
      ['directory remove agent://a --reason spam --at https://a.example -q', { id: 'agent://a', removed: true }],
      ['directory block spam.example --at https://a.example -q', { rules: [], entered: [] }],
      ['directory approve agent://a --at https://a.example -q', { rules: [], entered: ['agent://a'] }],
      ['directory list --at https://a.example -q', { rules: [{ host: 'a', verdict: 'block' }], waiting: [] }],
    ] as const
  ).map(([line, body]): [number, string, Setting] => [
    0,
    line,
    { env: { BLAZON_TOKEN: 't' }, server: () => Response.json(body) },
  ]),
  [
    0,
    'publish card.json --to https://a.example -q',
    { server: () => Response.json({ stored: true, reason: 'first' }) },
  ],
  [
    0,
    'publish good.json --to https://a.example -q',
    { env: { BLAZON_TOKEN: 't' }, server: () => Response.json({ url: 'https://a.example/agents/good/adl.json' }) },
  ],
]

describe('--format json', () => {
  test.each(CASES)('exit %i, schema: blazon %s', async (exit, line, setting) => {
    const { code, stdout, stderr } = await blazon(['--format', 'json', ...line.split(' ')], { files, ...setting })
    expect([code, stderr]).toEqual([exit, ''])
    const report = expectValid(stdout)
    expect(report).toMatchObject({ version: 1, command: line.split(' ')[0], summary: { exitCode: exit } })
  })

  test('these cases cover every command', () => {
    // A language server writes messages, and no report.
    const isTried = (name: string) => CASES.some(([, line]) => `${line} `.startsWith(`${name} `))
    expect(EVERY_COMMAND.map(({ name }) => name).filter((name) => !isTried(name))).toEqual(['lsp'])
  })

  test('wrong usage is an object of the same schema', async () => {
    const { stderr } = await blazon(['canonicalize', '--format=json', '--oops'])
    expect(expectValid(stderr)).toMatchObject({ code: 'unknown-option' })
  })

  test('the summary counts the results', async () => {
    const { stdout } = await blazon(['canonicalize', 'good.json', 'bad.json', 'numbers.json', '--format=json'], {
      files,
    })
    expect(JSON.parse(stdout).summary).toEqual({ files: 3, valid: 2, errors: 1, warnings: 2, infos: 0, exitCode: 1 })
  })

  test('the schema refuses malformed reports', () => {
    const report = { version: 1, command: 'x', results: [], summary: {} }
    expect(validate(report)).toBe(false)
    const summary = { files: 0, valid: 0, errors: 0, warnings: 0, infos: 0, exitCode: 0 }
    expect(validate({ ...report, summary })).toBe(true)
    expect(validate({ ...report, summary, version: 2 })).toBe(false)
    expect(validate({ ...report, summary, results: [{ file: 'x', kind: null, valid: true }] })).toBe(false)
  })

  test('escapes control characters, even those that JSON allows', async () => {
    const { stdout } = await blazon(['canonicalize', '-', '--format', 'json'], { stdin: '"\x7f\x9b\u202e"' })
    expect(stdout).not.toMatch(/[\x7f\u009b\u202e]/)
    expect(JSON.parse(stdout).results[0].canonical).toBe('"\x7f\x9b\u202e"')
  })
})
