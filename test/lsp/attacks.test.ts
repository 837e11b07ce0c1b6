import { rmSync, writeFileSync } from 'node:fs'
import type { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { Frames, MOST_HEADER, MOST_MESSAGE, messageIn } from '../../cli/lsp/framing.ts'
import { Client, codes, folderWith } from './client.ts'

const DEFINITION = '{"adl_spec": "0.1.0", "name": 1}'
const zero = { line: 0, character: 0 }
const insert = (text: string, at = zero) => ({ range: { start: at, end: at }, text })
const header = (length: number | string) => Buffer.from(`Content-Length: ${length}\r\n\r\n`)

const frame = (message: object) => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  return Buffer.concat([header(Buffer.byteLength(body)), Buffer.from(body)])
}

function bodiesOf(...chunks: readonly Uint8Array[]): string[] {
  const frames = new Frames()
  return chunks.flatMap((chunk) => [...frames.take(chunk)].map((body) => Buffer.from(body).toString()))
}

test('cuts messages at any byte, and many out of one chunk', () => {
  const message = (text: string) => Buffer.concat([header(Buffer.byteLength(text)), Buffer.from(text)])
  const all = Buffer.concat(['{}', '"é😀"', ''].map(message))
  for (let cut = 0; cut <= all.length; cut++)
    expect(bodiesOf(all.subarray(0, cut), all.subarray(cut))).toEqual(['{}', '"é😀"', ''])
  expect(bodiesOf(...Array.from(all, (byte) => Uint8Array.of(byte)))).toHaveLength(3)
  expect(bodiesOf(Buffer.concat(Array.from({ length: 5000 }, () => message('[1]'))))).toHaveLength(5000)
  const typed = Buffer.from('Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\n{}')
  expect(bodiesOf(typed)).toEqual(['{}'])
})

test('refuses headers without a length, with two, with too long a one, and endless ones', () => {
  for (const text of ['Content-Type: x\r\n\r\n', 'Content-Length: -1\r\n\r\n', 'X-Content-Length: 2\r\n\r\n{}'])
    expect(() => bodiesOf(Buffer.from(text))).toThrow('no Content-Length')
  expect(() => bodiesOf(Buffer.from('Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'))).toThrow('no Content-Length')
  expect(() => bodiesOf(header(4_294_967_296))).toThrow(`more than ${MOST_MESSAGE}`)
  expect(() => bodiesOf(header('9'.repeat(20)))).toThrow(`more than ${MOST_MESSAGE}`)
  expect(() => bodiesOf(Buffer.alloc(MOST_HEADER + 1, 'a'))).toThrow(`more than ${MOST_HEADER} bytes`)
})

test('half of a surrogate pair in a message becomes a character of the same length', () => {
  const value = (json: string) => messageIn(Buffer.from(json))
  expect(value('"a\\ud83d"')).toBe('a\ufffd')
  expect(value('"\\udc00\\ud83d\\ude00\\\\ud83d"')).toBe('\ufffd😀\\ud83d')
  expect(() => value('{"a": 1, "a": 2}')).toThrow('not valid JSON')
})

test.each([
  ['a header without a length', 'Content-Type: x\r\n\r\n{}'],
  ['a length of 4 GB', 'Content-Length: 4294967296\r\n\r\n{}'],
  ['a body that is not JSON', 'Content-Length: 1\r\n\r\n{'],
  ['a body that is not an object', 'Content-Length: 2\r\n\r\n[]'],
])('ends after %s, because a change may have been lost', async (_, bytes) => {
  const client = new Client(folderWith({}))
  await client.initialize()
  client.toServer.write(bytes)
  expect((await client.ending).failure).toMatch(/message/)
  rmSync(client.folder, { recursive: true })
})

test('an editor that goes away ends the server, also without a shutdown', async () => {
  const client = await Client.start()
  await client.findings(client.open('a.adl.json', DEFINITION))
  client.toServer.end()
  expect(await client.ending).toEqual({ isClean: false, failure: undefined })
})

test('answers requests that it does not know or that come too early or too late', async () => {
  const client = new Client(folderWith({}))
  await expect(client.request('textDocument/hover')).rejects.toMatchObject({ code: -32_002 })
  await client.initialize()
  await expect(client.request('initialize')).rejects.toMatchObject({ code: -32_600 })
  await expect(client.request('constructor')).rejects.toMatchObject({ code: -32_601 })
  for (const params of [undefined, { textDocument: 7 }, { textDocument: { uri: 'nowhere:x' }, position: null }])
    expect(await client.request('textDocument/hover', params)).toBeNull()
  client.notify('textDocument/didOpen', { textDocument: { uri: 7 } })
  client.notify('textDocument/didChange', { textDocument: { uri: 'nowhere:x' }, contentChanges: 1 })
  client.notify('workspace/didChangeWorkspaceFolders', { event: { added: [{ uri: 'http://a/b' }, 1], removed: 7 } })
  expect((await client.end()).isClean).toBe(true)
})

