import { resolve } from 'node:path'
import { diagnose, type FindingKind } from '../bindings/document/diagnose.ts'
import { TOO_LARGE } from '../bindings/document/faults.ts'
import { type Diagnostic, type Document, Lines } from '../bindings/document/index.ts'
import { LARGEST_DOCUMENT } from '../bindings/document/parse.ts'
import { formatOf } from '../bindings/document/read-format.ts'
import type { Host } from './host.ts'
import { expand, type Input, isUrl, type Names } from './inputs/expand.ts'
import { parseDocument } from './parse.ts'
import { Progress } from './progress.ts'
import { UsageError } from './usage.ts'

const UNREADABLE: FindingKind = {
  code: 'DOC-115',
  rule: 'read/unreadable',
  title: 'Cannot be read',
  spec: 'docs/cli.md',
  severity: 'error',
}

/** Words for the errors of the system that people meet. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of the path is no directory',
  ELOOP: 'its symbolic links lead in circles',
  EMFILE: 'too many files are open',
  ENOTREG: 'it is no regular file; what comes through a pipe is read as -',
}

/** The bytes of a file, or why there are none. */
export type Bytes =
  | { readonly file: string; readonly bytes: Uint8Array }
  | { readonly file: string; readonly bytes: undefined; readonly diagnostic: Diagnostic }

/** A document that was read, or why it was not. */
export interface Read {
  readonly file: string
  /** What the argument had behind `#`. */
  readonly pointer?: string
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** How a command wants its documents. */
export interface Wish {
  /** What is no YAML by its name is JSON; otherwise how it begins says. */
  readonly jsonByDefault?: boolean
  /** Only JSON is read. */
  readonly jsonOnly?: boolean
  /** A byte order mark is left out of account. */
  readonly bom?: 'warn'
  /** Which files of folders are taken: definitions when absent. */
  readonly names?: Names
  /** Parts of documents are asked for too: what stands behind `#`. */
  readonly parts?: boolean
}

export interface ReaderOptions {
  readonly maxDepth: number | undefined
  readonly stdinName: string | undefined
  readonly allowNetwork: boolean
  readonly showProgress: boolean
}

const ACCEPT = 'application/json, application/yaml;q=0.9, */*;q=0.1'

const NAMES_YAML = /\.(?:adl|ya?ml)$/i

/** From so many documents on the host is told. */
const MANY = 100

/** Files that are open at one time. */
const AT_ONCE = 8

/** Reads files and stdin, and remembers the lines of what it read, for those who show excerpts. */
export class Reader {
  readonly sources = new Map<string, Lines>()
  readonly #host: Host
  readonly #options: ReaderOptions
  readonly #progress: Progress
  #stdinUsed = false

  constructor(host: Host, options: ReaderOptions) {
    this.#host = host
    this.#options = options
    this.#progress = new Progress(host, options.showProgress)
  }

  /** The names of the documents to read: stdin when there is none, unless somebody would have to type it. */
  files(positionals: readonly string[]): readonly string[] {
    if (positionals.length > 0) return positionals
    if (this.#host.stdin.isTTY) {
      throw new UsageError('missing-argument', 'expected a FILE', 'name a file, or - for stdin')
    }
    return ['-']
  }

  /** The name of the one document that a command takes; more of them are wrong usage. */
  file(positionals: readonly string[], hint: string): string {
    const [name, ...more] = this.files(positionals)
    if (more.length === 0) return name!
    throw new UsageError('unexpected-argument', `unexpected argument "${more[0]}"`, hint)
  }

  /** Reads a file, or stdin for `-`. */
  async bytes(name: string): Promise<Bytes> {
    if (isUrl(name)) return this.#fetch(name)
    const file = name === '-' ? (this.#options.stdinName ?? '<stdin>') : name
    const input = name === '-' ? this.#stdin() : this.#host.open(resolve(this.#host.cwd, name))
    this.#progress.show(`reading ${file}`)
    try {
      const bytes = await collect(input)
      if (bytes === undefined) {
        const detail = `expected at most ${LARGEST_DOCUMENT} bytes, found more`
        return { file, bytes, diagnostic: refusal(TOO_LARGE, file, detail) }
      }
      this.sources.set(file, new Lines(bytes))
      return { file, bytes }
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === undefined) throw error
      const reason = REASONS[code] ?? (error as Error).message
      return { file, bytes: undefined, diagnostic: unreadable(file, reason) }
    }
  }

