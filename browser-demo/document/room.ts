import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic, SourceRange } from '../../bindings/document/types.ts'
import { setUpCompare } from '../compare.ts'
import { element, toast } from '../dom.ts'
import { Editor, endOf, lineOf } from '../editor.ts'
import * as engine from '../engine.ts'
import type { Examination } from '../examine.ts'
import { changedPart, editedText } from '../fix.ts'
import type { DroppedContent, Room } from '../rooms.ts'
import { setUpSelftest } from '../selftest.ts'
import { linkPointer } from '../share.ts'
import { ONE_COLUMN, showVerdict } from '../verdict.ts'
import type { View } from '../views/view.ts'
import { nothingFor, Tabs, VIEWS, type ViewRow, type Workbench } from '../views.ts'
import { bytesOf, decodeText, Intake } from './intake.ts'

/**
 * Short documents are checked at each keystroke. Longer ones also, unless the last check took too long: then they are
 * checked after a pause.
 */
const SHORT_CHARACTERS = 20_000
const INSTANT_MS = 40
const PAUSE_MS = 150

let examination: Examination | undefined
/** The text of the last check. */
let text = ''
/** The duration of the last check, in milliseconds. */
let cost = 0
let checking: ReturnType<typeof setTimeout> | undefined

const editor = new Editor(onInput)
const intake = new Intake(editor, check)
const workbench: Workbench = {
  lineText: (line) => lineOf(text, line),
  reveal: ({ source }) => reveal(source),
  goTo,
  apply,
  openExample: (name) => intake.openExample(name),
  edit,
}
const views = new Map<ViewRow, View | undefined>()
/** The document that each view shows; only the visible view is updated. */
const shown = new Map<ViewRow, Examination | undefined>()
const tabs = new Tabs(VIEWS, showView)
const comparison = setUpCompare(() => examination?.document, reveal)

function check(): void {
  clearTimeout(checking)
  const start = performance.now()
  text = editor.text
  const source = intake.file ?? text
  examination = source.length === 0 ? undefined : engine.examine(source)
  // The same agent.yaml, with the other files of its folder.
  if (examination?.document !== undefined) examination = { ...examination, ...intake.folder }
  showVerdict(examination, workbench.reveal)
  editor.mark(examination)
  shown.clear()
  showView()
  comparison.again()
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

/** The view of a row. Undefined while its script is loading; then it shows the current document. */
function viewOf(row: ViewRow): View | undefined {
  if (views.has(row)) return views.get(row)
  const made = row.make(workbench)
  views.set(row, made instanceof Promise ? undefined : made)
  if (!(made instanceof Promise)) return made
  // Inert until its script has loaded: its buttons would do nothing.
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
  intake.edited()
  clearTimeout(checking)
  if (cost <= INSTANT_MS || editor.text.length <= SHORT_CHARACTERS) check()
  else checking = setTimeout(check, PAUSE_MS)
}

function reveal(range: SourceRange): void {
  editor.reveal(range, endOf(range))
}

/** Selects the value that a pointer names, or its innermost ancestor that exists. */
function goTo(pointer: string): void {
  const { document } = examination ?? {}
  if (document !== undefined && engine.parsePointer(pointer) !== undefined) reveal(document.source(pointer))
}

/** True if this is the document of the last check, and the text has not changed since. A changed text is checked again. */
function isCurrent(document: Document | undefined): boolean {
  const isSame = editor.text === text
  if (!isSame) check()
  return isSame && document === examination?.document
}

function apply({ fix }: Diagnostic): void {
  // The place of the finding has moved if the text has changed.
  if (!isCurrent(examination?.document)) return
  const bytes = intake.file ?? new TextEncoder().encode(text)
  const { from, to, text: replacement } = changedPart(text, editedText(bytes, fix?.edits ?? []))
  editor.replace(from, to, replacement)
}

/** Opens a result in the editor. */
function edit(made: string, words?: string, of?: Document): void {
  if (of === undefined || isCurrent(of)) intake.take({ text: made }, words)
  else toast('The document changed meanwhile, so it was not replaced. Try again.')
}

/** Opens a dropped file or agent: a file in the box of Compare if it was dropped there, otherwise in the editor. */
async function drop(dropped: DroppedContent): Promise<void> {
  const { files, entries, target } = dropped
  if (entries.some(({ isDirectory }) => isDirectory)) return intake.openAgent(dropped)
  if (!comparison.isAt(target)) return intake.openFile(files[0])
  const bytes = await bytesOf(files[0])
  if (bytes !== undefined) comparison.with(decodeText(bytes))
}

/** Opens the document, the place in it, or both, that the address names. */
async function followLink(): Promise<void> {
  await intake.follow()
  const pointer = linkPointer(location.hash)
  if (pointer !== undefined) goTo(pointer)
}

/** Opens the document's part of the page. */
export function open(): Room {
  setUpSelftest()
  element('editor').addEventListener('swapped', check)
  ONE_COLUMN.addEventListener('change', check)
  for (const way of document.querySelectorAll<HTMLElement>('[data-shows]')) {
    way.addEventListener('click', () => element(way.dataset['shows']!).focus())
  }
  addEventListener('hashchange', followLink)
  followLink()
  return { drop, edit, focus: () => editor.focus() }
}
