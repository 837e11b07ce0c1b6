// The page is several scripts, so that it works from file:// too, where modules do not: the bindings, the page, and what is
// loaded when it is wanted.
import type * as CodeMirror from './codemirror.ts'
import type * as Directory from './directory/index.ts'
import type * as Engine from './engine.ts'

/** What the other scripts leave (scripts/page.mjs). */
interface Scripts {
  readonly blazonEngine: typeof Engine
  readonly blazonEditor?: typeof CodeMirror
  readonly blazonDirectory?: typeof Directory
}
const scripts = globalThis as unknown as Scripts

/** The bindings, whose script comes before this one. */
export const engine = scripts.blazonEngine

/** This very script: it says where the others lie, unless they are in the same file. */
const own = document.currentScript as HTMLScriptElement | null

/** Loads the editor, which is larger than all the rest of the page; rejects when it cannot be had. */
export async function loadEditor(): Promise<typeof CodeMirror> {
  if (scripts.blazonEditor === undefined) await run(own?.dataset['editor'] ?? '')
  if (scripts.blazonEditor === undefined) throw new Error('The editor did not load.')
  return scripts.blazonEditor
}

/** Loads the room of the directory, with its sample set; rejects when it cannot be had. */
export async function loadDirectory(): Promise<typeof Directory> {
  if (scripts.blazonDirectory === undefined) await run(own?.dataset['directory'] ?? '')
  if (scripts.blazonDirectory === undefined) throw new Error('The directory did not load.')
  return scripts.blazonDirectory
}

function run(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`${url} did not load.`))
    document.head.append(script)
  })
}
