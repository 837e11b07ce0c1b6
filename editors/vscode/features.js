// What VS Code shows of a language server: its own words for those of LSP.

const LANGUAGES = ['json', 'jsonc', 'yaml', 'markdown']
const SELECTOR = LANGUAGES.flatMap((language) => ['file', 'untitled'].map((scheme) => ({ language, scheme })))
const FIX_ALL = 'source.fixAll.blazon'

/** Opens the session and registers everything; resolves to what ends it. */
exports.connect = async (vscode, client) => {
  const { workspace, languages } = vscode
  const folder = ({ uri, name }) => ({ uri: uri.toString(), name })
  const workspaceFolders = (workspace.workspaceFolders ?? []).map(folder)
  const opened = await client.request('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders,
    capabilities: {},
  })
  if (opened === undefined) throw new Error('the language server has ended')
  client.notify('initialized', {})
  const shown = languages.createDiagnosticCollection('blazon')
  const words = wordsOf(vscode)
  client.on('textDocument/publishDiagnostics', ({ uri, diagnostics }) =>
    shown.set(vscode.Uri.parse(uri), diagnostics.map(words.diagnostic)),
  )
  client.on('window/showMessage', ({ message }) => void vscode.window.showWarningMessage(`Blazon: ${message}`))
  const isOurs = ({ uri, languageId }) => LANGUAGES.includes(languageId) && /^(?:file|untitled)$/.test(uri.scheme)
  const idOf = ({ uri }) => ({ textDocument: { uri: uri.toString() } })
  const open = (document) => {
    const { languageId, version } = document
    const textDocument = { uri: document.uri.toString(), languageId, version, text: document.getText() }
    if (isOurs(document)) client.notify('textDocument/didOpen', { textDocument })
  }
  const when = (event, work) => event((document) => isOurs(document) && work(document))
  workspace.textDocuments.forEach(open)
  const watcher = workspace.createFileSystemWatcher('**/*.{json,yaml,yml,md}')
  const changed = (type) => (uri) =>
    client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri.toString(), type }] })
  const ask = (method, document, params, token) =>
    client.request(`textDocument/${method}`, { ...idOf(document), ...params }, token)
  const at = (position) => ({ position: { line: position.line, character: position.character } })
  return [
    ...[
      shown,
      watcher,
      watcher.onDidCreate(changed(1)),
      watcher.onDidChange(changed(2)),
      watcher.onDidDelete(changed(3)),
    ],
    workspace.onDidOpenTextDocument(open),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const changes = contentChanges.map(({ range, text }) => ({ range: words.plain(range), text }))
      const textDocument = { uri: document.uri.toString(), version: document.version }
      if (isOurs(document)) client.notify('textDocument/didChange', { textDocument, contentChanges: changes })
    }),
    when(workspace.onDidSaveTextDocument, (document) => client.notify('textDocument/didSave', idOf(document))),
    when(workspace.onDidCloseTextDocument, (document) => client.notify('textDocument/didClose', idOf(document))),
    workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const event = { added: added.map(folder), removed: removed.map(folder) }
      client.notify('workspace/didChangeWorkspaceFolders', { event })
    }),
    languages.registerHoverProvider(SELECTOR, {
      provideHover: async (document, position, token) => words.hover(await ask('hover', document, at(position), token)),
    }),
    languages.registerCompletionItemProvider(
      SELECTOR,
      {
        provideCompletionItems: async (document, position, token) =>
          (await ask('completion', document, at(position), token))?.items.map(words.completion),
      },
      ...opened.capabilities.completionProvider.triggerCharacters,
    ),
    languages.registerDefinitionProvider(SELECTOR, {
      provideDefinition: async (document, position, token) =>
        words.location(await ask('definition', document, at(position), token)),
    }),
    languages.registerRenameProvider(SELECTOR, {
      prepareRename: async (document, position, token) => {
        const found = await ask('prepareRename', document, at(position), token)
        if (found === undefined) throw new Error('Only the names of tools can be changed')
        return { range: words.range(found.range), placeholder: found.placeholder }
      },
      provideRenameEdits: async (document, position, newName, token) =>
        words.edit(await ask('rename', document, { ...at(position), newName }, token)),
    }),
    languages.registerDocumentSymbolProvider(SELECTOR, {
      provideDocumentSymbols: async (document, token) =>
        (await ask('documentSymbol', document, {}, token))?.map(words.symbol),
    }),
    languages.registerFoldingRangeProvider(SELECTOR, {
      provideFoldingRanges: async (document, _, token) =>
        (await ask('foldingRange', document, {}, token))?.map(
          (one) => new vscode.FoldingRange(one.startLine, one.endLine),
        ),
    }),
    languages.registerDocumentFormattingEditProvider(SELECTOR, {
      provideDocumentFormattingEdits: async (document, _, token) =>
        (await ask('formatting', document, {}, token))?.map(words.textEdit),
    }),
    languages.registerCodeActionsProvider(
      SELECTOR,
      {
        provideCodeActions: async (document, range, { only, triggerKind }, token) => {
          const context = { diagnostics: [], triggerKind, ...(only && { only: [only.value] }) }
          return (await ask('codeAction', document, { range: words.plain(range), context }, token))?.map(words.action)
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.Empty.append(FIX_ALL)] },
    ),
  ]
}

function wordsOf(vscode) {
  const position = ({ line, character }) => ({ line, character })
  const range = ({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character)
  const textEdit = (one) => new vscode.TextEdit(range(one.range), one.newText)
  const diagnostic = (one) => {
    // Severities and kinds count from 1 in LSP, and from 0 in VS Code.
    const made = new vscode.Diagnostic(range(one.range), one.message, one.severity - 1)
    return Object.assign(made, { code: one.code, source: one.source })
  }
  const edit = (one) => {
    const made = new vscode.WorkspaceEdit()
    for (const [uri, edits] of Object.entries(one?.changes ?? {})) made.set(vscode.Uri.parse(uri), edits.map(textEdit))
    return made
  }
  return {
    range,
    plain: (one) => ({ start: position(one.start), end: position(one.end) }),
    textEdit,
    diagnostic,
    edit,
    hover: (one) =>
      one && new vscode.Hover(new vscode.MarkdownString(one.contents.value), one.range && range(one.range)),
    location: (one) => one && new vscode.Location(vscode.Uri.parse(one.uri), range(one.range)),
    completion: (one) => {
      const { label, kind, detail, documentation, sortText, filterText, textEdit: given } = one
      const made = new vscode.CompletionItem(label, kind - 1)
      return Object.assign(made, {
        detail,
        documentation,
        sortText,
        filterText,
        insertText: given.newText,
        range: range(given.range),
      })
    },
    symbol: function symbol(one) {
      const made = new vscode.DocumentSymbol(one.name, '', one.kind - 1, range(one.range), range(one.selectionRange))
      made.children = (one.children ?? []).map(symbol)
      return made
    },
    action: (one) => {
      const made = new vscode.CodeAction(one.title, vscode.CodeActionKind.Empty.append(one.kind))
      return Object.assign(made, {
        edit: edit(one.edit),
        isPreferred: one.isPreferred,
        diagnostics: (one.diagnostics ?? []).map(diagnostic),
      })
    },
  }
}
