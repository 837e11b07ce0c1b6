// Editing the YAML of 400 tools: our language server, and yaml-language-server with our schema, each as a process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { stringify } from 'yaml'
import { editorServer } from '../support/peers.mjs'
import { largeDefinition } from './yaml.mjs'

const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = createRequire(import.meta.url)(
  'vscode-jsonrpc/node',
)

export const title = 'Editing'

export const notes = [
  'The definition in YAML has 400 tools. A letter is written into a description in its middle, at the pace of a person.',
  'The 95th percentile of 40 changes and 40 completions. Memory is the largest resident set; `open` includes the start of the process.',
]

const [CHANGES, PAUSE_MS, PATIENCE_MS] = [40, 150, 60_000]
const URI = 'file:///project/agent.adl.yaml'
const OURS = ['dist/cli/blazon.js', 'lsp']
const FIGURES = [
  ['open: from the start of the process to the findings', ' ms', 'open', 600, 400],
  ['open: to the findings, in a process that has checked a document', ' ms', 'next', 150, 80],
  ['change to findings', ' ms', 'change', 50, 30],
  ['processor time of a change and a completion', ' ms', 'spent', 50, 30],
  ['completion', ' ms', 'completion', 20, 5],
  ['memory', ' MB', 'memory', 120, 100],
]

export function cases() {
  const ours = memoized(() => session(OURS))
  const theirs = memoized(() => session([editorServer(), '--stdio']))
  return FIGURES.flatMap(([name, unit, figure, atMost, aim]) => [
    { name, unit, atMost, aim, measure: async () => (await ours())[figure] },
    { name: `the same, yaml-language-server`, unit, measure: async () => (await theirs())[figure] },
  ])
}

function memoized(work) {
  let done
  return () => {
    done ??= work()
    return done
  }
}

/** Edits the document, and returns the figures. */
async function session(argv) {
  const text = stringify(largeDefinition())
  const lines = text.split('\n')
  const line = lines.findIndex((one) => one.includes('Finds invoice number 200'))
  const begin = performance.now()
  const server = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] })
  const connection = createMessageConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  )
  let shown
  connection.onNotification('textDocument/publishDiagnostics', (params) => shown?.(params))
  const schemas = { [pathToFileURL('dist/schemas/adl.json').href]: '*' }
  const settings = { validate: true, completion: true, schemas }
  connection.onRequest('workspace/configuration', ({ items }) =>
    items.map(({ section }) => (section === 'yaml' ? settings : null)),
  )
  connection.onRequest('client/registerCapability', () => null)
  connection.onNotification(() => undefined)
  connection.listen()
  /** The time from a notification to the next findings of the document. */
  const toFindings = async (uri, method, params) => {
    const start = performance.now()
    const next = new Promise((resolve, reject) => {
      setTimeout(reject, PATIENCE_MS, new Error('no findings')).unref()
      shown = (one) => one.uri === uri && resolve(one)
    })
    await connection.sendNotification(method, params)
    const { diagnostics } = await next
    if (method.endsWith('didChange') && diagnostics.length > 1) throw new Error(JSON.stringify(diagnostics.slice(0, 3)))
    return performance.now() - start
  }
  const capabilities = { workspace: { configuration: true }, textDocument: { completion: {}, publishDiagnostics: {} } }
  await connection.sendRequest('initialize', { processId: null, rootUri: null, capabilities })
  await connection.sendNotification('initialized', {})
  await connection.sendNotification('workspace/didChangeConfiguration', { settings: { yaml: settings } })
  const document = (uri) => ({ textDocument: { uri, languageId: 'yaml', version: 1, text } })
  await toFindings(URI, 'textDocument/didOpen', document(URI))
  const open = performance.now() - begin
  const other = URI.replace('agent', 'other')
  const next = await toFindings(other, 'textDocument/didOpen', document(other))
  await connection.sendNotification('textDocument/didClose', { textDocument: { uri: other } })
  const [changes, completions] = [[], []]
  const spentBefore = spentBy(server.pid)
  const start = { line, character: lines[line].indexOf('Finds') }
  for (let i = 0; i < CHANGES; i++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const textDocument = { uri: URI, version: i + 2 }
    const contentChanges = [{ range: { start, end: start }, text: 'x' }]
    changes.push(await toFindings(URI, 'textDocument/didChange', { textDocument, contentChanges }))
    const before = performance.now()
    await connection.sendRequest('textDocument/completion', {
      textDocument,
      position: { line: line + 1, character: 4 },
    })
    completions.push(performance.now() - before)
  }
  const spent = (spentBy(server.pid) - spentBefore) / CHANGES
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  const exit = once(server, 'exit')
  await connection.sendRequest('shutdown')
  await connection.sendNotification('exit')
  await exit
  connection.dispose()
  const memory = Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024
  return { open, next, change: late(changes), completion: late(completions), spent, memory }
}

/** The processor time of a process, in milliseconds: fields 14 and 15 of proc(5), in hundredths of a second. */
function spentBy(pid) {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const fields = rest.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The 95th percentile. */
const late = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)]
