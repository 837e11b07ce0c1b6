// What verifying needs in addition to the document and keys. The row of its kind declares it; the terminal, the Worker
// and the page ask for it by these names, and the code of the kind makes options of it.
import type { ParseResult } from '../document/parse.ts'
import type { Diagnostic, Files } from '../document/types.ts'
import type { Kind } from '../kinds.ts'
import { NEEDS } from '../tables/needs.ts'
import { isObject, isText } from '../text/members.ts'
import type { Expectation } from './source.ts'

export interface Need {
  /** A file, several, a JSON or YAML document, a folder, a text, or a text that is a secret; a switch takes nothing. */
  readonly takes?: 'file' | 'files' | 'document' | 'folder' | 'text' | 'secret'
  /** The ending of the file next to the document that has it, unless another one is named. */
  readonly adjacent?: string
  /** The variable of the environment that has it, unless it is named. */
  readonly variable?: string
  /**
   * The document is compared with it, after it was verified: with a record of what was approved, or with its source. One
   * that is not made from its source is not verified.
   */
  readonly compares?: 'record' | 'source'
  /** What it is, in a word for help. */
  readonly value?: string
  readonly about: string
}

export type Needs = Readonly<Record<string, Need>>

/** A file, by the name in messages. */
export interface GivenFile {
  readonly file: string
  readonly bytes: Uint8Array
}

/** A document that was read, or the findings that say why not. */
export interface GivenDocument extends ParseResult {
  readonly file: string
}

/** A folder, by its name in messages. */
export interface GivenFolder {
  readonly file: string
  readonly files: Files
  /** The bytes of a file that may be in the folder but not in `files`. */
  bytesOf(path: string): Promise<Uint8Array | undefined>
}

/** What was given, by the names of the needs. */
export type NeedValues = Readonly<
  Record<string, GivenFile | readonly GivenFile[] | GivenDocument | GivenFolder | string | boolean | undefined>
>

/** What the kind needs; nothing for an unknown kind. */
export const needsOf = (kind: Kind | undefined): Needs =>
  (kind === undefined ? undefined : (NEEDS as Readonly<Partial<Record<Kind, Needs>>>)[kind]) ?? {}

/** The options, with those that the kind makes of what was given. */
export async function withGiven<Options extends { readonly given?: NeedValues; readonly expect?: Expectation }>(
  by: { optionsOf?(given: NeedValues): object | Promise<object> } | undefined,
  options: Options,
): Promise<Options> {
  const { given } = options
  if (given === undefined) return options
  const provider = textIn(given, 'expect-provider')
  const expected = provider === undefined ? {} : { expect: { ...options.expect, provider } }
  return { ...options, ...(await by?.optionsOf?.(given)), ...expected }
}

/** A value, if there is one; throws for one of another type. */
function valueIn<Of>(
  given: NeedValues,
  name: string,
  is: (value: unknown) => value is Of,
  what: string,
): Of | undefined {
  const value = given[name]
  if (value === undefined || is(value)) return value
  throw new TypeError(`given[${JSON.stringify(name)}]: expected ${what}, got ${typeof value}`)
}

const isFile = (value: unknown): value is GivenFile => isObject(value) && value['bytes'] instanceof Uint8Array
const isFiles = (value: unknown): value is readonly GivenFile[] => Array.isArray(value) && value.every(isFile)
const isDocument = (value: unknown): value is GivenDocument => isObject(value) && Array.isArray(value['diagnostics'])
const isFolder = (value: unknown): value is GivenFolder => isObject(value) && value['files'] instanceof Map

export const fileIn = (given: NeedValues, name: string) => valueIn(given, name, isFile, '{ file, bytes }')
export const filesIn = (given: NeedValues, name: string) =>
  valueIn(given, name, isFiles, 'a list of { file, bytes }') ?? []
export const documentIn = (given: NeedValues, name: string) =>
  valueIn(given, name, isDocument, '{ file, document, diagnostics }')
export const folderIn = (given: NeedValues, name: string) => valueIn(given, name, isFolder, '{ file, files, bytesOf }')
export const textIn = (given: NeedValues, name: string) => valueIn(given, name, isText, 'a string')

/** The findings in a file that was given. */
interface FoundIn {
  readonly file: string
  readonly diagnostics: readonly Diagnostic[]
}

interface Refusal {
  /** A stable name, such as `unusable-keys`. */
  readonly code: string
  /** What to do about it. */
  readonly hint: string
  readonly found?: FoundIn
}

/** Something that was given cannot be used. */
export class NeedError extends Error {
  readonly need: string
  readonly refusal: Refusal

  constructor(need: string, message: string, refusal: Refusal) {
    super(message)
    this.need = need
    this.refusal = refusal
  }
}
