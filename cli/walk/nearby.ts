// The files that a document mentions: which of them exist, and the text of those that its rules read.
import { dirname, relative, resolve } from 'node:path'
import type { Files } from '../../bindings/document/types.ts'
import { whyUnread } from '../command.ts'
import type { Host } from '../host.ts'
import { collect } from '../open.ts'

const NO_BYTES = new Uint8Array(0)
const READ = /^(?:package\.json|(?:GNUm|M|m)akefile)$/
const LARGEST = 1 << 20

/**
 * The existing files and folders among these, by their paths from the document. What lies outside of the working folder
 * counts as existing: nobody looks there.
 */
export async function filesNearby(file: string, paths: readonly string[], host: Host): Promise<Files> {
  const folder = dirname(resolve(host.cwd, file))
  const files = new Map<string, Uint8Array>()
  for (const path of new Set(paths)) {
    const place = resolve(folder, path)
    const isOutside = relative(host.cwd, place).startsWith('..') && relative(folder, place).startsWith('..')
    if (READ.test(path)) {
      const bytes = await read(place, folder, host)
      if (bytes !== undefined) files.set(path, bytes)
    } else if (isOutside || (await exists(place, host))) files.set(path, NO_BYTES)
  }
  return files
}

async function exists(path: string, host: Host): Promise<boolean> {
  if (host.stamp(path) !== undefined) return true
  try {
    return (await host.list(path)) !== undefined
  } catch {
    // A folder that may not be read exists.
    return true
  }
}

async function read(path: string, folder: string, host: Host): Promise<Uint8Array | undefined> {
  try {
    return (await host.isWithin(path, folder)) ? await collect(host.open(path), LARGEST) : undefined
  } catch (error) {
    whyUnread(error)
    return undefined
  }
}
