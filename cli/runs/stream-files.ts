// The files of a stream: RUN.ndjson, and next to it its checkpoints and the values that it commits to.
import { resolve } from 'node:path'
import { collect } from '../collect.ts'
import type { Tools } from '../command.ts'

/** The name of a file next to a stream. */
export const nextTo = (stream: string, ending: 'checkpoints' | 'salts') =>
  `${stream.replace(/\.ndjson$/i, '')}.${ending}`

/** True for a name that a stream may have. */
export const isStreamName = (name: string): boolean => /\.ndjson$/i.test(name)

/** The bytes of a file, or undefined for a missing file. */
export async function bytesIfThere({ host }: Tools, name: string): Promise<Uint8Array | undefined> {
  const path = resolve(host.cwd, name)
  return host.stamp(path) === undefined ? undefined : collect(host.open(path))
}
