// The open documents, and when each of them is checked.
import { basename, resolve } from 'node:path'
import { AGENT_FILE } from '../../bindings/agentlang/files.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { kindOfMembers } from '../../bindings/frame/detect.ts'
import { glanceYaml } from '../../bindings/frame/open.ts'
import type { Kind } from '../../bindings/kinds.ts'
import type { Result } from '../command.ts'
import { fingerprint } from '../fingerprint.ts'
import { cannotRead } from '../reader.ts'
import type { Place } from '../validate/checker.ts'
import { type Encoding, type Range, Text } from './text.ts'
import { type Checking, nameIn, nameOf, pathOf, uriOf, type Workspace } from './workspace.ts'

/** Open documents, and the UTF-16 units of all of them. */
const MOST_DOCUMENTS = 1000
const MOST_UNITS = 1 << 27

/** A document is checked when it rests for so long, and after the second time even if it does not. */
const REST_MS = 8
const LATEST_MS = 150
/** Longer checks would keep completion waiting: they wait for as long a rest. */
const SLOW_MS = 50
const LONGEST_REST_MS = 1000

/** What checking one version of a document found. */
export interface CheckedVersion {
  readonly version: number
  readonly bytes: Uint8Array
  /** Undefined for documents that Blazon does not know: they have no findings. */
  readonly kind: Kind | undefined
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
  readonly place: Place
  readonly checking: Checking
}

export class OpenDocument {
  readonly uri: string
  readonly path: string | undefined
  readonly language: string
  readonly text: Text
  version: number
  /** The kind that it last had: a text that is being typed may not show it. */
  kind: Kind | undefined
  latest: CheckedVersion | undefined
  /** As it was when it could last be read. */
  readable: Document | undefined
  /** How long the last check took, in milliseconds. */
  cost = 0
  timer: NodeJS.Timeout | undefined
  /** When the first change came that is not checked yet. */
  since: number | undefined
  isOpen = true

  constructor(uri: string, language: string, version: number, text: Text) {
    this.uri = uri
    this.path = pathOf(uri)
    this.language = language
    this.version = version
    this.text = text
  }
}

/** Takes the findings of a file. */
export type Publish = (uri: string, diagnostics: readonly Diagnostic[], document?: OpenDocument) => Promise<void>

export class Documents {
  readonly workspace: Workspace
  readonly #publish: Publish
  readonly #now: () => number
  readonly #open = new Map<string, OpenDocument>()
  /** What checking an agent found in the other files of its folder: by the URI of the agent, then of the file. */
  readonly #others = new Map<string, Map<string, readonly Diagnostic[]>>()
  encoding: Encoding = 'utf-16'

  constructor(workspace: Workspace, now: () => number, publish: Publish) {
    this.workspace = workspace
    this.#now = now
    this.#publish = publish
  }

  get(uri: unknown): OpenDocument | undefined {
    return this.#open.get(uri as string)
  }

