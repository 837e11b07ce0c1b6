// The server as a process, as an editor starts it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node.js'

const program = resolve('dist/cli/blazon.js')
if (!existsSync(program)) console.warn('NOT RUN: the language server as a process: dist/cli/blazon.js is not built')

test.runIf(existsSync(program))(
  'the program checks a document over its pipes, and ends with the code of LSP',
  async () => {
    const server = spawn(process.execPath, [program, 'lsp', '--stdio'])
    const connection = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    )
    const shown = new Promise<{ diagnostics: readonly { code: string }[] }>((done) => {
      connection.onNotification('textDocument/publishDiagnostics', done)
    })
    connection.listen()
    const { serverInfo } = await connection.sendRequest<{ serverInfo: object }>('initialize', { capabilities: {} })
    expect(serverInfo).toMatchObject({ name: 'blazon' })
    const text = `${'# é\n'.repeat(50_000)}adl_spec: 0.1.0\nnmae: 1\n`
    const textDocument = { uri: 'untitled:a.yaml', languageId: 'yaml', version: 1, text }
    await connection.sendNotification('textDocument/didOpen', { textDocument })
    expect((await shown).diagnostics.map(({ code }) => code)).toContain('ADL-1003')
    const exit = once(server, 'exit')
    await connection.sendRequest('shutdown')
    await connection.sendNotification('exit')
    expect(await exit).toEqual([0, null])
    connection.dispose()
  },
)
