// Where documents lie: their paths, and the checker with the configuration of their folder.
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AGENT_FILE } from '../../bindings/agentlang/files.ts'
import { isText, objectOf } from '../../bindings/text/members.ts'
import type { Host } from '../host.ts'
import { Reader } from '../reader.ts'
import type { Baseline } from '../validate/baseline.ts'
import { Checker } from '../validate/checker.ts'
import { Configuration, readConfiguration } from '../validate/configuration.ts'
import type { Text } from './text.ts'

/** What `blazon validate` would use in a folder. */
export interface Checking {
  readonly folder: string
  readonly host: Host
  readonly checker: Checker
  readonly configuration: Configuration
  readonly baseline: Baseline | undefined
  /** Why the configuration does not count. */
  readonly fault: string | undefined
}

/** Folders without a workspace folder above them, whose configuration is kept. */
const MOST_FOLDERS = 100
/** The most folders above a document in which an agent's file is searched. */
const MOST_ABOVE = 3

/** The path of a file's URI; undefined for other schemes, and for what is not a URI. */
export function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined
  } catch {
    return undefined
  }
}

export const uriOf = (path: string): string => pathToFileURL(path).href

/** The paths of the workspace folders that a client names. */
export function foldersIn(value: unknown): string[] {
  const uris = (Array.isArray(value) ? value : []).map((folder) => objectOf(folder)['uri'])
  return uris.filter(isText).flatMap((uri) => pathOf(uri) ?? [])
}

export class Workspace {
  readonly #host: Host
  #folders: readonly string[] = []
  readonly #checkings = new Map<string, Promise<Checking>>()

  constructor(host: Host) {
    this.#host = host
  }

  get folders(): readonly string[] {
    return this.#folders
  }

  set folders(folders: readonly string[]) {
    this.#folders = folders
    this.forget()
  }

  /** Reads configurations again when they are needed next. */
  forget(): void {
    this.#checkings.clear()
  }

  /** The checker for a file: that of the innermost workspace folder, or else of its own folder. */
  checking(path: string | undefined): Promise<Checking> {
    const inside = this.#folders.filter((one) => path !== undefined && isBelow(path, one))
    const innermost = inside.reduce<string | undefined>(
      (a, b) => (a === undefined || b.length > a.length ? b : a),
      undefined,
    )
    const folder = innermost ?? (path === undefined ? (this.#folders[0] ?? this.#host.cwd) : dirname(path))
    let checking = this.#checkings.get(folder)
    if (checking === undefined) {
      if (this.#checkings.size >= MOST_FOLDERS) this.forget()
      checking = this.#begin(folder)
      this.#checkings.set(folder, checking)
    }
    return checking
  }

  async #begin(folder: string): Promise<Checking> {
    const host: Host = Object.create(this.#host, { cwd: { value: folder } })
    const checkerOf = (configuration: Configuration) => {
      const { ruleset } = configuration
      return new Checker(ruleset === undefined ? {} : { ruleset }, configuration, {})
    }
    try {
      const configuration = await readConfiguration(undefined, host)
      const checker = checkerOf(configuration)
      const path = configuration.baseline
      const baseline = path && (await (await import('../validate/baseline.ts')).Baseline.read(path, host))
      return { folder, host, checker, configuration, baseline: baseline || undefined, fault: undefined }
    } catch (error) {
      const configuration = new Configuration([])
      const fault = (error as Error).message
      return { folder, host, checker: checkerOf(configuration), configuration, baseline: undefined, fault }
    }
  }

  /** The agent.yaml of the folder that a file lies in, or of one above it, within the workspace folder. */
  agentAbove(path: string): string | undefined {
    let folder = dirname(path)
    for (let level = 0; level < MOST_ABOVE; level++, folder = dirname(folder)) {
      const agent = join(folder, AGENT_FILE)
      if (agent !== path && this.#host.stamp(agent) !== undefined) return agent
      if (this.#folders.includes(folder)) return undefined
    }
    return undefined
  }

  /** Reads the files of an agent's folder, those that are open as the editor has them. */
  async filesAround(agent: string, { folder, host }: Checking, open: ReadonlyMap<string, { readonly text: Text }>) {
    const at = relative(folder, dirname(agent)).replaceAll('\\', '/')
    const nothing = { maxDepth: undefined, stdinName: undefined, allowNetwork: false, showProgress: false }
    const reader = new Reader(host, { ...nothing, secrets: new Set(), note: () => undefined })
    const files = new Map(await reader.folder(at === '' ? '.' : at))
    for (const [path, { text }] of open)
      if (isBelow(path, dirname(agent)))
        files.set(relative(dirname(agent), path).replaceAll('\\', '/'), Buffer.from(text.toString()))
    return files
  }
}

export const isBelow = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== '' && !/^\.\.(?:[\\/]|$)|^(?:[a-z]:)?[\\/]/i.test(way)
}

/** The name of a file in findings: its path from the folder of its configuration. */
export const nameIn = ({ folder }: Checking, path: string): string => relative(folder, path).replaceAll('\\', '/')

/** The name of a document that is not a file; its language decides between JSON and YAML. */
export function nameOf(uri: string, language: string): string {
  const name = basename(uri.replace(/[?#].*$/s, '').replace(/^[^:]*:/, '')) || 'untitled'
  const ending = { json: '.json', jsonc: '.json', yaml: '.yaml' }[language]
  return /\.\w+$/.test(name) || ending === undefined ? name : `${name}${ending}`
}
