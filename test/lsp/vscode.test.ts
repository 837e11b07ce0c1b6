// The extension for VS Code, with the parts of the editor that it uses, and the server in this process.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { serve } from '../../cli/lsp/server.ts'
import { folderWith, hostOn } from './client.ts'

const require = createRequire(import.meta.url)
const { Client } = require('../../editors/vscode/client.js')
const { connect } = require('../../editors/vscode/features.js')

// biome-ignore lint/suspicious/noExplicitAny: stands in for the API of an editor
type Any = any

/** The API of VS Code, as far as the extension uses it: classes keep their arguments, registrations are collected. */
function editor(folder: string) {
  const events: Record<string, (event: Any) => void> = {}
  const providers: Record<string, Any> = {}
  const shown = new Map<string, Any[]>()
  const made = (names: readonly string[]) =>
    class {
      constructor(...args: unknown[]) {
        for (const [i, name] of names.entries()) (this as Any)[name] = args[i]
      }
    }
  const uri = (text: string) => ({ scheme: text.split(':')[0], toString: () => text })
  const event = (name: string) => (listener: (event: Any) => void) => {
    events[name] = listener
    return { dispose: () => undefined }
  }
  const provider = (name: string) => (_: unknown, given: object) => {
    Object.assign(providers, given)
    return { dispose: () => undefined, name }
  }
  class Range {
    readonly start
    readonly end
    constructor(line: number, character: number, endLine: number, endCharacter: number) {
      this.start = { line, character }
      this.end = { line: endLine, character: endCharacter }
    }
  }
  class WorkspaceEdit {
    readonly edits: Any[] = []
    set(at: object, edits: Any[]) {
      this.edits.push([String(at), edits])
    }
  }
  const kind = (value: string): Any => ({
    value,
    append: (more: string) => kind(value === '' ? more : `${value}.${more}`),
  })
  const watcher = {
    onDidCreate: event('create'),
    onDidChange: event('change'),
    onDidDelete: event('delete'),
    dispose() {},
  }
  const vscode = {
    ...{ Range, WorkspaceEdit, Uri: { parse: uri } },
    Diagnostic: made(['range', 'message', 'severity']),
    Hover: made(['contents', 'range']),
    MarkdownString: made(['value']),
    Location: made(['uri', 'range']),
    TextEdit: made(['range', 'newText']),
    CompletionItem: made(['label', 'kind']),
    CodeAction: made(['title', 'kind']),
    DocumentSymbol: made(['name', 'detail', 'kind', 'range', 'selectionRange']),
    FoldingRange: made(['start', 'end']),
    CodeActionKind: { Empty: kind(''), QuickFix: kind('quickfix') },
    window: { showWarningMessage: () => undefined },
    workspace: {
      workspaceFolders: [{ uri: uri(`file://${encodeURI(folder)}`), name: 'folder' }],
      textDocuments: [] as Any[],
      createFileSystemWatcher: () => watcher,
      ...Object.fromEntries(
        [
          'OpenTextDocument',
          'ChangeTextDocument',
          'SaveTextDocument',
          'CloseTextDocument',
          'ChangeWorkspaceFolders',
        ].map((name) => [`onDid${name}`, event(name)]),
      ),
    },
    languages: {
      createDiagnosticCollection: () => ({
        set: (at: object, all: Any[]) => shown.set(String(at), all),
        dispose: () => shown.clear(),
      }),
      ...Object.fromEntries(
        ['Hover', 'CompletionItem', 'Definition', 'Rename', 'DocumentSymbol', 'FoldingRange'].map((name) => [
          ...([`register${name}Provider`, provider(name)] as const),
        ]),
      ),
      registerDocumentFormattingEditProvider: provider('Formatting'),
      registerCodeActionsProvider: provider('CodeActions'),
    },
  }
  return { vscode, events, providers, shown, uri }
}

const DEFINITION = 'adl_spec: 0.1.0\nname: Scout\nlifecycle:\n  status: activ\ntools:\n  - name: find\n'

