// AgentLang: the body of a request, the versions of tools, and calls to an MCP server, each against a library that does
// the same.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { compileToolTemplate, resolveTools, toolContract } from 'blazon/agentlang'
import { createRecorder } from 'blazon/runs'
import semver from 'semver'
import { importBundled } from '../support/bundle.mjs'
import { random } from './documents.mjs'
import { median } from './harness.mjs'

export const title = 'AgentLang'

export const notes = [
  'A body: the peers escape values as JSON, and JSON.parse reads what they render, because ours is checked to be JSON.',
  'Versions: ours also takes the digest of each definition. The peer only finds the versions.',
  'Calls: ours checks arguments and result, and records both in memory. The SDK checks results, and records nothing.' +
    ' Each has its own server, a process that answers at once.',
  'One call at a time: recording takes 17 us in a row, and 67 after each wait for another process, which cools the caches.',
]

export async function* cases({ peer }) {
  yield body(await peer('handlebars'), await peer('mustache'))
  yield versions()
  yield* calls()
}

const BODY = `{
  "model": "{{model}}", "stream": {{stream}}, "temperature": {{temperature}}, "max_tokens": {{max_tokens}},
  "messages": [
    { "role": "system", "content": "You are the assistant of {{company}}. Answer in {{language}}, cite the page of each source that you use, and say so when no source has an answer. Never quote more than two sentences, and never guess a date, a name or an amount." },
    { "role": "user", "content": "{{question}}" }
  ],
  "tools": {{tools}},
  "metadata": { "user": "{{user}}", "tags": {{tags}}, "trace": "{{trace}}" }
}`
const VALUES = {
  model: 'large-2',
  stream: false,
  temperature: 0.2,
  max_tokens: 1024,
  company: 'Harbour & Sons',
  language: 'English',
  question: 'Which "clauses" of the contract\nname a deadline, and what follows when it is missed?',
  tools: [{ name: 'search', parameters: { type: 'object', properties: { query: { type: 'string' } } } }],
  user: 'u-2041',
  tags: ['contracts', 'deadlines'],
  trace: '4bf92f3577b34da6a3ce929d0e0e4736',
}

function body({ default: Handlebars }, { default: Mustache }) {
  const escaped = (value) => (typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value))
  Handlebars.Utils.escapeExpression = escaped
  const [ours, handlebars] = [compileToolTemplate(BODY), Handlebars.compile(BODY)]
  const peers = {
    handlebars: () => JSON.parse(handlebars(VALUES)),
    mustache: () => JSON.parse(Mustache.render(BODY, VALUES, undefined, { escape: escaped })),
  }
  return {
    name: 'a body of 0.8 KB with 11 parameters, checked',
    floor: { handlebars: 1.2, mustache: 1.5 },
    aim: { handlebars: 2, mustache: 2.7 },
    check: () =>
      same(
        JSON.parse(ours.render('json', VALUES).value),
        Object.values(peers).map((render) => render()),
      ),
    ours: () => ours.render('json', VALUES),
    peers,
  }
}

function versions() {
  const next = random(200)
  const below = (n) => Math.floor(next() * n)
  const version = () => `${below(4)}.${below(10)}.${below(10)}`
  const range = [() => `^${version()}`, () => `~${version()}`, () => `>=${version()}`, () => `${below(4)}.x`]
  const names = Array.from({ length: 200 }, (_, i) => `tool_${i}`)
  const tools = names.map((name, i) => ({ name, version: range[i % range.length]() }))
  const definitions = () => Object.fromEntries(Array.from({ length: 100 }, () => [version(), { about: 'A tool.' }]))
  const index = { tools: Object.fromEntries(names.map((name) => [name, definitions()])) }
  const listed = new Map(names.map((name) => [name, Object.keys(index.tools[name])]))
  const theirs = () => tools.map((tool) => semver.maxSatisfying(listed.get(tool.name), tool.version))
  const ours = () => resolveTools(tools, index).tools
  return {
    name: 'the versions of 200 tools, about 100 each',
    floor: 1,
    aim: 2,
    check: () =>
      same(
        names.map((name) => ours().get(name)?.version ?? null),
        [theirs()],
      ),
    ours,
    peers: { semver: theirs },
  }
}

