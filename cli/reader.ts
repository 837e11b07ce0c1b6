import { resolve } from 'node:path'
import { MOST_FILES } from '../bindings/agentlang/files.ts'
import { diagnoseNowhere, Lines } from '../bindings/document/diagnose.ts'
import type { FindingKind } from '../bindings/document/finding.ts'
import { LIMIT_SIZE } from '../bindings/document/findings.ts'
import { formatOf } from '../bindings/document/format.ts'
import { type Document, LARGEST_DOCUMENT } from '../bindings/document/parse.ts'
import { type SplitOptions, splitLines } from '../bindings/document/split-lines.ts'
import type { Diagnostic, Files, SourceLine } from '../bindings/document/types.ts'
import type { OpenOptions } from '../bindings/frame/open.ts'
import { refuseOther } from '../bindings/frame/steps.ts'
import { formOf, type Kind, rowOf } from '../bindings/kinds.ts'
import { compact, type Result, Unreadable, UsageError, unreadable, whyUnread } from './command.ts'
import { READ_UNREADABLE } from './findings.ts'
import type { Host } from './host.ts'
import { expand, expectNetwork, fetchBytes, filesIn, filesOfFolder, type Input, isUrl, type Names } from './inputs.ts'
import { collect, openFile, parseFile } from './open.ts'
import { counted } from './report/report.ts'
import type { LeftOut } from './walk/walk.ts'
import { writeOver } from './writer.ts'

/** The bytes of a file, or the reason why it cannot be read. */
export type Bytes =
  | { readonly file: string; readonly bytes: Uint8Array }
  | { readonly file: string; readonly bytes: undefined; readonly diagnostics: readonly Diagnostic[] }

/** A document, or the reason why it cannot be read. */
export interface ReadResult {
  readonly file: string
  /** The pointer after `#` in the argument. */
  readonly pointer?: string
  /** The detected kind; undefined for an unknown one. */
  readonly kind: Kind | undefined
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** A readable document, with findings about its notation. */
export interface Readable extends ReadResult {
  readonly document: Document
}

/** A command's requirements for its documents. */
export interface Requirements {
  /** Parse as JSON unless the name of the file says YAML; the default is to look at its first bytes. */
  readonly jsonByDefault?: boolean
  /** Parse as JSON only. */
  readonly jsonOnly?: boolean
  /** Any kind of document: no limits of a kind, and a byte order mark is refused. */
  readonly anything?: boolean
  /** The kinds that the command accepts; a document of another known kind is refused. */
  readonly only?: readonly Kind[]
  /** The kind of a file whose name ends in .toml. */
  readonly toml?: Kind
  /** The files to take from folders: by default definitions; for a single document also cards. */
  readonly names?: Names
  /** Arguments may name parts of documents, after `#`. */
  readonly parts?: boolean
}

interface ReaderOptions {
  readonly secrets: Set<string>
  readonly maxDepth: number | undefined
  readonly stdinName: string | undefined
  readonly allowNetwork: boolean
  readonly showProgress: boolean
  /** Takes a line about each file that is read. */
  readonly note: (line: string) => void
}

const NO_BYTES = new Uint8Array(0)
const NAMES_YAML = /\.(?:adl|ya?ml)$/i

/** The host prepares for at least this many documents. */
const MANY = 100

/** Reads files and stdin, and keeps the lines of each for excerpts. */
export class Reader {
  readonly sources = new Map<string, Lines>()
  /** What was left out of folders. */
  readonly leftOut: LeftOut = new Map()
  /** The paths of keys and tokens: nothing may overwrite them. */
  readonly secrets: Set<string>
  readonly #host: Host
  readonly #options: ReaderOptions
  readonly #progress: Progress
  #stdinUsed = false

  constructor(host: Host, options: ReaderOptions) {
    this.#host = host
    this.secrets = options.secrets
    this.#options = options
    this.#progress = new Progress(host, options.showProgress)
  }