test('publishes no findings of an older text after those of a newer one, whatever the pace of changes', async () => {
  const client = await Client.start()
  const uri = client.open('a.adl.json', DEFINITION)
  let last = 0
  for (let i = 0; i < 200; i++) {
    last = client.change(uri, insert(' '))
    if (i % 20 === 0) await client.ask('hover', uri, [0, 0])
  }
  await client.findings(uri, ({ version }) => version === last)
  const versions = client.shown.map(({ version }) => version!)
  expect(versions).toEqual([...versions].sort((a, b) => a - b))
  await client.end()
})

test('publishes nothing for a text that was changed while its folder was read', async () => {
  const reading: (() => void)[] = []
  const list = async () => {
    await new Promise<void>((done) => reading.push(done))
    return [{ name: 'agent.yaml', kind: 'file' }] as const
  }
  const client = new Client(folderWith({ 'agent.yaml': '' }), { list })
  await client.initialize()
  const uri = client.open('agent.yaml', 'name: a\nversion: one\ntools: 7\n')
  const begun = async (count: number) => {
    while (reading.length < count) await new Promise((done) => setTimeout(done, 2))
  }
  await begun(1)
  const version = client.change(uri, { text: 'name: a\nversion: 1.0.0\ntools: []\n' })
  await client.request('workspace/unknown').catch(() => undefined)
  reading[0]!()
  await begun(2)
  expect(client.shown).toEqual([])
  reading[1]!()
  const found = await client.findings(uri)
  expect([client.shown.map((one) => one.version), codes(found).filter((code) => code === 'AL-1002')]).toEqual([
    ...[[version], []],
  ])
  for (const done of reading) done()
  client.toServer.end()
  await client.ending
  rmSync(client.folder, { recursive: true })
})

test('an agent whose folder cannot be read is checked alone, and shows no secrets and no control characters', async () => {
  const list = () => Promise.reject(new Error('gone'))
  const client = new Client(folderWith({ 'agent.yaml': '' }), { list })
  await client.initialize()
  const secret = `sk-ant-${'Aa1Bb2Cc3Dd4'.repeat(6)}`
  const uri = client.open('agent.yaml', `name: a\nversion: "${secret}\\e[31m"\ntools: []\n`)
  const shown = JSON.stringify(await client.findings(uri, ({ diagnostics }) => diagnostics.length > 0))
  expect(shown).toContain('version')
  expect(shown).not.toMatch(/Aa1Bb2|\\u001b/)
  client.toServer.end()
  await client.ending
  rmSync(client.folder, { recursive: true })
})

test('takes a burst of 10,000 changes, and checks only a few of them', async () => {
  const client = await Client.start()
  const uri = client.open('a.adl.json', DEFINITION)
  await client.findings(uri)
  const changes = Array.from({ length: 10_000 }, (_, i) => {
    const params = { textDocument: { uri, version: i + 2 }, contentChanges: [insert('\n')] }
    return frame({ method: 'textDocument/didChange', params })
  })
  client.toServer.write(Buffer.concat(changes))
  const found = await client.findings(uri, ({ version }) => version === 10_001)
  expect(found.find(({ code }) => code === 'ADL-1004')!.range.start.line).toBe(10_000)
  expect(client.shown.length).toBeLessThan(200)
  await client.end()
})

test('changes with halves of surrogates and beyond the text leave a document whose places are right', async () => {
  for (const [positionEncodings, column] of [
    [['utf-16'], 27],
    [['utf-8'], 30],
  ] as const) {
    const client = await Client.start({}, { capabilities: { general: { positionEncodings } } })
    expect(client.capabilities['positionEncoding']).toBe(positionEncodings[0])
    const uri = client.open('a.adl.json', '{"adl_spec": "0.1.0", "na')
    const beyond = { line: 99, character: 1e12 }
    client.change(uri, insert('me": 1}', beyond), insert('\ud83d', { line: 0, character: 14 }))
    const last = client.change(uri, insert('é', { line: 0, character: 14 }), insert('', { line: -1, character: -1.5 }))
    const found = await client.findings(uri, ({ version }) => version === last)
    const start = found.find(({ code }) => code === 'ADL-1001' || code === 'ADL-2001')!.range.start
    expect(start.line).toBe(0)
    client.change(uri, { text: '{"adl_spec": "0.1.0", "é😀": 1}' })
    const members = await client.findings(uri, ({ diagnostics }) => codes(diagnostics).includes('BADL-101'))
    expect(members.find(({ code }) => code === 'BADL-101')!.range.end.character).toBe(column)
    await client.end()
  }
})

