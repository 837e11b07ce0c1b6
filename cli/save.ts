// Writes the files that commands produce.
import { resolve } from 'node:path'
import { lineEnd } from '../bindings/document/edit.ts'
import { codeOf, type Tools, UsageError, unwritable, whyUnwritten } from './command.ts'
import type { Host, WriteOptions } from './host.ts'
import { type Input, isUrl } from './inputs.ts'

/** Refuses to overwrite inputs from stdin or a URL: their names may be those of files. */
export function refuseUnwritable(inputs: readonly Input[], command: string, option: string): void {
  const unwritable = inputs.find(({ name }) => name === '-' || isUrl(name))
  if (unwritable === undefined) return
  const message = `${command}: ${unwritable.name} cannot be written`
  throw new UsageError('wrong-arguments', message, `leave out --${option}`)
}

/**
 * The same host, but one that protects files from this run: keys and tokens are never overwritten, files that it has
 * read only on purpose, and files that it has written not a second time.
 */
export function sparing(host: Host, secrets: ReadonlySet<string>): Host {
  const [inputs, written] = [new Set<string>(), new Set<string>()]
  const open: Host['open'] = (path, from) => {
    inputs.add(path)
    return host.open(path, from)
  }
  const write: Host['write'] = async (path, bytes, { over, ...options } = {}) => {
    const stamp = host.stamp(path)
    // Links, and names that differ only in case, may lead to the same file.
    const isAmong = (paths: ReadonlySet<string>) =>
      paths.has(path) || (stamp !== undefined && [...paths].some((other) => host.stamp(other) === stamp))
    if (isAmong(secrets)) return host.write(path, bytes, { ...options, create: true })
    if (over === undefined || resolve(host.cwd, over) !== path) {
      if (isAmong(written)) throw Object.assign(new Error(`${path} is written twice`), { code: 'ETWICE' })
      if (stamp !== undefined && isAmong(inputs)) throw Object.assign(new Error(`${path} is read`), { code: 'EINPUT' })
    }
    await host.write(path, bytes, options)
    written.add(path)
  }
  return Object.create(host, { open: { value: open }, write: { value: write } })
}

/** Overwrites a file; returns the reason if that failed. */
export async function saveOver(
  host: Host,
  file: string,
  bytes: Uint8Array,
  options?: WriteOptions,
): Promise<string | undefined> {
  try {
    await host.write(resolve(host.cwd, file), bytes, { ...options, over: file })
    return undefined
  } catch (error) {
    return `cannot write ${file}: ${whyUnwritten(error)}`
  }
}

export const alreadyThere = (path: string) =>
  new UsageError('exists', `${path} exists already`, 'it is never overwritten: name another file')

export async function save(host: Host, path: string, text: string | Uint8Array, options?: WriteOptions): Promise<void> {
  try {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    await host.write(resolve(host.cwd, path), bytes, options)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere(path)
    throw unwritable(path, error)
  }
}

export async function saveFolder(host: Host, path: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  try {
    await host.writeFolder(resolve(host.cwd, path), files)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new UsageError('exists', `${path} exists already`, 'name another folder')
    throw unwritable(path, error)
  }
}

/** Writes the result of a command to the file that the user named, or else to stdout. */
export async function saveOrPrint(
  path: string | undefined,
  text: string | Uint8Array,
  tools: Tools,
  options?: WriteOptions,
): Promise<void> {
  if (path === undefined) tools.print(text)
  else await save(tools.host, path, text, options)
}

/** The text of a document, with a final line end. */
export function textFile(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  return text.endsWith('\n') ? text : text + lineEnd(bytes)
}