const TOOL = {
  name: 'add',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
}

/** A server that speaks 2025-11-25, and writes all answers to the lines of a chunk at once. */
const SERVER = `
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'add', version: '1' } },
    'tools/list': { tools: [${JSON.stringify(TOOL)}] },
  }
  const call = ({ arguments: { a, b } }) => ({ content: [], structuredContent: { sum: a + b } })
  const answer = ({ id, method, params }) => {
    const result = method === 'tools/call' ? call(params) : results[method]
    return JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: '' } }) })
  }
  let rest = ''
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\\n')
    rest = lines.pop()
    const requests = lines.map((line) => JSON.parse(line)).filter(({ id }) => id !== undefined)
    process.stdout.write(requests.map((request) => answer(request) + '\\n').join(''))
  })
`
const COMMAND = { command: process.execPath, args: ['-e', SERVER] }
const CLIENT = { name: 'bench', version: '1.0.0' }
const [CALLS, AT_ONCE, ROUNDS] = [2000, 100, 100]

/** The calls of ours and of the SDK, alternating. */
async function* calls() {
  const { openMcp, startMcpServer, memorySink } = await importBundled(
    'bench-agentlang',
    `export { openMcp } from './bindings/mcp/peer.ts'
     export { startMcpServer } from './bindings/node/mcp-process.ts'
     export { memorySink } from './bindings/runs/record/sink.ts'`,
  )
  const sdk = new Client(CLIENT)
  await sdk.connect(new StdioClientTransport(COMMAND))
  await sdk.listTools()
  const { ok: session } = await openMcp((await startMcpServer(COMMAND)).ok, { client: CLIENT })
  const contract = toolContract({ input_schema: TOOL.inputSchema, output_schema: TOOL.outputSchema })
  const head = { tenant_id: 'local', agent: { agent_id: 'bench' } }
  const recorder = await createRecorder(head, { sink: memorySink() })
  const ours = async (input) => {
    if (contract.checkArguments(input).length > 0) throw new Error('wrong arguments')
    const index = await recorder.begin({ type: 'tool_call', name: TOOL.name, input })
    const { ok } = await session.callTool(TOOL.name, input)
    const { value: output } = contract.checkResult({ output: ok.structuredContent })
    await recorder.end(index, { type: 'tool_result', output })
    return output.sum
  }
  const theirs = async (input) => (await sdk.callTool({ name: TOOL.name, arguments: input })).structuredContent.sum
  same(await ours({ a: 1, b: 2 }), [await theirs({ a: 1, b: 2 }), 3])
  try {
    yield {
      name: 'a call over stdio, checked and recorded, p50, times that of MCP SDK 1.32',
      unit: 'x',
      atMost: 1.3,
      aim: 1,
      async measure() {
        const times = [[], []]
        for (let i = 0; i < CALLS; i++)
          for (const side of i % 2 === 0 ? [0, 1] : [1, 0]) {
            const start = performance.now()
            await [ours, theirs][side]({ a: i, b: 1 })
            times[side].push(performance.now() - start)
          }
        return median(times[0]) / median(times[1])
      },
    }
    yield {
      name: '100 calls at once, the time for each',
      unit: ' us',
      atMost: 60,
      aim: 25,
      async measure() {
        const times = []
        for (let round = 0; round < ROUNDS; round++) {
          const start = performance.now()
          await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => ours({ a: i, b: round })))
          times.push((1000 * (performance.now() - start)) / AT_ONCE)
        }
        return median(times)
      },
    }
  } finally {
    await Promise.all([session.close(), sdk.close(), recorder.complete()])
  }
}

function same(ours, theirs) {
  for (const one of theirs) if (JSON.stringify(ours) !== JSON.stringify(one)) throw new Error('answers differ')
}
