// Reads agents from folders, and the inputs of a build.
import { posix, resolve } from 'node:path'
import { AGENT_FILE, INDEX_FILE, LOCK_FILE } from '../../bindings/agentlang/files.ts'
import type { LoadResult } from '../../bindings/agentlang/folder.ts'
import { writeLock } from '../../bindings/agentlang/lock/write.ts'
import { loadWhole } from '../../bindings/agentlang/verbs.ts'
import { sameBytes } from '../../bindings/text/bytes.ts'
import { isObject, type JsonObject } from '../../bindings/text/members.ts'
import { shown } from '../../bindings/text/words.ts'
import { type Tools, Unreadable, UsageError } from '../command.ts'
import type { Host } from '../host.ts'
import { cannotRead } from '../reader.ts'
import { word } from '../report/report.ts'
import { save } from '../save.ts'
import { INDEX_VARIABLE } from './options.ts'

interface LoadedAgent {
  readonly file: string
  readonly loaded: LoadResult
}

/** Reads the agent in a folder, with the bytes of every file that belongs to it. */
export async function loadAgent([name = '.', second]: readonly string[], { reader }: Tools): Promise<LoadedAgent> {
  if (second !== undefined)
    throw new UsageError('unexpected-argument', `unexpected argument "${second}"`, 'name one folder')
  const at = (path: string) => posix.join(name, path)
  const folder = at('.')
  const file = at(AGENT_FILE)
  const files = await reader.folder(folder)
  if (!files.has(AGENT_FILE))
    throw new Unreadable({ file, diagnostics: [cannotRead(file, `the folder has no ${AGENT_FILE}`)] })
  const bytesOf = async (path: string) => (await reader.bytes(at(path))).bytes
  return { file, loaded: await loadWhole({ file: folder, files, bytesOf }) }
}

/** Reads the file of --index, otherwise that of BLAZON_INDEX, otherwise the one next to agent.yaml, if there is one. */
export async function readIndex(
  { index, folder = '.' }: { readonly index: string | undefined; readonly folder: string | undefined },
  { reader, host }: Tools,
): Promise<JsonObject | undefined> {
  const entries = (await host.list(resolve(host.cwd, folder))) ?? []
  const own = entries.some(({ name, kind }) => name === INDEX_FILE && kind === 'file')
    ? posix.join(folder, INDEX_FILE)
    : undefined
  const name = index ?? (host.env[INDEX_VARIABLE] || own)
  if (name === undefined) return undefined
  const { document } = await reader.document(name, { anything: true, jsonOnly: true })
  if (isObject(document.value)) return document.value
  const message = `index: ${name}: expected an object, found ${shown(document.value)}`
  throw new UsageError('invalid-value', message, 'as in {"tools": {"web_search": {"1.0.0": {}}}, "models": {}}')
}

/** SOURCE_DATE_EPOCH, as https://reproducible-builds.org/specs/source-date-epoch describes it. */
export function epochOf({ env }: Host): { readonly epoch?: number } {
  const text = env['SOURCE_DATE_EPOCH']
  if (!text) return {}
  if (/^\d{1,11}$/.test(text)) return { epoch: Number(text) }
  const message = `SOURCE_DATE_EPOCH: expected seconds since 1970, got "${text}"`
  throw new UsageError('invalid-value', message, 'as in SOURCE_DATE_EPOCH=1700000000')
}

/** Writes agent.lock unless it is the same; returns its name if it was written. */
export async function saveLock(
  { file, loaded }: LoadedAgent,
  lock: JsonObject,
  host: Host,
): Promise<string | undefined> {
  const name = file.slice(0, -AGENT_FILE.length) + LOCK_FILE
  const text = writeLock(lock)
  const before = loaded.folder?.files.get(LOCK_FILE)
  if (before !== undefined && new TextDecoder().decode(before) === text) return undefined
  await save(host, name, text, { over: name })
  return name
}

/** Where the container goes. Refuses a place that has another file, before anything is written. */
export async function containerPlace(
  name: string,
  bytes: Uint8Array,
  { out: folder = '.' }: { readonly out: string | undefined },
  { host, reader }: Tools,
) {
  const isFolder = folder.endsWith('/') || (await host.list(resolve(host.cwd, folder))) !== undefined
  const file = isFolder ? posix.join(folder, name) : folder
  if (host.stamp(resolve(host.cwd, file)) === undefined) return { out: file, isWritten: false }
  const { bytes: before } = await reader.tryBytes(file)
  if (before !== undefined && sameBytes(before, bytes)) return { out: file, isWritten: true }
  const hint = `raise the version of the agent, or remove ${word(file)}`
  throw new UsageError('exists', `${file} exists already, and has other bytes`, hint)
}
