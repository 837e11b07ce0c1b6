// Finds blazon.config.json or .yaml in the working directory or above it.
import { dirname, relative, resolve } from 'node:path'
import type { Host } from '../host.ts'
import { codeOf, whyUnread } from '../system.ts'
import { UsageError } from '../usage.ts'
import { Configuration, layerOf, type Settings } from './configuration.ts'

const NAMES = ['blazon.config.json', 'blazon.config.yaml'] as const
const LARGEST = 1 << 20

/** Reads the configuration: that of `--config`, or the nearest one, if any; and the one that it extends. */
export async function readConfiguration(named: string | undefined, host: Host): Promise<Configuration> {
  const own = named === undefined ? await nearest(host) : await load(resolve(host.cwd, named), named, host)
  const name = own?.settings.extends
  const base = name === undefined ? undefined : await load(resolve(dirname(own!.path), name), name, host, true)
  const files = [base, own].filter((file) => file !== undefined)
  return new Configuration(files.map(({ path, settings }) => layerOf(path, settings, host)))
}

export interface LoadedConfiguration {
  readonly path: string
  readonly name: string
  readonly settings: Settings
}

async function nearest(host: Host): Promise<LoadedConfiguration | undefined> {
  for (let folder = host.cwd; ; folder = dirname(folder)) {
    for (const name of NAMES) {
      const path = resolve(folder, name)
      const bytes = await readSettings(path, host)
      // Nobody named this file: a link must not reveal a file elsewhere.
      if (bytes !== undefined && !(await host.isWithin(path, folder))) {
        throw new UsageError(
          'configuration',
          `${path}: it is a link to a place outside its folder`,
          'name it with --config',
        )
      }
      if (bytes !== undefined) return parseLater(bytes, path, relative(host.cwd, path), false)
    }
    if (dirname(folder) === folder) return undefined
  }
}

async function load(path: string, name: string, host: Host, isBase = false): Promise<LoadedConfiguration> {
  const bytes = await readSettings(path, host)
  if (bytes === undefined)
    throw new UsageError('configuration', `${name}: the configuration does not exist`, 'name an existing file')
  return parseLater(bytes, path, name, isBase)
}

/** Reads a file of the user; undefined if it does not exist. */
export async function readSettings(path: string, host: Host, largest = LARGEST): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of host.open(path)) {
      length += chunk.length
      if (length > largest)
        throw new UsageError('configuration', `${path} has more than ${largest} bytes`, 'is it the right file?')
      chunks.push(chunk)
    }
  } catch (error) {
    const code = codeOf(error)
    // Folders above may be closed to this user: their files count as missing.
    if (code === 'ENOENT' || code === 'ENOTDIR' || (code === 'EACCES' && host.stamp(path) === undefined))
      return undefined
    if (code === 'ENOTREG' || code === 'EISDIR')
      throw new UsageError('configuration', `${path} is not a regular file`, 'name a file in JSON or YAML')
    throw new UsageError('configuration', `${path} cannot be read: ${whyUnread(error)}`, 'is it the right file?')
  }
  return Buffer.concat(chunks)
}

/** Most folders have no configuration, so its parser is loaded on demand. */
async function parseLater(
  bytes: Uint8Array,
  path: string,
  name: string,
  isBase: boolean,
): Promise<LoadedConfiguration> {
  const { parseConfiguration } = await import('./parse-configuration.ts')
  return { path, name, settings: parseConfiguration(bytes, name, isBase) }
}
