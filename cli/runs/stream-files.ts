// The files of a stream: RUN.ndjson, and next to it its checkpoints and the values that it commits to.
import { resolve } from 'node:path'
import type { Tools } from '../command.ts'

/** The name of a file next to a stream. */
export const nextTo = (stream: string, ending: 'checkpoints' | 'salts') =>
  `${stream.replace(/\.ndjson$/i, '')}.${ending}`

/** True for a name that a stream may have. */
export const isStreamName = (name: string): boolean => /\.ndjson$/i.test(name)

/** True for the name of a proof of one line. */
export const isProofName = (name: string): boolean => /\.tlog-proof$/i.test(name)

/** True for a stream, or a proof about one. */
export const isRunFile = (name: string): boolean => isStreamName(name) || isProofName(name)

/** The bytes of a file, or undefined for a missing file. */
export async function bytesIfThere({ host, reader }: Tools, name: string): Promise<Uint8Array | undefined> {
  return host.stamp(resolve(host.cwd, name)) === undefined ? undefined : (await reader.bytes(name)).bytes
}