test('reads URIs with blanks, and documents that are not files', async () => {
  const client = await Client.start()
  for (const uri of [
    client.uri('with blanks é/a b.adl.json'),
    `${pathToFileURL(client.folder).href}/not escaped.adl.json`,
    'untitled:Untitled-1.adl.json',
    'vscode-vfs://github/acme/agents/a.adl.json?ref=main#1',
    'file://server/share/a.adl.json',
    'file:',
  ]) {
    const found = await client.findings(client.open(uri, DEFINITION, 'json'))
    expect(codes(found), uri).toContain('ADL-1004')
  }
  await client.end()
})

test('a document of a file that vanished, and an agent whose folder vanished, are checked all the same', async () => {
  const client = await Client.start({ 'agent/agent.yaml': 'name: a\n', 'agent/prompt.yaml': 'version: 1\n' })
  const uri = client.open('agent/agent.yaml', 'name: a\nversion: 1.0.0\ntools: []\n')
  await client.findings(uri)
  rmSync(`${client.folder}/agent`, { recursive: true })
  client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: client.uri('agent/prompt.yaml'), type: 3 }] })
  const last = client.change(uri, insert('# gone\n'))
  expect(await client.findings(uri, ({ version }) => version === last)).toBeDefined()
  expect(await client.ask('hover', uri, [1, 0])).not.toBeNull()
  await client.end()
})

test('two workspace folders have a configuration each, and one that is added has its own', async () => {
  const off = 'rules: { ADL-1004: warning }\n'
  const client = await Client.start({ 'one/blazon.config.yaml': off, 'two/x': '', 'three/blazon.config.yaml': off })
  const folder = (name: string) => ({ uri: client.uri(name), name })
  client.notify('workspace/didChangeWorkspaceFolders', {
    event: { added: [folder('one'), folder('two')], removed: [{ uri: pathToFileURL(client.folder).href }] },
  })
  const severityIn = async (path: string, fits?: (severity: number) => boolean) => {
    const severityOf = (found: readonly { code: string; severity: number }[]) =>
      found.find(({ code }) => code === 'ADL-1004')?.severity ?? 0
    const uri = client.uri(path)
    return severityOf(await client.findings(uri, ({ diagnostics }) => fits?.(severityOf(diagnostics)) ?? true))
  }
  for (const name of ['one', 'two', 'three']) client.open(`${name}/a.adl.json`, DEFINITION)
  expect([await severityIn('one/a.adl.json'), await severityIn('two/a.adl.json')]).toEqual([2, 1])
  writeFileSync(`${client.folder}/one/blazon.config.yaml`, 'rules: {}\n')
  client.notify('workspace/didChangeWatchedFiles', {
    changes: [{ uri: client.uri('one/blazon.config.yaml'), type: 2 }],
  })
  expect(await severityIn('one/a.adl.json', (severity) => severity === 1)).toBe(1)
  writeFileSync(`${client.folder}/two/blazon.config.yaml`, 'rules: 7\n')
  client.notify('workspace/didChangeWatchedFiles', {
    changes: [{ uri: client.uri('two/blazon.config.yaml'), type: 1 }],
  })
  while (client.messages.length === 0) await new Promise((done) => setTimeout(done, 2))
  expect(client.messages[0]).toContain('blazon.config.yaml')
  await client.end()
})

test('a request that is cancelled while it waits is not answered with a result', async () => {
  const client = await Client.start()
  const [toServer, uri] = [client.toServer as PassThrough, client.open('a.adl.json', DEFINITION)]
  const hover = { method: 'textDocument/hover', params: { textDocument: { uri }, position: zero } }
  const answers: Buffer[] = []
  const cancel = frame({ method: '$/cancelRequest', params: { id: 'x' } })
  client.fromServer.on('data', (chunk: Buffer) => answers.push(chunk))
  toServer.write(Buffer.concat([frame({ id: 'w', ...hover }), frame({ id: 'x', ...hover }), cancel]))
  await client.ask('hover', uri, [0, 0])
  expect(Buffer.concat(answers).toString()).toContain('"id":"x","error":{"code":-32800')
  await client.end()
})
