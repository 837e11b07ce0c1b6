// The language server: what it offers, and what it does for each method of LSP 3.17.
import { basename } from 'node:path'
import { formOf } from '../../bindings/kinds.ts'
import { isText, type JsonObject, objectOf } from '../../bindings/text/members.ts'
import type { Host } from '../host.ts'
import { completionsAt } from './completion.ts'
import { Connection, FAULT, type Handler, type Handlers, ResponseError } from './connection.ts'
import { diagnosticsOf, fixAll, formatEdits, overlap, rangeIn, shownText, textEdits } from './diagnostics.ts'
import { type CheckedVersion, Documents, type OpenDocument } from './documents.ts'
import { hoverAt } from './hover.ts'
import { foldsOf, symbolsOf } from './outline.ts'
import { definitionAt, partsAround, rename, toolAt } from './references.ts'
import { positionOf, rangeOf } from './text.ts'
import { foldersIn, pathOf, Workspace } from './workspace.ts'

const FIX_ALL = 'source.fixAll.blazon'
const CAPABILITIES = {
  textDocumentSync: { openClose: true, change: 2, save: true },
  hoverProvider: true,
  completionProvider: { triggerCharacters: ['"', "'", ' ', ':', '/'] },
  definitionProvider: true,
  renameProvider: { prepareProvider: true },
  codeActionProvider: { codeActionKinds: ['quickfix', FIX_ALL] },
  documentSymbolProvider: true,
  documentFormattingProvider: true,
  foldingRangeProvider: true,
  workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
}
/** CodeActionTriggerKind: asked by the editor, not by a person. */
const AUTOMATIC = 2
const WATCHED = '**/*.{json,yaml,yml,md}'

/** How serving ended: the reason why a client's stream was not understood, or an exit without a shutdown. */
export interface Ending {
  readonly isClean: boolean
  readonly failure: string | undefined
}

export async function serve(host: Host): Promise<Ending> {
  const server = new Server(host)
  const failure = await server.serve()
  return { isClean: failure === undefined && server.isShutDown, failure }
}

class Server implements Handlers {
  readonly #host: Host
  readonly #connection: Connection
  readonly #workspace: Workspace
  readonly #documents: Documents
  #state: 'new' | 'ready' | 'shut down' | 'gone' = 'new'
  #canWatch = false
  readonly #warned = new Set<string>()
  isShutDown = false