  /** What arguments name: files, those of folders and globs, addresses; stdin when there are none. */
  async inputs(positionals: readonly string[], wish: Wish = {}): Promise<readonly Input[]> {
    const inputs = await expand(this.files(positionals), this.#host, wish.names ?? 'definitions')
    const part = wish.parts ? undefined : inputs.find(({ pointer }) => pointer !== undefined)
    if (part === undefined) return inputs
    const message = `expected a whole document, got ${part.name}#${part.pointer}`
    throw new UsageError('wrong-arguments', message, 'leave out what stands behind #')
  }

  /** Reads and parses documents, several at one time; gives them in their order. */
  documents(inputs: readonly Input[], wish: Wish = {}): AsyncGenerator<Read> {
    return this.#inOrder(inputs, (input) => this.#read(input, wish))
  }

  /** Reads the bytes that inputs name, several at one time; gives them in their order. */
  contents(inputs: readonly Input[]): AsyncGenerator<Bytes & { readonly pointer?: string }> {
    return this.#inOrder(inputs, async (input) => ({
      ...(await this.#bytesOf(input)),
      ...(input.pointer !== undefined && { pointer: input.pointer }),
    }))
  }

  /** Reads and parses one document. */
  async document(name: string, wish: Wish = {}): Promise<Read> {
    const [input, second] = await this.inputs([name], wish)
    if (input !== undefined && second === undefined) return this.#read(input, wish)
    throw new UsageError('wrong-arguments', `${name}: expected one document, found several`, 'name one of them')
  }

  #inOrder<Made>(inputs: readonly Input[], read: (input: Input) => Promise<Made>): AsyncGenerator<Made> {
    if (inputs.length >= MANY) this.#host.expectMany()
    return inOrder(inputs, read)
  }

  async #bytesOf({ name, problem }: Input): Promise<Bytes> {
    if (problem === undefined) return this.bytes(name)
    return { file: name, bytes: undefined, diagnostic: unreadable(name, problem) }
  }

  async #read(input: Input, wish: Wish): Promise<Read> {
    const { name, pointer } = input
    const read = await this.#bytesOf(input)
    const { file } = read
    const named = { file, ...(pointer !== undefined && { pointer }) }
    if (read.bytes === undefined) return { ...named, document: undefined, diagnostics: [read.diagnostic] }
    const { maxDepth } = this.#options
    const { bom } = wish
    const format = this.#isYaml(read.bytes, name, wish) ? 'yaml' : 'json'
    const options = {
      file,
      format,
      ...(maxDepth !== undefined && { maxDepth }),
      ...(bom !== undefined && { bom }),
    } as const
    return { ...named, ...(await parseDocument(read.bytes, options)) }
  }

  #isYaml(bytes: Uint8Array, name: string, { jsonOnly, jsonByDefault }: Wish): boolean {
    if (jsonOnly) return false
    const known = name === '-' ? (this.#options.stdinName ?? '') : name
    if (jsonByDefault && !NAMES_YAML.test(known)) return false
    return formatOf(bytes, { file: known }) === 'yaml'
  }

  /** Says on the progress line how far a long work is. */
  tell(text: string): void {
    this.#progress.show(text)
  }

  /** Takes the progress line away. */
  done(): void {
    this.#progress.clear()
  }

  async #fetch(url: string): Promise<Bytes> {
    if (!this.#options.allowNetwork) {
      const message = `${url}: nothing is read from the network unless it is allowed`
      throw new UsageError('network-not-allowed', message, 'give --allow-network')
    }
    this.#progress.show(`fetching ${url}`)
    const { fetchDocument } = await import('../bindings/discover/fetch.ts')
    const outcome = await fetchDocument(url, ACCEPT, { fetch: this.#host.fetch })
    if (!outcome.ok) return { file: url, bytes: undefined, diagnostic: outcome.diagnostic }
    const { bytes } = outcome.fetched
    this.sources.set(url, new Lines(bytes))
    return { file: url, bytes }
  }

  #stdin(): AsyncIterable<Uint8Array> {
    if (this.#stdinUsed) throw new UsageError('repeated-stdin', 'stdin can be read once only', 'use - once')
    this.#stdinUsed = true
    return this.#host.stdin
  }
}

/** What `read` makes of each input, several at one time, in the order of the inputs. */
async function* inOrder<Made>(inputs: readonly Input[], read: (input: Input) => Promise<Made>): AsyncGenerator<Made> {
  const reading: Promise<Made>[] = []
  for (const input of inputs) {
    const made = read(input)
    // Whoever waits for an earlier one hears of this failure when its turn comes.
    made.catch(() => undefined)
    reading.push(made)
    if (reading.length === AT_ONCE) yield (await reading.shift()) as Made
  }
  for (const made of reading) yield await made
}

function unreadable(file: string, reason: string): Diagnostic {
  return refusal(UNREADABLE, file, `cannot read ${file}: ${reason}`)
}

function refusal(kind: FindingKind, file: string, detail: string): Diagnostic {
  return diagnose(new Lines(new Uint8Array()), kind, { pointer: '', offset: 0, endOffset: 0, detail }, file)
}

/** All bytes, or undefined when there are more than a document may have: what never ends is not read to its end. */
async function collect(input: ReturnType<Host['open']>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of input) {
    length += chunk.length
    if (length > LARGEST_DOCUMENT) return undefined
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)
}