  /** The limits of --max-depth for documents of any kind, for `open`. */
  get bounds(): Pick<OpenOptions, 'most'> {
    const { maxDepth } = this.#options
    return maxDepth === undefined ? {} : { most: { bytes: LARGEST_DOCUMENT, depth: maxDepth } }
  }

  /** The names of the documents to read. Defaults to stdin, unless that is a terminal. */
  files(positionals: readonly string[]): readonly string[] {
    if (positionals.length > 0) return positionals
    if (this.#host.stdin.isTTY)
      throw new UsageError('missing-argument', 'expected a FILE', 'name a file, or - for stdin')
    return ['-']
  }

  /** The name of the single document of a command; several are a usage error. */
  file(positionals: readonly string[], hint: string): string {
    const [name, ...more] = this.files(positionals)
    if (more.length === 0) return name!
    throw new UsageError('unexpected-argument', `unexpected argument "${more[0]}"`, hint)
  }

  /** The name of an input in findings; --stdin-filepath sets that of stdin. */
  fileOf(name: string): string {
    return name === '-' ? (this.#options.stdinName ?? '<stdin>') : name
  }

  /** Reads a file, or stdin for `-`. The command ends if that fails. */
  async bytes(name: string): Promise<Bytes & { readonly bytes: Uint8Array }> {
    const read = await this.tryBytes(name)
    if (read.bytes === undefined) throw new Unreadable(read)
    return read
  }

  /** Reads a file, or stdin for `-`. */
  async tryBytes(name: string): Promise<Bytes> {
    if (isUrl(name)) return this.#fetch(name)
    const file = this.fileOf(name)
    const input = this.input(name)
    this.#progress.show(`reading ${file}`)
    try {
      const bytes = await collect(input)
      if (bytes === undefined) {
        const detail = `expected at most ${LARGEST_DOCUMENT} bytes, found more`
        return { file, bytes, diagnostics: [refusal(LIMIT_SIZE, file, detail)] }
      }
      this.sources.set(file, new Lines(bytes))
      this.#options.note(`read ${file}: ${counted(bytes.length, 'byte')}`)
      return { file, bytes }
    } catch (error) {
      return { file, bytes: undefined, diagnostics: [cannotRead(file, whyUnread(error))] }
    }
  }

  /** Expands arguments into inputs: files, contents of folders and globs, URLs; defaults to stdin. */
  async inputs(positionals: readonly string[], requirements: Requirements = {}): Promise<readonly Input[]> {
    const inputs = await expand(this.files(positionals), this.#host, requirements.names ?? 'definitions', this.leftOut)
    this.#refuse(inputs)
    const part = requirements.parts ? undefined : inputs.find(({ pointer }) => pointer !== undefined)
    if (part === undefined) return inputs
    const message = `expected a whole document, got ${part.name}#${part.pointer}`
    throw new UsageError('wrong-arguments', message, 'leave out the # and what follows it')
  }

  /** Reads and parses several documents at a time; yields them in order. */
  documents(inputs: readonly Input[], requirements: Requirements = {}): AsyncGenerator<ReadResult> {
    return this.#inOrder(inputs, (input) => this.#read(input, requirements))
  }

  /** Reads the bytes of several inputs at a time; yields them in order. */
  contents(inputs: readonly Input[]): AsyncGenerator<Bytes & Pick<Input, 'pointer' | 'folder'>> {
    return this.#inOrder(inputs, async (input) => ({
      ...(await this.#bytesOf(input)),
      ...compact({ pointer: input.pointer, folder: input.folder }),
    }))
  }

  /** The files of an agent's folder by their paths, for `open`. Those that can't belong to it are only named. */
  async folder(folder: string): Promise<Files> {
    const { mayBelong } = await import('../bindings/agentlang/folder.ts')
    const files = new Map<string, Uint8Array>()
    for await (const { name, problem } of filesOfFolder(folder, () => true, filesIn(this.#host))) {
      // One more than the agent may have, which its rules report.
      if (files.size > MOST_FILES) break
      if (problem !== undefined) throw new Unreadable({ file: name, diagnostics: [cannotRead(name, problem)] })
      const path = folder === '.' ? name : name.slice(folder.length + 1)
      files.set(path, mayBelong(path) ? (await this.bytes(name)).bytes : NO_BYTES)
    }
    return files
  }

  /** The files that a document on this machine mentions. */
  async nearby(file: string, paths: readonly string[]): Promise<Files> {
    return (await import('./walk/nearby.ts')).filesNearby(file, paths, this.#host)
  }

  /** Returns a result for each document, in order: that of `judge`, or one for an unreadable file. */
  async results<Judged extends Result>(
    inputs: readonly Input[],
    judge: (read: Readable) => Judged | Promise<Judged>,
    requirements?: Requirements,
  ): Promise<(Judged | Result)[]> {
    const results: (Judged | Result)[] = []
    for await (const read of this.documents(inputs, requirements))
      results.push(isReadable(read) ? await judge(read) : unreadable(read))
    return results
  }

  /** Reads and parses one document. The command ends if that fails. */
  async document(name: string, requirements?: Requirements): Promise<Readable> {
    const read = await this.tryDocument(name, requirements)
    if (isReadable(read)) return read
    throw new Unreadable(read)
  }

  async tryDocument(name: string, requirements: Requirements = {}): Promise<ReadResult> {
    const [input, second] = await this.inputs([name], { names: 'signed kinds', ...requirements })
    if (second === undefined && !input!.isEmpty) return this.#read(input!, requirements)
    const [found, hint] = second === undefined ? ['a folder', 'name a file in it'] : ['several', 'name one of them']
    throw new UsageError('wrong-arguments', `${name}: expected one document, found ${found}`, hint)
  }

  #inOrder<Made>(inputs: readonly Input[], read: (input: Input) => Promise<Made>): AsyncGenerator<Made> {
    if (inputs.length >= MANY) this.#host.expectMany()
    return inOrder(inputs, read)
  }

  /** The bytes of a file, or of stdin for `-`, as they arrive. */
  input(name: string): ReturnType<Host['open']> {
    return name === '-' ? this.#stdin() : this.#host.open(resolve(this.#host.cwd, name))
  }

  async #bytesOf({ name, problem }: Input): Promise<Bytes> {
    if (problem === undefined) return this.tryBytes(name)
    return { file: name, bytes: undefined, diagnostics: [cannotRead(name, problem)] }
  }

  async #read(input: Input, requirements: Requirements): Promise<ReadResult> {
    const { name, pointer, folder } = input
    const read = await this.#bytesOf(input)
    const { file } = read
    const named = { file, ...(pointer !== undefined && { pointer }) }
    if (read.bytes === undefined)
      return { ...named, kind: undefined, document: undefined, diagnostics: read.diagnostics }
    const { maxDepth } = this.#options
    const format = this.#isYaml(read.bytes, name, requirements) ? 'yaml' : 'json'
    if (requirements.anything) {
      const parsed = await parseFile(read.bytes, { file, format, ...(maxDepth !== undefined && { maxDepth }) })
      return { ...named, kind: undefined, ...parsed }
    }
    const { toml } = requirements
    const known = toml !== undefined && /\.toml$/i.test(file) ? { as: toml } : {}
    const opened = await openFile(read.bytes, { file, format, ...this.bounds, ...known })
    const { kind } = opened
    // Places are in the manifest of an archive; nobody can read the archive itself.
    if (formOf(kind) === 'archive') this.sources.set(file, opened.document?.lines ?? new Lines(new Uint8Array()))
    if (kind === undefined || (requirements.only ?? [kind]).includes(kind)) {
      if (folder !== undefined && kind !== undefined && rowOf(kind).inFolder !== undefined)
        opened.document?.keepFiles(await this.folder(folder))
      return { ...named, ...opened }
    }
    return { ...named, kind, document: undefined, diagnostics: refuseOther(opened, requirements.only!) }
  }

  #isYaml(bytes: Uint8Array, name: string, { jsonOnly, jsonByDefault }: Requirements): boolean {
    if (jsonOnly) return false
    const known = name === '-' ? (this.#options.stdinName ?? '') : name
    if (jsonByDefault && !NAMES_YAML.test(known)) return false
    return formatOf(bytes, { file: known }) === 'yaml'
  }

  /** Shows progress if the work takes long. */
  showProgress(text: string): void {
    this.#progress.show(text)
  }

  done(): void {
    this.#progress.clear()
  }

  /** Reports invalid names before the first file is read: later, a command may already have written something. */
  #refuse(inputs: readonly Input[]): void {
    const stdins = inputs.filter(({ name }) => name === '-').length
    if (stdins > (this.#stdinUsed ? 0 : 1)) throw repeatedStdin()
    const address = inputs.find(({ name }) => isUrl(name))
    if (address !== undefined) expectNetwork(address.name, this.#options.allowNetwork)
  }

  async #fetch(url: string): Promise<Bytes> {
    expectNetwork(url, this.#options.allowNetwork)
    this.#progress.show(`fetching ${url}`)
    const read = await fetchBytes(url, this.#host)
    if (read.bytes === undefined) return read
    this.sources.set(url, new Lines(read.bytes))
    this.#options.note(`fetched ${url}: ${counted(read.bytes.length, 'byte')}`)
    return read
  }

  #stdin(): AsyncIterable<Uint8Array> {
    if (this.#stdinUsed) throw repeatedStdin()
    this.#stdinUsed = true
    return this.#host.stdin
  }
}

const repeatedStdin = () => new UsageError('repeated-stdin', 'stdin can be read only once', 'use - once')

export function isReadable(read: ReadResult): read is Readable {
  return read.document !== undefined
}

export function cannotRead(file: string, reason: string): Diagnostic {
  return refusal(READ_UNREADABLE, file, `cannot read ${file}: ${reason}`)
}

const refusal = (kind: FindingKind, file: string, detail: string): Diagnostic => diagnoseNowhere(kind, { detail }, file)

/** Files that are open at the same time. */
const AT_ONCE = 8

/** Reads several inputs concurrently and yields the results in order. */
async function* inOrder<Input, Made>(
  inputs: readonly Input[],
  read: (input: Input) => Promise<Made>,
): AsyncGenerator<Made> {
  const reading: Promise<Made>[] = []
  for (const input of inputs) {
    const made = read(input)
    // The caller gets this failure when its turn comes; without a handler, the process would end before that.
    made.catch(() => undefined)
    reading.push(made)
    if (reading.length === AT_ONCE) yield (await reading.shift()) as Made
  }
  for (const made of reading) yield await made
}

/** No progress line for shorter work: it would only flicker. */
const PATIENCE_MS = 300

/** A progress line on a terminal's stderr. */
class Progress {
  readonly #host: Host
  readonly #enabled: boolean
  readonly #begin: number
  #shown = false

  constructor(host: Host, enabled: boolean) {
    this.#host = host
    this.#enabled = enabled
    this.#begin = host.now()
  }

  show(text: string): void {
    if (!this.#enabled || this.#host.now() - this.#begin < PATIENCE_MS) return
    this.#shown = true
    const columns = this.#host.stderr.columns ?? 80
    writeOver(this.#host, text.slice(0, columns - 1))
  }

  clear(): void {
    if (this.#shown) writeOver(this.#host, '')
    this.#shown = false
  }
}

interface LineOptions extends SplitOptions {
  /** The bytes of the file, if not those that it has now. */
  readonly source?: ReturnType<Reader['input']>
}

/** The lines of a file with a document in each line, or of stdin for `-`, in the memory of one line. */
export function documentLines(
  reader: Reader,
  name: string,
  { source, ...options }: LineOptions = {},
): AsyncGenerator<SourceLine> {
  return splitLines(bytesOf(reader, name, source), options)
}

/** The bytes of a file that the command cannot do without, as they arrive. */
export async function* bytesOf(reader: Reader, name: string, source = reader.input(name)): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    const file = reader.fileOf(name)
    throw new Unreadable({ file, diagnostics: [cannotRead(file, whyUnread(error))] })
  }
}
