// Finds blazon.config.json or .yaml in the working directory or above it.
import { dirname, relative, resolve } from 'node:path'
import type { Host } from '../host.ts'
import { codeOf, whyUnread } from '../system.ts'
import { UsageError } from '../usage.ts'
import { Configuration, type Layer, layerOf, type Settings } from './configuration.ts'

const NAMES = ['blazon.config.json', 'blazon.config.yaml'] as const
const LARGEST = 1 << 20
/** The longest chain of configurations that extend each other. */
const LONGEST_CHAIN = 10

/** Reads the configuration: that of `--config`, or the nearest one, if any. */
export async function readConfiguration(named: string | undefined, host: Host): Promise<Configuration> {
  const first = named === undefined ? await nearest(host) : await load(resolve(host.cwd, named), named, host)
  const layers: Layer[] = []
  for (let file = first; file !== undefined; ) {
    if (layers.length === LONGEST_CHAIN) {
      throw new UsageError(
        'configuration',
        `${file.name}: configurations extend each other in circles`,
        'end the chain',
      )
    }
    layers.unshift(layerOf(file.path, file.settings, host))
    const { extends: base } = file.settings
    file = base === undefined ? undefined : await load(resolve(dirname(file.path), base), base, host)
  }
  return new Configuration(layers)
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
      // Nobody named this file, so the target of a link in a foreign folder is not revealed.
      if (bytes !== undefined && !(await host.isWithin(path, folder))) {
        throw new UsageError(
          'configuration',
          `${path}: it is a link that leads out of its folder`,
          'name it with --config',
        )
      }
      if (bytes !== undefined) return parseLater(bytes, path, relative(host.cwd, path))
    }
    if (dirname(folder) === folder) return undefined
  }
}

async function load(path: string, name: string, host: Host): Promise<LoadedConfiguration> {
  const bytes = await readSettings(path, host)
  if (bytes === undefined)
    throw new UsageError('configuration', `${name}: there is no such configuration`, 'name a file that is there')
  return parseLater(bytes, path, name)
}

/** The bytes of a file of the user's own; undefined when there is none. */
export async function readSettings(path: string, host: Host, largest = LARGEST): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of host.open(path)) {
      length += chunk.length
      if (length > largest)
        throw new UsageError('configuration', `${path} has more than ${largest} bytes`, 'is it what was meant?')
      chunks.push(chunk)
    }
  } catch (error) {
    const code = codeOf(error)
    // Above may be folders into which nobody here may look: what is not seen there is not there.
    if (code === 'ENOENT' || code === 'ENOTDIR' || (code === 'EACCES' && host.stamp(path) === undefined))
      return undefined
    if (code === 'ENOTREG' || code === 'EISDIR')
      throw new UsageError('configuration', `${path} is no regular file`, 'name a file in JSON or YAML')
    throw new UsageError('configuration', `${path} cannot be read: ${whyUnread(error)}`, 'is it what was meant?')
  }
  return Buffer.concat(chunks)
}

/** Most folders have no configuration, so the code that checks one is loaded on demand. */
async function parseLater(bytes: Uint8Array, path: string, name: string): Promise<LoadedConfiguration> {
  const { parseConfiguration } = await import('./parse-configuration.ts')
  return { path, name, settings: parseConfiguration(bytes, name) }
}
