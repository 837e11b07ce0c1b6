import type { Diagnostic, SourceRange } from '../../bindings/document/types.ts'
import { toast } from '../announce.ts'
import { setUpCompare } from '../compare.ts'
import { element } from '../dom.ts'
import { Editor } from '../editor.ts'
import * as engine from '../engine.ts'
import type { Examination } from '../examine.ts'
import { EXAMPLES } from '../examples.ts'
import { applyEdits, changedPart } from '../fix.ts'
import { isPrivateKey } from '../private-key.ts'
import type { Room } from '../rooms.ts'
import { load, save } from '../saved.ts'
import { setUpSelftest } from '../selftest.ts'
import { linkHash, linkPointer, linkText } from '../share.ts'
import { Tabs } from '../tabs.ts'
import { endOf, lineOf } from '../text.ts'
import { showVerdict } from '../verdict.ts'
import type { View } from '../views/view.ts'
import { nothingFor, VIEWS, type ViewRow, type Workbench } from '../views.ts'

/**
 * Short documents are checked at each key, and so are longer ones, unless the last check took too long: then after a
 * pause.
 */
const SHORT_CHARACTERS = 20_000
const INSTANT_MS = 40
const PAUSE_MS = 150
const SAVE_MS = 400
const FILE_BYTES = 8 << 20
/** Longer links are cut by mail programs and chats. */
const LONG_LINK = 8000

/** The bytes of an opened file, until the text is edited: decoding could hide their faults. */
let file: Uint8Array<ArrayBuffer> | undefined
let examination: Examination | undefined
/** The text that was checked last. */
let text = ''
/** The milliseconds that the last check took. */
let cost = 0
let checking: ReturnType<typeof setTimeout> | undefined
let saving: ReturnType<typeof setTimeout> | undefined

const editor = new Editor(onInput)
const workbench: Workbench = {
  lineText: (line) => lineOf(text, line),
  reveal: ({ source }) => reveal(source),
  goTo,
  apply,
  openExample,
  edit,
}
const views = new Map<ViewRow, View | undefined>()
/** The document that each view shows: only the visible view is kept up to date. */
const shown = new Map<ViewRow, Examination | undefined>()
const tabs = new Tabs(VIEWS, showView)
const compareAgain = setUpCompare(() => examination?.document, reveal)

function check(): void {
  clearTimeout(checking)
  const start = performance.now()
  text = editor.text
  const source = file ?? text
  examination = source.length === 0 ? undefined : engine.examine(source)
  const { diagnostics = [], format = 'json' } = examination ?? {}
  showVerdict(examination)
  editor.mark(diagnostics, format)
  shown.clear()
  showView()
  compareAgain()
  cost = performance.now() - start
}

function showView(): void {
  const row = tabs.selected
  if (shown.has(row) && shown.get(row) === examination) return
  shown.set(row, examination)
  const nothing = nothingFor(row, examination)
  if (row.otherwise !== undefined) {
    element(`${row.name}-none`).textContent = nothing ?? ''
    element(`${row.name}-none`).hidden = nothing === undefined
    element(row.name).hidden = nothing !== undefined
  }
  if (nothing === undefined) viewOf(row)?.show(examination)
}

/** The view of a row; undefined while its script is loading, after which it shows the current document. */
function viewOf(row: ViewRow): View | undefined {
  if (views.has(row)) return views.get(row)
  const made = row.make(workbench)
  views.set(row, made instanceof Promise ? undefined : made)
  if (!(made instanceof Promise)) return made
  // Until its script is there, nobody presses a dead button.
  const panel = element(row.name)
  panel.inert = true
  const keep = (view: View) => {
    panel.inert = false
    views.set(row, view)
    shown.delete(row)
    showView()
  }
  made.then(keep, ({ message }: Error) => {
    views.delete(row)
    shown.delete(row)
    toast(message)
  })
  return undefined
}

function onInput(): void {
  file = undefined
  clearTimeout(checking)
  if (cost <= INSTANT_MS || editor.text.length <= SHORT_CHARACTERS) check()
  else checking = setTimeout(check, PAUSE_MS)
  clearTimeout(saving)
  saving = setTimeout(keepDraft, SAVE_MS)
}

function reveal(range: SourceRange): void {
  editor.reveal(range, endOf(range))
}

/** Brings the value of a pointer into view, or its innermost ancestor that exists. */
function goTo(pointer: string): void {
  const { document } = examination ?? {}
  if (document !== undefined && engine.parsePointer(pointer) !== undefined) reveal(document.source(pointer))
}

