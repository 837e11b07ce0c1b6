// An editor: vscode-jsonrpc speaks to the language server over two streams in this process.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node.js'
import { type Host, processHost } from '../../cli/host.ts'
import { type Ending, serve } from '../../cli/lsp/server.ts'

export interface Publication {
  readonly uri: string
  readonly version?: number
  readonly diagnostics: readonly {
    readonly code: string
    readonly severity: number
    readonly message: string
    readonly range: Range
  }[]
}

interface Position {
  readonly line: number
  readonly character: number
}

interface Range {
  readonly start: Position
  readonly end: Position
}

/** The host of a server on two streams. */
export function hostOn(stdin: PassThrough, stdout: PassThrough, cwd: string, changes: Partial<Host> = {}): Host {
  const host = Object.assign(Object.create(processHost(new URL('file:///'))), changes)
  return Object.create(host, {
    stdin: { value: stdin },
    stdout: { value: stdout },
    cwd: { value: cwd },
  })
}

/** A new folder with files, by their paths. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'blazon lsp-')))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

export class Client {
  readonly toServer = new PassThrough()
  readonly fromServer = new PassThrough()
  readonly ending: Promise<Ending>
  readonly shown: Publication[] = []
  readonly messages: string[] = []
  readonly folder: string
  readonly #connection
  #version = 1
  capabilities: Record<string, unknown> = {}

  constructor(folder: string, changes: Partial<Host> = {}) {
    this.folder = folder
    this.ending = serve(hostOn(this.toServer, this.fromServer, folder, changes))
    this.#connection = createMessageConnection(
      new StreamMessageReader(this.fromServer),
      new StreamMessageWriter(this.toServer),
    )
    this.#connection.onNotification('textDocument/publishDiagnostics', (shown: Publication) => this.shown.push(shown))
    this.#connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
      this.messages.push(message)
    })
    this.#connection.onRequest('client/registerCapability', () => null)
    this.#connection.listen()
  }

  static async start(files: Readonly<Record<string, string>> = {}, params: object = {}): Promise<Client> {
    const client = new Client(folderWith(files))
    await client.initialize(params)
    return client
  }

  async initialize(params: object = {}): Promise<void> {
    const workspaceFolders = [{ uri: pathToFileURL(this.folder).href, name: 'folder' }]
    const result = await this.request('initialize', { capabilities: {}, workspaceFolders, ...params })
    this.capabilities = (result as { capabilities: Record<string, unknown> }).capabilities
    this.notify('initialized', {})
  }

  uri(path: string): string {
    return pathToFileURL(join(this.folder, path)).href
  }

  request(method: string, params?: object): Promise<unknown> {
    return this.#connection.sendRequest(method, params)
  }

  notify(method: string, params: object): void {
    this.#connection.sendNotification(method, params).catch(() => undefined)
  }

  /** Opens a document by its path or its URI. */
  open(path: string, text: string, languageId = path.endsWith('.json') ? 'json' : 'yaml'): string {
    const uri = path.includes(':') ? path : this.uri(path)
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: this.#version, text } })
    return uri
  }

  change(uri: string, ...contentChanges: readonly object[]): number {
    const version = ++this.#version
    this.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges })
    return version
  }

  /** Asks about a document, and perhaps a position in it. */
  ask<Result>(feature: string, uri: string, position?: readonly [line: number, character: number], more = {}) {
    const at = position && { position: { line: position[0], character: position[1] } }
    return this.request(`textDocument/${feature}`, { textDocument: { uri }, ...at, ...more }) as Promise<Result>
  }

  /** The diagnostics that were published last for a document, once there are some that fit. */
  async findings(uri: string, fits: (shown: Publication) => boolean = () => true): Promise<Publication['diagnostics']> {
    for (;;) {
      const last = this.shown.findLast((one) => one.uri === uri)
      if (last !== undefined && fits(last)) return last.diagnostics
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }

  async end(): Promise<Ending> {
    await this.request('shutdown')
    this.notify('exit', {})
    const ending = await this.ending
    this.#connection.dispose()
    rmSync(this.folder, { recursive: true, force: true })
    return ending
  }
}

export const codes = (found: Publication['diagnostics']): readonly string[] => found.map(({ code }) => code)
