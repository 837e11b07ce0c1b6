// The configuration of a run: the file found or named, and the one that it extends.
import { dirname, relative, resolve } from 'node:path'
import { compilePatterns } from '../../bindings/core/patterns.ts'
import type { Ruleset } from '../../bindings/document/finding.ts'
import type { Diagnostic, Severity } from '../../bindings/document/types.ts'
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
  /** The rules common to all files; undefined if some files have their own. */
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

/** One configuration file. */
export interface Layer {
  readonly path: string
  readonly folder: string
  readonly settings: Settings
  /** True if `files` matches the file, or is absent. */
  holds(files: readonly string[] | undefined, file: string): boolean
}

/** Makes a layer of a configuration file. */
export function layerOf(path: string, settings: Settings, host: Host): Layer {
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
