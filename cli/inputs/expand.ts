// From the arguments of a command line to what is to be read: files, what folders and globs have, stdin, addresses.
import { resolve } from 'node:path'
import { parsePointer } from '../../bindings/document/pointer.ts'
import type { Host } from '../host.ts'
import { UsageError } from '../usage.ts'
import { filesOfFolder, filesOfGlob, isGlob } from './glob.ts'

/** One document to read. */
export interface Input {
  /** A path, `-`, or a URL. */
  readonly name: string
  /** The JSON Pointer behind `#`: what the command is to look at. */
  readonly pointer?: string
  /** Why there is nothing to read. */
  readonly problem?: string
}

export interface ExpandOptions {
  /** Of folders, takes every JSON and YAML file, not only those whose name says that they are agents. */
  readonly allNames?: boolean
}

const AGENT_FILE = /\.adl(?:\.(?:json|ya?ml))?$/i
const DOCUMENT_FILE = /\.(?:adl|json|ya?ml)$/i

/** More files than anybody means to check at once. */
const MOST_FILES = 100_000

type List = Host['list']

/** Whether an argument is an address, of whatever scheme: only https is read. */
export function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]+:\/\//i.test(text)
}

/** What the arguments name, each once, in their order. */
export async function expand(positionals: readonly string[], host: Host, options: ExpandOptions): Promise<Input[]> {
  const inputs = new Map<string, Input>()
  // Every - is kept: reading it twice is a mistake that is told where it is read.
  let stdins = 0
  const list: Host['list'] = (path) => host.list(resolve(host.cwd, path))
  for (const positional of positionals) {
    for await (const input of inputsOf(positional, list, options)) {
      const key = input.name === '-' ? `- ${stdins++}` : `${input.name}#${input.pointer ?? ''}`
      inputs.set(key, input)
      if (inputs.size > MOST_FILES) {
        const message = `expected at most ${MOST_FILES} files, found more`
        throw new UsageError('too-many-files', message, 'name a folder that holds fewer')
      }
    }
  }
  return [...inputs.values()]
}

async function* inputsOf(positional: string, list: List, options: ExpandOptions): AsyncGenerator<Input> {
  if (isUrl(positional)) return yield addressOf(positional)
  const { name, fragment } = await split(positional, list)
  const pointer = fragment === undefined ? {} : { pointer: checkPointer(fragment, positional) }
  if (name === '-') return yield { name, ...pointer }
  const found: string[] = []
  if (isGlob(name)) {
    for await (const file of filesOfGlob(name, list)) found.push(file)
    if (found.length === 0) return yield { name, problem: 'no file matches' }
  } else if ((await list(name)) !== undefined) {
    const pattern = options.allNames ? DOCUMENT_FILE : AGENT_FILE
    for await (const file of filesOfFolder(name, (file) => pattern.test(file), list)) found.push(file)
    const wanted = options.allNames ? '.json, .yaml or .adl' : '.adl.json, .adl.yaml or .adl'
    if (found.length === 0) return yield { name, problem: `the folder holds no file that ends in ${wanted}` }
  } else found.push(name)
  for (const file of found) yield { name: file, ...pointer }
}

function addressOf(url: string): Input {
  const at = url.indexOf('#')
  return at < 0 ? { name: url } : { name: url.slice(0, at), pointer: checkPointer(url.slice(at + 1), url) }
}

/** The pointer behind the first `#/`, or behind `#` at the end, unless a folder has that name. */
async function split(text: string, list: List): Promise<{ readonly name: string; readonly fragment?: string }> {
  const at = text.search(/#(?:\/|$)/)
  if (at < 1 || (await list(text.slice(0, at + 1))) !== undefined) return { name: text }
  return { name: text.slice(0, at), fragment: text.slice(at + 1) }
}

function checkPointer(pointer: string, argument: string): string {
  if (parsePointer(pointer) !== undefined) return pointer
  throw new UsageError('invalid-value', `${argument}: expected a JSON Pointer behind #`, 'as in agent.json#/tools/0')
}