function apply({ fix }: Diagnostic): void {
  const bytes = file ?? new TextEncoder().encode(text)
  const { from, to, text: replacement } = changedPart(text, applyEdits(bytes, fix?.edits ?? []))
  editor.replace(from, to, replacement)
}

/** Puts a converted document into the editor, and keeps it. */
function edit(made: string): void {
  put(made)
  keepDraft()
}

/** Keeps the document for the next visit. */
function keepDraft(): void {
  clearTimeout(saving)
  saving = undefined
  if (!save('blazon.draft', editor.text)) toast('This document is too large for this browser to keep.')
}

/** Puts a document into the editor; `bytes` if it came from a file. */
function put(source: string, bytes?: Uint8Array<ArrayBuffer>): void {
  editor.text = source
  file = bytes
  check()
}

async function openFile(chosen: File | undefined): Promise<void> {
  if (chosen === undefined) return
  if (chosen.size > FILE_BYTES) {
    toast(`${chosen.name} is larger than ${FILE_BYTES >> 20} MiB. For such files there is: blazon canonicalize FILE`)
    return
  }
  const bytes = new Uint8Array(await chosen.arrayBuffer())
  const read = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  // The editor's text is kept in the browser and goes into share links.
  if (isPrivateKey(read)) {
    toast(`${chosen.name} is a private key, which the editor would keep. Under Signature, Open a key file takes it.`)
    return
  }
  put(read, bytes)
  keepDraft()
}

function clear(): void {
  const before = editor.text
  put('')
  keepDraft()
  history.replaceState(null, '', location.pathname + location.search)
  editor.focus()
  if (before === '') return
  toast('Cleared, here and in what this browser keeps.', {
    label: 'Undo',
    run: () => edit(before),
  })
}

async function share(): Promise<void> {
  const hash = await linkHash(editor.text)
  history.replaceState(null, '', hash)
  const { length } = location.href
  const note =
    length > LONG_LINK ? ` It has ${length.toLocaleString('en-US')} characters; some programs cut such links.` : ''
  try {
    await navigator.clipboard.writeText(location.href)
    toast(`The link is copied. It holds the document itself.${note}`)
  } catch {
    toast(`The link is in the address bar. It holds the document itself.${note}`)
  }
}

/** Opens the document of the address, if it has one. The kept draft stays until the reader types. */
async function openLink(): Promise<boolean> {
  try {
    const linked = await linkText(location.hash)
    if (linked === undefined) return false
    put(linked)
    const draft = load('blazon.draft')
    if (draft !== undefined && draft !== linked) {
      toast('This document came with the link. Your own draft is kept until you type.', {
        label: 'Open my draft',
        run: () => put(draft),
      })
    }
    return true
  } catch (error) {
    toast((error as Error).message)
    return false
  }
}

function setUpFiles(): void {
  const picker = element<HTMLInputElement>('file')
  element('open').addEventListener('click', () => picker.click())
  picker.addEventListener('change', () => {
    openFile(picker.files?.[0])
    // Otherwise the same file could not be chosen again after a change on disk.
    picker.value = ''
  })
}

function setUpExamples(): void {
  const choice = element<HTMLSelectElement>('example')
  for (const [name, { about }] of Object.entries(EXAMPLES)) choice.append(new Option(`${name}: ${about}`, name))
  choice.addEventListener('change', () => {
    openExample(choice.value)
    choice.value = ''
  })
}

function openExample(name: string): void {
  const example = EXAMPLES[name]
  if (example === undefined) return
  const before = editor.text
  put(example.text())
  if (before !== '') toast('The example has taken the place of your draft.', { label: 'Undo', run: () => put(before) })
}

/** Follows the address to a document, a place in it, or both. */
async function followLink(): Promise<void> {
  const opened = await openLink()
  if (!opened && examination === undefined) put(load('blazon.draft') ?? '')
  const pointer = linkPointer(location.hash)
  if (pointer !== undefined) goTo(pointer)
}

/** The room of one document. */
export function open(): Room {
  setUpFiles()
  setUpExamples()
  setUpSelftest()
  element('editor').addEventListener('swapped', check)
  element('clear').addEventListener('click', clear)
  element('share').addEventListener('click', share)
  for (const skip of document.querySelectorAll('.skip')) {
    skip.addEventListener('click', (event) => {
      event.preventDefault()
      editor.focus()
    })
  }
  for (const way of document.querySelectorAll<HTMLElement>('[data-shows]')) {
    way.addEventListener('click', () => element(way.dataset['shows']!).focus())
  }
  addEventListener('hashchange', followLink)
  addEventListener('pagehide', () => {
    if (saving !== undefined) keepDraft()
  })
  followLink()
  return { drop: ({ files }) => openFile(files[0]), edit }
}