  constructor(host: Host) {
    this.#host = host
    this.#connection = new Connection(host)
    this.#workspace = new Workspace(host)
    this.#documents = new Documents(
      this.#workspace,
      () => host.now(),
      async (uri, found, document) => {
        const version = document === undefined ? {} : { version: document.version }
        const diagnostics = diagnosticsOf(found, document)
        await this.#connection.notify('textDocument/publishDiagnostics', { uri, ...version, diagnostics })
        const { fault } = document?.latest?.checking ?? {}
        if (fault !== undefined) await this.#warn(fault)
      },
    )
  }

  async serve(): Promise<string | undefined> {
    try {
      return await this.#connection.serve(this)
    } finally {
      this.#documents.closeAll()
    }
  }

  get isDone(): boolean {
    return this.#state === 'gone'
  }

  admit(method: string): void {
    if (this.#state === 'new' && method !== 'initialize' && method !== 'exit')
      throw new ResponseError(FAULT.notInitialized, 'the server is not initialized')
    if (this.#state !== 'new' && method === 'initialize')
      throw new ResponseError(FAULT.wrongRequest, 'the server is initialized already')
    if (this.#state === 'shut down' && method !== 'exit')
      throw new ResponseError(FAULT.wrongRequest, 'the server is shut down')
  }

  readonly requests: Readonly<Record<string, Handler>> = {
    initialize: (params) => this.#initialize(params),
    shutdown: () => {
      this.#state = 'shut down'
      this.isShutDown = true
      this.#documents.closeAll()
    },
    'textDocument/hover': this.#onChecked((open, checked, params) =>
      hoverAt(open, checked, positionOf(params['position'])),
    ),
    'textDocument/completion': async ({ textDocument, position }) => {
      const open = this.#documents.get(objectOf(textDocument)['uri'])
      return open === undefined ? null : completionsAt(open, positionOf(position), this.#documents, this.#host)
    },
    'textDocument/definition': this.#onChecked(async (open, checked, params) => {
      const parts = await partsAround(open, checked, this.#documents)
      return definitionAt(parts, positionOf(params['position']), this.#host, checked.checking.folder)
    }),
    'textDocument/prepareRename': this.#onChecked(async (open, checked, params) => {
      const tool = toolAt(await partsAround(open, checked, this.#documents), positionOf(params['position']))
      return tool && { range: tool.range, placeholder: tool.name }
    }),
    'textDocument/rename': this.#onChecked(async (open, checked, params) => {
      const parts = await partsAround(open, checked, this.#documents)
      const tool = toolAt(parts, positionOf(params['position']))
      return tool && rename(parts, tool, String(params['newName']))
    }),
    'textDocument/codeAction': this.#onChecked((open, checked, params) => this.#actions(open, checked, params)),
    'textDocument/documentSymbol': this.#onChecked((open, { document }) => document && symbolsOf(document, open.text)),
    'textDocument/foldingRange': this.#onChecked(
      (open, { document }) => document && foldsOf(symbolsOf(document, open.text)),
    ),
    'textDocument/formatting': this.#onChecked((open, { document, kind }) =>
      document === undefined || formOf(kind) !== 'document' ? [] : formatEdits(open, document),
    ),
  }

  readonly notifications: Readonly<Record<string, Handler>> = {
    initialized: () => {
      if (!this.#canWatch) return
      const watchers = [{ globPattern: WATCHED }]
      const method = 'workspace/didChangeWatchedFiles'
      const registrations = [{ id: 'blazon-files', method, registerOptions: { watchers } }]
      return this.#connection.request('client/registerCapability', { registrations })
    },
    exit: () => {
      this.#state = 'gone'
    },
    'textDocument/didOpen': ({ textDocument }) => {
      const { uri, languageId, version, text } = objectOf(textDocument)
      if (!isText(uri) || !isText(text)) return
      const isOpen = this.#documents.open(uri, String(languageId), Number(version), text)
      if (!isOpen) return this.#warn('Too many documents are open: the newest ones are not checked')
    },
    'textDocument/didChange': ({ textDocument, contentChanges }) => {
      const { uri, version } = objectOf(textDocument)
      const open = this.#documents.get(uri)
      if (open === undefined || !Array.isArray(contentChanges)) return
      const changes = contentChanges.map(objectOf).map(({ text, range }) => ({
        text: String(text),
        ...(range !== undefined && { range: rangeOf(range) }),
      }))
      this.#documents.change(open, Number(version), changes)
    },
    'textDocument/didSave': ({ textDocument }) => this.#changedOnDisk([objectOf(textDocument)['uri']]),
    'textDocument/didClose': ({ textDocument }) => this.#documents.close(String(objectOf(textDocument)['uri'])),
    'workspace/didChangeWatchedFiles': ({ changes }) =>
      this.#changedOnDisk((Array.isArray(changes) ? changes : []).map((change) => objectOf(change)['uri'])),
    'workspace/didChangeWorkspaceFolders': ({ event }) => {
      const { added, removed } = objectOf(event)
      const gone = foldersIn(removed)
      const stay = this.#workspace.folders.filter((folder) => !gone.includes(folder))
      this.#workspace.folders = [...new Set([...stay, ...foldersIn(added)])]
      this.#documents.checkAll()
    },
  }

  #initialize({ workspaceFolders, rootUri, capabilities }: JsonObject): object {
    const { general, workspace } = objectOf(capabilities)
    const encodings = objectOf(general)['positionEncodings']
    const first = Array.isArray(encodings) ? encodings.find((one) => one === 'utf-8' || one === 'utf-16') : undefined
    this.#documents.encoding = first ?? 'utf-16'
    this.#canWatch = objectOf(objectOf(workspace)['didChangeWatchedFiles'])['dynamicRegistration'] === true
    const root = isText(rootUri) ? pathOf(rootUri) : undefined
    const folders = foldersIn(workspaceFolders)
    this.#workspace.folders = folders.length > 0 || root === undefined ? folders : [root]
    this.#state = 'ready'
    return {
      capabilities: { positionEncoding: this.#documents.encoding, ...CAPABILITIES },
      serverInfo: { name: 'blazon', version: this.#host.version },
    }
  }

  /** A handler for a document's current version; null if the document is not open or changes meanwhile. */
  #onChecked(work: (open: OpenDocument, checked: CheckedVersion, params: JsonObject) => unknown): Handler {
    return async (params) => {
      const open = this.#documents.get(objectOf(params['textDocument'])['uri'])
      const checked = open && (await this.#documents.current(open))
      return checked === undefined || checked.kind === undefined ? null : work(open!, checked, params)
    }
  }

  async #actions(open: OpenDocument, checked: CheckedVersion, params: JsonObject): Promise<object[]> {
    const range = rangeOf(params['range'])
    const { only, triggerKind } = objectOf(params['context'])
    const isWanted = (kind: string) =>
      !Array.isArray(only) || only.some((one) => kind === one || kind.startsWith(`${String(one)}.`))
    const fixable = checked.diagnostics.filter(({ fix }) => (fix?.edits ?? []).length > 0)
    const { uri } = open
    const actions: object[] = []
    for (const one of isWanted('quickfix') ? fixable : []) {
      if (!overlap(rangeIn(open.text, one.source), range)) continue
      const edit = { changes: { [uri]: textEdits(open, checked.bytes, one.fix!.edits!) } }
      const diagnostics = diagnosticsOf([one], open)
      actions.push({ title: one.fix!.hint, kind: 'quickfix', isPreferred: true, diagnostics, edit })
    }
    // Every fix is tried, so an editor that only shows a light bulb does not get this one.
    if (fixable.length === 0 || !isWanted(FIX_ALL) || (!Array.isArray(only) && triggerKind === AUTOMATIC))
      return actions
    const edits = await fixAll(open, checked)
    if (edits.length > 0 && open.version === checked.version)
      actions.push({ title: 'Fix all findings of Blazon', kind: FIX_ALL, edit: { changes: { [uri]: edits } } })
    return actions
  }

  /** A file has changed that documents may depend on: a configuration, a baseline, a file of an agent's folder. */
  #changedOnDisk(uris: readonly unknown[]): void {
    const paths = uris.filter(isText).flatMap((uri) => pathOf(uri) ?? [])
    const isOpen = (path: string) =>
      this.#documents.at(path) !== undefined && !basename(path).startsWith('blazon.config.')
    if (paths.every(isOpen)) return
    this.#workspace.forget()
    this.#documents.checkAll()
  }

  /** Shows a message once. */
  async #warn(message: string): Promise<void> {
    if (this.#warned.has(message) || this.#warned.size > 100) return
    this.#warned.add(message)
    await this.#connection.notify('window/showMessage', { type: 2, message: shownText(message) })
  }
}
