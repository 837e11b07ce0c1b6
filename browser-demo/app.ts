import { announce, toast } from './announce.ts'
import { setUpCompare } from './compare.ts'
import { element } from './dom.ts'
import { Editor } from './editor.ts'
import { type Examination, examine } from './examine.ts'
import { EXAMPLES } from './examples.ts'
import { showFindings } from './findings.ts'
import { setUpOffline } from './offline.ts'
import { Result } from './result.ts'
import { load, save } from './saved.ts'
import { setUpSelftest } from './selftest.ts'
import { linkHash, linkText } from './share.ts'
import { lineOf, reveal } from './text.ts'
import { setUpTheme } from './theme.ts'

/** Past this a key press waits for a pause; below, results come within one frame. */
const INSTANT_CHARACTERS = 200_000
const PAUSE_MS = 150
const SAVE_MS = 400
const FILE_BYTES = 8 << 20
/** Longer links are cut by mail programs and chats. */
const LONG_LINK = 8000

const editor = new Editor()
const result = new Result()
const compareAgain = setUpCompare(() => examination?.document)
/** The bytes of an opened file, until the text is edited: decoding could hide what is wrong with them. */
let file: Uint8Array<ArrayBuffer> | undefined
let examination: Examination | undefined
let checking: ReturnType<typeof setTimeout> | undefined
let saving: ReturnType<typeof setTimeout> | undefined

function check(): void {
  clearTimeout(checking)
  const source = file ?? editor.text
  examination = source.length === 0 ? undefined : examine(source)
  const diagnostics = examination?.diagnostics ?? []
  result.show(examination)
  editor.update(diagnostics.map(({ severity, source: { line } }) => ({ severity, line })))
  showFindings(
    diagnostics,
    (line) => lineOf(editor.text, line),
    ({ source: { line, column, endLine, endColumn } }) =>
      reveal(editor.area, { line, column }, { line: endLine, column: endColumn }),
  )
  const [first] = diagnostics
  if (first !== undefined) announce(`${element('verdict').textContent}. Line ${first.source.line}: ${first.detail}`)
  compareAgain()
}

function onInput(): void {
  file = undefined
  clearTimeout(checking)
  if (editor.text.length <= INSTANT_CHARACTERS) check()
  else checking = setTimeout(check, PAUSE_MS)
  clearTimeout(saving)
  saving = setTimeout(keepDraft, SAVE_MS)
}

/** Keeps the document for the next visit. */
function keepDraft(): void {
  clearTimeout(saving)
  saving = undefined
  if (!save('blazon.draft', editor.text)) toast('This document is too large for this browser to keep.')
}

/** Puts a document into the editor; `bytes` when it came as such. */
function open(text: string, bytes?: Uint8Array<ArrayBuffer>): void {
  editor.text = text
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
  open(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), bytes)
  keepDraft()
}

function clear(): void {
  const before = editor.text
  open('')
  keepDraft()
  history.replaceState(null, '', location.pathname + location.search)
  editor.area.focus()
  if (before === '') return
  toast('Cleared, here and in what this browser keeps.', {
    label: 'Undo',
    run: () => {
      open(before)
      keepDraft()
    },
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
    const text = await linkText(location.hash)
    if (text === undefined) return false
    open(text)
    const draft = load('blazon.draft')
    if (draft !== undefined && draft !== text) {
      toast('This document came with the link. Your own draft is kept until you type.', {
        label: 'Open my draft',
        run: () => open(draft),
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
    // Or the same file could not be chosen again after a change on disk.
    picker.value = ''
  })
  const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
  addEventListener('dragover', (event) => {
    if (!carriesFile(event)) return
    event.preventDefault()
    document.body.classList.add('dropping')
  })
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dropping')
  })
  addEventListener('drop', (event) => {
    document.body.classList.remove('dropping')
    if (!carriesFile(event)) return
    event.preventDefault()
    openFile(event.dataTransfer?.files[0])
  })
}

setUpTheme()
setUpFiles()
setUpSelftest()
setUpOffline()
editor.area.addEventListener('input', onInput)
element('clear').addEventListener('click', clear)
element('share').addEventListener('click', share)
element('examples').addEventListener('click', (event) => {
  const text = EXAMPLES[(event.target as HTMLElement).dataset['example'] ?? '']
  if (text !== undefined) open(text)
})
addEventListener('hashchange', openLink)
addEventListener('pagehide', () => {
  if (saving !== undefined) keepDraft()
})
openLink().then((opened) => {
  if (!opened) open(load('blazon.draft') ?? '')
})
