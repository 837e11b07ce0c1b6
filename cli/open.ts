import { diagnoseNowhere } from '../bindings/document/diagnose.ts'
import { formatOf } from '../bindings/document/format.ts'
import { type Document, LARGEST_DOCUMENT, type ParseResult, parse } from '../bindings/document/parse.ts'
import type { read } from '../bindings/document/read.ts'
import type { Diagnostic } from '../bindings/document/types.ts'
import { glanceAt } from '../bindings/frame/detect.ts'
import { type OpenOptions, type OpenResult, open } from '../bindings/frame/open.ts'
import type { Reader } from '../bindings/frame/source.ts'
import { refusalsBy, reword } from '../bindings/frame/subject.ts'
import type { Kind } from '../bindings/kinds.ts'
import { specificationOf } from '../bindings/specifications.ts'
import { isObject } from '../bindings/text/members.ts'
import { READ_OTHER_FILE } from './findings.ts'
import type { Host } from './host.ts'

/** Parses any JSON or YAML, as `read` does. The YAML reader is loaded only for YAML. */
export async function parseFile(bytes: Uint8Array, options: read.Options): Promise<ParseResult> {
  const format = formatOf(bytes, options)
  return withReader(format, (reader) => reader(bytes, { ...options, format }))
}

/** Opens a document within the limits of its kind, and reports reading faults by the codes of its specification. */
export async function openFile(bytes: Uint8Array, options: OpenOptions): Promise<OpenResult> {
  const opened = await openPlain(bytes, options)
  if (opened.diagnostics.length === 0) return opened
  const specification = await specificationOf(opened.kind)?.load.check?.()
  return specification === undefined ? opened : { ...opened, diagnostics: reword(specification, opened.diagnostics) }
}

/** Opens a document; its reading faults keep their general codes, which `check` translates. */
export async function openPlain(bytes: Uint8Array, options: OpenOptions): Promise<OpenResult> {
  const { form } = glanceAt(bytes, options)
  if (form !== 'document') return open(parse, bytes, options, (await import('../bindings/form-readers.ts')).READERS)
  const opened = await withReader(formatOf(bytes, options), (reader) => open(reader, bytes, options))
  return orOtherFile(opened, bytes, options.file)
}

/** Opens a document again, within the limits of this kind. */
export const openAs = (kind: Kind, document: Document): Promise<OpenResult> =>
  withReader(document.format, (reader) => open(reader, document, { as: kind }))

const withReader = async <Result>(format: 'json' | 'yaml', work: (reader: Reader) => Result): Promise<Result> =>
  format === 'json' ? work(parse) : (await import('../bindings/document/yaml/on-demand.ts')).withYaml(work)

// Recognizes files that are not documents by their first bytes, before a parser complains about them.

interface OtherFile {
  readonly what: string
  readonly hint: string
}

const GIVE_A_DOCUMENT = 'give the JSON or YAML file that describes the agent; blazon init writes one to start from'
const PICTURE = { what: 'an image', hint: GIVE_A_DOCUMENT }
const ARCHIVE = { what: 'an archive', hint: 'unpack it, and give the files in it, or their folder' }
const MARKDOWN = { what: 'a Markdown text', hint: GIVE_A_DOCUMENT }

/** How binary formats begin, in Latin-1. */
const MAGIC: readonly (readonly [begin: string, OtherFile])[] = [
  ['\x89PNG', PICTURE],
  ['\xff\xd8\xff', PICTURE],
  ['GIF8', PICTURE],
  ['RIFF', PICTURE],
  ['%PDF-', { what: 'a PDF', hint: GIVE_A_DOCUMENT }],
  ['PK\x03\x04', ARCHIVE],
  ['PK\x05\x06', ARCHIVE],
  ['\x1f\x8b', ARCHIVE],
  ['7z\xbc\xaf', ARCHIVE],
]

/** By the last words of a PEM label. */
const LABELS: readonly (readonly [end: string, OtherFile])[] = [
  ['PRIVATE KEY', { what: 'a private key', hint: 'keep it secret; it signs a document: blazon sign FILE --key KEY' }],
  ['PUBLIC KEY', { what: 'a public key', hint: 'it verifies a document: blazon verify FILE --key KEY' }],
  [
    'CERTIFICATE',
    {
      what: 'a certificate',
      hint: 'openssl x509 -pubkey -noout -in FILE gives its public key, for blazon verify --key',
    },
  ],
]

/** The bytes to look at; formats are recognized by fewer. */
const LOOKED_AT = 256

/** Passes an opened source on. For a file that is not a document, one finding about that replaces all others. */
function orOtherFile(opened: OpenResult, bytes: Uint8Array, file: string | undefined): OpenResult {
  if (opened.document !== undefined && (opened.kind !== undefined || isObject(opened.document.value))) return opened
  if (isBlank(bytes))
    return { ...opened, diagnostics: opened.diagnostics.map((finding) => ({ fix: adviceOnEmpty(file), ...finding })) }
  const found = otherFileIn(bytes, file)
  if (found === undefined) return opened
  const detail = `this is ${found.what}`
  const finding = diagnoseNowhere(READ_OTHER_FILE, { detail, fix: { hint: found.hint } }, file)
  return { document: undefined, kind: undefined, diagnostics: [finding] }
}

function adviceOnEmpty(file: string | undefined) {
  const start = file === '<stdin>' ? 'pipe a document into it, or name a file; ' : ''
  return { hint: `${start}blazon init writes a document to start from` }
}

/** True for a certificate in PEM or DER. No text begins with these two bytes of DER. */
export function isCertificate(bytes: Uint8Array): boolean {
  const begin = Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1')
  return /^(?:\s*-----BEGIN CERTIFICATE-----|0[\x81\x82])/.test(begin)
}

const NAMES_DOCUMENT = /\.(?:ya?ml|adl|json)$/i

const isBlank = (bytes: Uint8Array) => bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))

function otherFileIn(bytes: Uint8Array, file = ''): OtherFile | undefined {
  const begin = Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1')
  // In YAML a heading is a comment, and the rest of the text would parse as YAML.
  if (/\.(?:md|markdown)$/i.test(file) || (!NAMES_DOCUMENT.test(file) && /^#{1,6} \S/.test(begin))) return MARKDOWN
  const [, label] = /^\s*-----BEGIN ([A-Z ]+)-----/.exec(begin) ?? []
  if (label !== undefined) return LABELS.find(([end]) => label.endsWith(end))?.[1]
  return MAGIC.find(([magic]) => begin.startsWith(magic))?.[1]
}

/** Returns all bytes, or undefined beyond a limit, by default that of a document: endless input must not be read to its end. */
export async function collect(
  input: ReturnType<Host['open']>,
  most = LARGEST_DOCUMENT,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of input) {
    length += chunk.length
    if (length > most) return undefined
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)
}

/** Warns about template texts of `blazon init` that are still in a document. */
export async function placeholdersIn(document: Document, kind: Kind | undefined): Promise<readonly Diagnostic[]> {
  const specification = await specificationOf(kind ?? 'adl')?.load.check?.()
  const rule = specification?.rules.find(({ id }) => id === 'placeholder')
  if (rule === undefined || !isObject(document.value)) return []
  return refusalsBy(rule, specification!.subject(document) as { readonly document: Document }).map((finding) => ({
    ...finding,
    severity: 'warning',
  }))
}