  /** The open document at a path. */
  at(path: string): OpenDocument | undefined {
    for (const one of this.#open.values()) if (one.path === path) return one
    return undefined
  }

  /** Returns false when there are too many documents. */
  open(uri: string, language: string, version: number, text: string): boolean {
    this.#forget(uri)
    let units = text.length
    for (const one of this.#open.values()) units += one.text.length
    if (this.#open.size >= MOST_DOCUMENTS || units > MOST_UNITS) return false
    const document = new OpenDocument(uri, language, version, new Text(text, this.encoding))
    this.#open.set(uri, document)
    this.#schedule(document)
    return true
  }

  change(document: OpenDocument, version: number, changes: readonly { text: string; range?: Range }[]): void {
    for (const { text, range } of changes) document.text.change(text, range)
    document.version = version
    // Their places were in the old text.
    for (const others of this.#others.values()) others.delete(document.uri)
    this.#schedule(document)
  }

  async close(uri: string): Promise<void> {
    const document = this.#forget(uri)
    if (document === undefined) return
    await this.#publish(uri, [])
    this.#scheduleAgent(document)
  }

  closeAll(): void {
    for (const uri of [...this.#open.keys()]) this.#forget(uri)
  }

  /** Checks every open document again: a configuration or another file has changed. */
  checkAll(): void {
    for (const document of this.#open.values()) this.#again(document)
  }

  /** The check of the current version, made now if it is missing. Undefined if the document changes meanwhile. */
  async current(document: OpenDocument): Promise<CheckedVersion | undefined> {
    if (document.latest?.version === document.version) return document.latest
    clearTimeout(document.timer)
    return this.#check(document)
  }

  /** The documents of files as the editor has them, by their paths. */
  files(): ReadonlyMap<string, OpenDocument> {
    return new Map([...this.#open.values()].flatMap((one) => (one.path === undefined ? [] : [[one.path, one]])))
  }

  #again(document: OpenDocument): void {
    document.latest = undefined
    this.#schedule(document)
  }

  #schedule(document: OpenDocument): void {
    clearTimeout(document.timer)
    const now = this.#now()
    document.since ??= now
    const rest = document.cost > SLOW_MS ? Math.min(document.cost, LONGEST_REST_MS) : REST_MS
    const latest = document.since + Math.max(LATEST_MS, 2 * rest) - now
    const check = () => {
      // A document that changes meanwhile has a timer of its own.
      this.#check(document).catch((error: unknown) => this.#fail(document, error))
    }
    document.timer = setTimeout(check, Math.max(0, Math.min(rest, latest)))
  }

  /** Shows why a document could not be checked: old findings, or none, would look like an answer. */
  #fail({ uri, isOpen, path }: OpenDocument, error: unknown): void {
    if (isOpen) void this.#publish(uri, [cannotRead(basename(path ?? uri), String(error))], this.#open.get(uri))
  }

  /** Checks the open agent whose folder has a document. */
  #scheduleAgent({ path }: OpenDocument): void {
    const above = path === undefined ? undefined : this.workspace.agentAbove(path)
    const agent = above === undefined ? undefined : this.at(above)
    if (agent !== undefined) this.#again(agent)
  }

  #forget(uri: string): OpenDocument | undefined {
    const document = this.#open.get(uri)
    if (document === undefined) return undefined
    clearTimeout(document.timer)
    document.isOpen = false
    this.#open.delete(uri)
    const others = this.#others.get(uri)
    this.#others.delete(uri)
    for (const other of others?.keys() ?? []) void this.#publishAll(other)
    return document
  }

  async #check(document: OpenDocument): Promise<CheckedVersion | undefined> {
    const { version, path } = document
    const text = document.text.toString()
    const bytes = Buffer.from(text)
    const began = this.#now()
    document.since = undefined
    const checking = await this.workspace.checking(path)
    const versions = new Map<string, number>()
    const place = await this.#placeOf(document, checking, versions)
    const { result, document: read } = await checking.checker.check(bytes, place)
    if (!document.isOpen || document.version !== version) return undefined
    // A text that is being typed may not show its kind.
    const kind = (result.kind ?? (read ? undefined : (document.kind ?? kindOfMembers(glanceYaml(text))))) as
      | Kind
      | undefined
    document.kind = kind
    document.readable = read ?? document.readable
    document.cost = this.#now() - began
    // Editors open many files of other programs: only those of a known kind have findings.
    const all = kind === undefined ? [] : reviewed(result, read, checking)
    const isOwn = ({ source }: Diagnostic) => (source.file ?? place.file) === place.file
    document.latest = { version, bytes, kind, document: read, diagnostics: all.filter(isOwn), place, checking }
    await this.#publishAll(document.uri)
    if (place.around === undefined) this.#scheduleAgent(document)
    else await this.#publishOthers(document, all, versions)
    return document.latest
  }

  /** How the checker sees a document: by its name, and with the other files of an agent's folder. */
  async #placeOf(
    { uri, path, language }: OpenDocument,
    checking: Checking,
    versions: Map<string, number>,
  ): Promise<Place> {
    if (path === undefined) return { file: nameOf(uri, language) }
    const file = nameIn(checking, path)
    if (basename(path) !== AGENT_FILE) return { file }
    const open = this.files()
    for (const one of open.values()) versions.set(one.uri, one.version)
    // A folder that cannot be read leaves the agent alone.
    const files = await this.workspace.filesAround(path, checking, open).catch(() => undefined)
    return files === undefined ? { file } : { file, around: async () => files }
  }

  /** Publishes what checking an agent found in the other files of its folder. */
  async #publishOthers(
    { uri: agent, latest }: OpenDocument,
    all: readonly Diagnostic[],
    versions: ReadonlyMap<string, number>,
  ): Promise<void> {
    const found = new Map<string, Diagnostic[]>()
    for (const one of all) {
      const { file } = one.source
      if (file === undefined || file === latest!.place.file) continue
      const path = resolve(latest!.checking.folder, file)
      const open = this.at(path)
      const uri = open?.uri ?? uriOf(path)
      if (open === undefined || versions.get(uri) === open.version) found.set(uri, [...(found.get(uri) ?? []), one])
    }
    const before = this.#others.get(agent)
    this.#others.set(agent, found)
    for (const uri of new Set([...(before?.keys() ?? []), ...found.keys()])) await this.#publishAll(uri)
  }

  /** Publishes the findings of a file: its own, and those that agents have in it. */
  async #publishAll(uri: string): Promise<void> {
    const document = this.#open.get(uri)
    const { latest, version } = document ?? {}
    // Findings of an older text are never published; the check that follows publishes.
    if (document !== undefined && latest?.version !== version) return
    const all = [latest?.diagnostics ?? [], ...[...this.#others.values()].map((others) => others.get(uri) ?? [])]
    const keyed = all.flat().map((one) => [`${one.code} ${one.source.offset} ${one.detail}`, one] as const)
    await this.#publish(uri, [...new Map(keyed).values()], document)
  }
}

/** The findings that the baseline of the configuration does not know. */
function reviewed(result: Result, document: Document | undefined, { baseline }: Checking): readonly Diagnostic[] {
  if (baseline === undefined || document === undefined) return result.diagnostics
  const fingerprints = fingerprint(result.diagnostics, document.value)
  return baseline.review([{ ...result, fingerprints }]).results[0]!.diagnostics
}
