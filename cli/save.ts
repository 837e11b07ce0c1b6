// Writes the files of commands.
import { resolve } from 'node:path'
import type { Tools } from './command.ts'
import type { Host, WriteOptions } from './host.ts'
import { type Input, isUrl } from './inputs/expand.ts'
import { codeOf, unwritable, whyUnwritten } from './system.ts'
import { UsageError } from './usage.ts'

/** Only files can be written over: a document from stdin or an address may have the same name as one. */
export function refuseUnwritable(inputs: readonly Input[], command: string, option: string): void {
  const unwritable = inputs.find(({ name }) => name === '-' || isUrl(name))
  if (unwritable === undefined) return
  const message = `${command}: ${unwritable.name} cannot be written`
  throw new UsageError('wrong-arguments', message, `leave out --${option}`)
}

/** The same host, but for files that it does not write over, as if they always had to be new. */
export function sparing(host: Host, paths: ReadonlySet<string>): Host {
  const write: Host['write'] = (path, bytes, options) =>
    host.write(path, bytes, paths.has(path) ? { ...options, create: true } : options)
  return Object.create(host, { write: { value: write } })
}

/** Overwrites a file; returns the reason if that failed. */
export async function saveOver(host: Host, file: string, bytes: Uint8Array): Promise<string | undefined> {
  try {
    await host.write(resolve(host.cwd, file), bytes)
    return undefined
  } catch (error) {
    return `cannot write ${file}: ${whyUnwritten(error)}`
  }
}

export const alreadyThere = (path: string) =>
  new UsageError('exists', `${path} is there already`, 'keys are never written over: name another file')

/** Writes a file that the user asked for. */
export async function save(host: Host, path: string, text: string | Uint8Array, options?: WriteOptions): Promise<void> {
  try {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    await host.write(resolve(host.cwd, path), bytes, options)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(path)
    throw unwritable(path, error)
  }
}

/** Writes the result of a command to the file that the user named, or else to stdout. */
export async function saveOrPrint(path: string | undefined, text: string | Uint8Array, tools: Tools): Promise<void> {
  if (path === undefined) tools.print(text)
  else await save(tools.host, path, text)
}

/** The text of a signed document, with a final line end. */
export function textFile(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  return text.endsWith('\n') ? text : `${text}\n`
}
