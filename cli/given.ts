// Reads what verifying needs in addition to keys: the rows of the kinds declare it, and its names are options of the command line.
import { posix, resolve } from 'node:path'
import { type Need, NeedError, type NeedValues, needsOf } from '../bindings/frame/needs.ts'
import { KIND_NAMES, type Kind, rowOf } from '../bindings/kinds.ts'
import { oneOf } from '../bindings/text/words.ts'
import { type Options, type Tools, Unreadable, UsageError } from './command.ts'
import { secretBytes } from './keys.ts'

const VALUES = { file: 'FILE', files: 'FILE', document: 'FILE', folder: 'FOLDER', text: 'NAME', secret: 'SECRET' }

const optionOf = ({ takes, value, about, variable }: Need) => ({
  ...(takes !== undefined && { value: value ?? VALUES[takes] }),
  ...(takes === 'files' && { many: true as const }),
  about: takes === 'secret' ? `${about}: a file, env:NAME, or - (default env:${variable})` : about,
})

/** The options for the needs of all kinds. */
export const NEED_OPTIONS: Options = Object.fromEntries(
  KIND_NAMES.flatMap((kind) => Object.entries(needsOf(kind)).map(([name, need]) => [name, optionOf(need)])),
)

/** The values of the command line, by the names of the needs. */
type Named = Readonly<Record<string, unknown>>

/** Gives each kind what it needs. A file that is named is read once, when the first document of the kind comes. */
export class GivenReader {
  readonly #named: Named
  readonly #tools: Tools
  readonly #read = new Map<string, Promise<NeedValues[string]>>()

  constructor(named: Named, tools: Tools) {
    this.#named = named
    this.#tools = tools
  }

  /** What is given for a document of the kind: with the files next to the one that the user named. */
  async of(kind: Kind, document?: string): Promise<NeedValues> {
    const needs = Object.entries(needsOf(kind))
    const compares = needs.some(([name, need]) => need.compares && isSet(this.#named[name]))
    const given: [string, NeedValues[string]][] = []
    for (const [name, need] of needs) {
      if (need.compares && !compares) continue
      const value = isSet(this.#named[name])
        ? await this.#once(name, need)
        : await this.#unnamed(name, need, kind, document)
      if (value !== undefined) given.push([name, value])
    }
    return Object.fromEntries(given)
  }

  #once(name: string, need: Need): Promise<NeedValues[string]> {
    const read = this.#read.get(name) ?? this.#value(name, need, this.#named[name])
    this.#read.set(name, read)
    return read
  }

  async #unnamed(name: string, need: Need, kind: Kind, document: string | undefined): Promise<NeedValues[string]> {
    const { host, reader } = this.#tools
    const { variable, adjacent } = need
    const own = variable === undefined ? undefined : host.env[variable]
    if (own) return this.#value(name, need, need.takes === 'secret' ? `env:${variable}` : own)
    if (adjacent === undefined || document === undefined) return undefined
    const ending = rowOf(kind).files.find((end) => end.startsWith('.') && document.toLowerCase().endsWith(end)) ?? ''
    const file = document.slice(0, document.length - ending.length) + adjacent
    return host.stamp(resolve(host.cwd, file)) === undefined ? undefined : reader.bytes(file)
  }

  async #value(name: string, { takes }: Need, value: unknown): Promise<NeedValues[string]> {
    const { reader } = this.#tools
    if (takes === undefined || takes === 'text') return value as string | boolean
    if (takes === 'files') return Promise.all((value as readonly string[]).map((one) => reader.bytes(one)))
    const file = String(value)
    if (takes === 'file') return reader.bytes(file)
    if (takes === 'document') return reader.tryDocument(file)
    if (takes === 'secret') return new TextDecoder().decode(await secretBytes(name, file, this.#tools)).trim()
    const bytesOf = async (path: string) => (await reader.bytes(posix.join(file, path))).bytes
    return { file, files: await reader.folder(posix.normalize(file)), bytesOf }
  }
}

const isSet = (value: unknown) =>
  value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

/** Waits for work with what was given; says what is wrong with that. */
export async function orRefused<Made>(work: () => Made | Promise<Made>): Promise<Made> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NeedError)) throw error
    const { code, hint, found } = error.refusal
    if (found !== undefined) throw new Unreadable(found)
    throw new UsageError(code, `--${error.need}: ${error.message}`, hint)
  }
}

/** Refuses an option that none of the documents needs. */
export function expectNeeded(
  named: Named,
  documents: readonly { readonly file: string; readonly kind: Kind | undefined }[],
): void {
  for (const [name, value] of Object.entries(named)) {
    const kinds = KIND_NAMES.filter((kind) => Object.hasOwn(needsOf(kind), name))
    const [other] = documents
    if (!isSet(value) || kinds.length === 0 || other === undefined) continue
    if (documents.some(({ kind }) => kind === undefined || kinds.includes(kind))) continue
    const plurals = oneOf(kinds.map((kind) => rowOf(kind).plural))
    const message = `--${name} is for ${plurals}, but ${other.file} is one of the ${rowOf(other.kind!).plural}`
    throw new UsageError('wrong-kind', message, `leave out --${name}`)
  }
}
