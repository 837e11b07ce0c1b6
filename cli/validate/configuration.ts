// The configuration of a run: the file found or named, and the one that it extends.
import { dirname, relative, resolve } from 'node:path'
import { compilePatterns } from '../../bindings/core/patterns.ts'
import type { Ruleset } from '../../bindings/document/finding.ts'
import type { Diagnostic, Severity } from '../../bindings/document/types.ts'
import { codeOf, UsageError, whyUnread } from '../command.ts'
import type { Host } from '../host.ts'
import type { Suppression } from './suppress.ts'

export type Rules = Readonly<Record<string, Severity | 'off'>>

interface Override {
  readonly files?: readonly string[]
  readonly pointers?: readonly string[]
  readonly rules: Rules
}

/** A configuration file, as described by docs/schema/config.schema.json. */
export interface Settings {
  readonly extends?: string
  readonly ruleset?: Ruleset
  readonly rules?: Rules
  readonly overrides?: readonly Override[]
  readonly suppress?: readonly (Suppression & { readonly files?: readonly string[] })[]
  readonly failOn?: Severity
  readonly maxWarnings?: number
  readonly baseline?: string
}

/** The configuration for all files. Later layers override earlier ones. */
export class Configuration {
  readonly #layers: readonly Layer[]
  readonly #common: Rules | undefined

  constructor(layers: readonly Layer[]) {
    this.#layers = layers
    const isCommon = layers.every(({ settings: { overrides = [] } }) => overrides.every(({ pointers }) => pointers))
    this.#common = isCommon ? this.#rulesOf('') : undefined
  }

  /** The path of the configuration file; undefined if there is no file. */
  get path(): string | undefined {
    return this.#layers.at(-1)?.path
  }

  get ruleset(): Ruleset | undefined {
    return this.#layers.findLast(({ settings }) => settings.ruleset !== undefined)?.settings.ruleset
  }

  get failOn(): Severity | undefined {
    return this.#layers.findLast(({ settings }) => settings.failOn !== undefined)?.settings.failOn
  }

  get maxWarnings(): number | undefined {
    return this.#layers.findLast(({ settings }) => settings.maxWarnings !== undefined)?.settings.maxWarnings
  }

  /** The path of the baseline. */
  get baseline(): string | undefined {
    const layer = this.#layers.findLast(({ settings }) => settings.baseline !== undefined)
    return layer && resolve(layer.folder, layer.settings.baseline!)
  }

  /** Severities of rules for a file: the same object if they are the same for all files. */
  rulesFor(file: string): Rules {
    return this.#common ?? this.#rulesOf(file)
  }

  #rulesOf(file: string): Rules {
    const rules = this.#layers.flatMap(({ settings, holds }) => [
      settings.rules ?? {},
      ...(settings.overrides ?? [])
        .filter(({ files, pointers }) => pointers === undefined && holds(files, file))
        .map((override) => override.rules),
    ])
    return Object.assign({}, ...rules)
  }

  /** Gives a finding the severity configured for its place; undefined if it is off there. */
  adjust(diagnostic: Diagnostic, file: string): Diagnostic | undefined {
    let { severity }: { severity: Severity | 'off' } = diagnostic
    const { code, rule, source } = diagnostic
    for (const { settings, holds } of this.#layers) {
      for (const { files, pointers, rules } of settings.overrides ?? []) {
        if (pointers === undefined || !holds(files, file)) continue
        if (!pointers.some((pointer) => source.pointer === pointer || source.pointer.startsWith(`${pointer}/`)))
          continue
        if (Object.hasOwn(rules, rule)) severity = rules[rule]!
        else if (Object.hasOwn(rules, code)) severity = rules[code]!
      }
    }
    return severity === 'off' ? undefined : { ...diagnostic, severity }
  }

  suppressionsFor(file: string): readonly Suppression[] {
    return this.#layers.flatMap(({ settings, holds }) =>
      (settings.suppress ?? []).filter(({ files }) => holds(files, file)),
    )
  }
}

interface Layer {
  readonly path: string
  readonly folder: string
  readonly settings: Settings
  /** True if `files` matches the file, or is absent. */
  holds(files: readonly string[] | undefined, file: string): boolean
}

function layerOf(path: string, settings: Settings, host: Host): Layer {
  const folder = dirname(path)
  const compiledFiles = new Map<readonly string[], (file: string) => boolean>()
  const compile = (files: readonly string[]) => {
    const plain = files.map((pattern) => pattern.replace(/^(?:\.\/)+/, ''))
    const set = compilePatterns('path', plain)
    return (file: string) => set.test(relative(folder, resolve(host.cwd, file)).replaceAll('\\', '/'))
  }
  return {
    path,
    folder,
    settings,
    holds(files, file) {
      if (files === undefined) return true
      const test = compiledFiles.get(files) ?? compile(files)
      compiledFiles.set(files, test)
      return test(file)
    },
  }
}

// Finds blazon.config.json or .yaml in the working directory or above it.

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

interface LoadedConfiguration {
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
      if (bytes !== undefined && !(await host.isWithin(path, folder)))
        throw new UsageError(
          'configuration',
          `${path}: it is a link to a place outside its folder`,
          'name it with --config',
        )
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
