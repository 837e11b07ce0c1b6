import { resolve } from 'node:path'
import { diagnose, type FindingKind } from '../bindings/document/diagnose.ts'
import { TOO_LARGE } from '../bindings/document/faults.ts'
import { type Diagnostic, type Document, Lines, parse } from '../bindings/document/index.ts'
import { LARGEST_DOCUMENT } from '../bindings/document/parse.ts'
import type { Host } from './host.ts'
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
}

/** The bytes of a file, or why there are none. */
export type Bytes =
  | { readonly file: string; readonly bytes: Uint8Array }
  | { readonly file: string; readonly bytes: undefined; readonly diagnostic: Diagnostic }

/** A document that was read, or why it was not. */
export interface Read {
  readonly file: string
  readonly document: Document | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export interface ReaderOptions {
  readonly maxDepth: number | undefined
  readonly stdinName: string | undefined
  readonly showProgress: boolean
}

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

  /** Reads a file, or stdin for `-`. */
  async bytes(name: string): Promise<Bytes> {
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
      return { file, bytes: undefined, diagnostic: refusal(UNREADABLE, file, `cannot read ${file}: ${reason}`) }
    }
  }

  /** Reads and parses a document. */
  async document(name: string): Promise<Read> {
    const read = await this.bytes(name)
    const { file } = read
    if (read.bytes === undefined) return { file, document: undefined, diagnostics: [read.diagnostic] }
    const { maxDepth } = this.#options
    const { document, diagnostics } = parse(read.bytes, { file, ...(maxDepth !== undefined && { maxDepth }) })
    return { file, document, diagnostics }
  }

  /** Takes the progress line away. */
  done(): void {
    this.#progress.clear()
  }

  #stdin(): AsyncIterable<Uint8Array> {
    if (this.#stdinUsed) throw new UsageError('repeated-stdin', 'stdin can be read once only', 'use - once')
    this.#stdinUsed = true
    return this.#host.stdin
  }
}

function refusal(kind: FindingKind, file: string, detail: string): Diagnostic {
  return diagnose(new Lines(new Uint8Array()), kind, { pointer: '', offset: 0, endOffset: 0, detail }, file)
}

/** All bytes, or undefined when there are more than a document may have: what never ends is not read to its end. */
async function collect(input: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of input) {
    length += chunk.length
    if (length > LARGEST_DOCUMENT) return undefined
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)
}
