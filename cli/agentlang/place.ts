import { posix, resolve } from 'node:path'
import { sameBytes } from '../../bindings/text/bytes.ts'
import type { Tools } from '../command.ts'
import { word } from '../report/report.ts'
import { UsageError } from '../usage.ts'

/** Where the container goes. Refuses a place that has another file, before anything is written. */
export async function placeOf(
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
