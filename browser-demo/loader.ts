/**
 * Loads modules as classic scripts, because browsers load no others from file://. scripts/page.mjs turns each module, or
 * the modules that are always needed together, into a function of its imports. This is the page's first script; its
 * element has the addresses of the others, unless they are in the same file.
 */
type Make = (require: (name: string) => unknown, module: { exports: unknown }) => void

const files: Readonly<Record<string, string>> = JSON.parse(document.currentScript?.dataset['parts'] ?? '{}')
const parts = new Map<string, Make>()
const made = new Map<string, { exports: unknown }>()
const running = new Map<string, Promise<void>>()
/** For the exports of each loaded module: its own name and those of its imports. */
const loaded = new Map<unknown, readonly string[]>()

/** Keeps a part until it is needed. */
export function part(name: string, make: Make): void {
  parts.set(name, make)
}

/** A loaded part, with all its imports. */
export function require(name: string): unknown {
  let module = made.get(name)
  if (module === undefined) {
    module = { exports: {} }
    made.set(name, module)
    parts.get(name)!(require, module)
  }
  return module.exports
}

/** Loads the last of these parts, as `import()` does; the others are its imports. Rejects if a part cannot be loaded. */
export async function load(...names: readonly string[]): Promise<unknown> {
  await arrive(names)
  const exports = require(names.at(-1)!)
  loaded.set(exports, names)
  return exports
}

/**
 * The text of a script for a worker: a loaded part, all its imports and all parts that these may load. The script calls
 * the part's `open` with the worker, then posts a message to the page.
 */
export async function textOf(part: unknown): Promise<string> {
  const names = new Set(loaded.get(part))
  const begin = [...names].at(-1)
  for (const name of names) {
    await arrive([name])
    for (const [, list] of String(parts.get(name)).matchAll(/\bblazon\.load\("([^)]+)"\)/g)) {
      for (const later of list!.split('","')) names.add(later)
    }
  }
  const texts = [...names].map((name) => `"${name}":${parts.get(name)}`)
  return `const parts={${texts.join(',\n')}},made={},blazon={load:async(...names)=>require(names.at(-1))}
function require(name){
if(made[name]===undefined)parts[name](require,made[name]={exports:{}})
return made[name].exports
}
require("${begin}").open(self)
postMessage("open")`
}

async function arrive(names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => parts.has(name) || (running.get(name) ?? run(name))))
}

function run(name: string): Promise<void> {
  const url = files[name]!
  const script = document.createElement('script')
  script.src = url
  const loaded = new Promise<void>((resolve, reject) => {
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`${url} did not load. Reload the page: there may be a newer version.`))
  }).finally(() => running.delete(name))
  running.set(name, loaded)
  document.head.append(script)
  return loaded
}