test('the extension shows findings, hover, completion, fixes and symbols in the words of VS Code', async () => {
  const folder = folderWith({})
  const { vscode, events, providers, shown, uri } = editor(folder)
  const [toServer, fromServer] = [new PassThrough(), new PassThrough()]
  const ending = serve(hostOn(toServer, fromServer, folder))
  const client = new Client(fromServer, toServer)
  const disposables = await connect(vscode, client)
  const address = `file://${encodeURI(folder)}/a.adl.yaml`
  const document = { uri: uri(address), languageId: 'yaml', version: 1, getText: () => DEFINITION }
  const has = async (condition: (all: Any[]) => boolean) => {
    while (!condition(shown.get(address) ?? [])) await new Promise((done) => setTimeout(done, 2))
    return shown.get(address)!
  }
  events['OpenTextDocument']!({ ...document, uri: uri('git:/a.adl.yaml') })
  events['OpenTextDocument']!(document)
  const [status] = (await has((all) => all.length > 0)).filter(({ code }) => code === 'ADL-5001')
  expect(status).toMatchObject({ severity: 0, source: 'blazon', range: { start: { line: 3, character: 10 } } })
  const here = { line: 3, character: 12 }
  expect((await providers['provideHover'](document, here)).contents.value).toContain('ADL-5001')
  const items = await providers['provideCompletionItems'](document, here)
  expect(items[1]).toMatchObject({
    label: 'active',
    kind: 11,
    insertText: 'active',
    range: { start: { character: 10 } },
  })
  const [fix] = await providers['provideCodeActions'](document, { start: here, end: here }, { triggerKind: 1 })
  expect(fix).toMatchObject({ kind: { value: 'quickfix' }, edit: { edits: [[address, [{ newText: '"active"' }]]] } })
  const symbols = await providers['provideDocumentSymbols'](document)
  expect(symbols[3].children[0]).toMatchObject({ name: 'find', kind: 18 })
  expect(await providers['provideFoldingRanges'](document)).toContainEqual({ start: 4, end: 5 })
  const tool = { line: 5, character: 11 }
  expect(await providers['prepareRename'](document, tool)).toMatchObject({ placeholder: 'find' })
  await expect(providers['prepareRename'](document, here)).rejects.toThrow('names of tools')
  expect(await providers['provideRenameEdits'](document, tool, 'seek')).toMatchObject({ edits: [[address, [{}]]] })
  await expect(providers['provideRenameEdits'](document, tool, '')).rejects.toThrow('cannot be the name')
  expect(await providers['provideDefinition'](document, here)).toBeUndefined()
  expect(await providers['provideDocumentFormattingEdits'](document)).toEqual([])
  const change = { range: { start: { line: 3, character: 15 }, end: { line: 3, character: 15 } }, text: 'e' }
  events['ChangeTextDocument']!({ document: { ...document, version: 2 }, contentChanges: [change] })
  await has((all) => !all.some(({ code }) => code === 'ADL-5001'))
  events['CloseTextDocument']!(document)
  await has((all) => all.length === 0)
  for (const one of disposables) one.dispose()
  await client.end()
  expect((await ending).isClean).toBe(true)
  const hover = client.request('textDocument/hover', {})
  fromServer.destroy()
  expect(await hover).toBeUndefined()
  expect(await client.request('textDocument/hover', {})).toBeUndefined()
  rmSync(folder, { recursive: true })
})

test('the manifest names files that exist, and lets no workspace choose the program', () => {
  const manifest = JSON.parse(readFileSync('editors/vscode/package.json', 'utf8'))
  expect(existsSync(`editors/vscode/${manifest.main}`)).toBe(true)
  expect(manifest.contributes.configuration.properties['blazon.path'].scope).toBe('machine')
  expect(manifest.activationEvents.map((event: string) => event.replace('onLanguage:', ''))).toEqual([
    ...['json', 'jsonc', 'yaml', 'markdown'],
  ])
  expect(manifest).not.toHaveProperty('dependencies')
})
