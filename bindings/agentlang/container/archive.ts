// The archive of a container: a ZIP of one form (APPNOTE 6.3.10). It stores files with fixed times and modes,
// `manifest.json` first and the others by the bytes of their paths, and has nothing else in it. The reader writes each
// header again and compares, so it accepts only what the writer writes.
//
//     50 4b 03 04 14 00 00 00 00 00 00 00 21 00        signature, version, flags, method, time, date
//     ca ee 20 25 47 01 00 00 47 01 00 00              checksum, two sizes
//     0d 00 00 00 6d 61 6e 69 66 65 73 74 2e 6a 73 6f 6e   lengths, `manifest.json`

import { diagnoseNowhere } from '../../document/diagnose.ts'
import { tooLarge } from '../../document/faults.ts'
import type { FindingKind } from '../../document/finding.ts'
import { type ParseResult, parse } from '../../document/parse.ts'
import type { Files } from '../../document/types.ts'
import type { Proof } from '../../frame/source.ts'
import { type Reading, RootSubject } from '../../frame/subject.ts'
import { encodeBase64, encodeBase64url } from '../../keys/base64.ts'
import { type Key, publicMembers, writeSpki } from '../../keys/key.ts'
import type { Subtle } from '../../keys/platform.ts'
import { compareBytes, crc32, joinBytes, sameBytes, toHex } from '../../text/bytes.ts'
import { PathSet, pathRisk } from '../../text/safe-path.ts'
import { quoted } from '../../text/words.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { type Fault, MOST_BYTES, MOST_FILES } from '../files.ts'
import * as FINDINGS from './findings.ts'

export const MANIFEST = 'manifest.json'

/** A number in a header, with the reason that it has one value only. */
type Field = readonly [name: string, width: 2 | 4, why?: string]

const SHARED: readonly Field[] = [
  ['version', 2],
  ['flags', 2, 'files are neither encrypted nor streamed, and only names beyond ASCII are marked as UTF-8'],
  ['method', 2, 'files are not compressed'],
  ['time', 2, 'times are fixed'],
  ['date', 2, 'times are fixed'],
  ['checksum', 4, 'the bytes of the file have another one'],
  ['compressed size', 4, 'files are not compressed'],
  ['size', 4],
  ['length of the name', 2],
  ['length of the extra field', 2, 'there are no extra fields'],
]
const LOCAL: readonly Field[] = [['signature', 4, 'nothing stands before, between or behind the files'], ...SHARED]
const CENTRAL: readonly Field[] = [
  ['signature', 4],
  ['system', 2],
  ...SHARED,
  ['length of the comment', 2, 'there are no comments'],
  ['disk', 2],
  ['internal attributes', 2],
  ['attributes', 4, 'entries are plain files, not links or folders'],
  ['offset', 4, 'nothing stands before, between or behind the files'],
]
const END: readonly Field[] = [
  ['signature', 4],
  ['disk', 2],
  ['first disk', 2],
  ['number of files on the disk', 2],
  ['number of files', 2],
  ['size of the directory', 4, 'the directory reaches to the end record, and is not one of ZIP64'],
  ['offset of the directory', 4],
  ['length of the comment', 2, 'there are no comments'],
]
const [LOCAL_SIGNATURE, CENTRAL_SIGNATURE, END_SIGNATURE] = [0x04034b50, 0x02014b50, 0x06054b50]
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22]

const VERSION = 20
/** Made on Unix, because unzip takes the modes of no other system. */
const UNIX = (3 << 8) | VERSION
const PLAIN_FILE = 0o100644 * 0x10000
const UTF8_NAME = 0x800
/** The first day that ZIP can express: 1 January 1980. */
const DAY = 0x21

interface Entry {
  readonly name: Uint8Array
  readonly bytes: Uint8Array
  readonly checksum: number
  /** Where its header begins. */
  readonly offset: number
}

const NO_NAME: Uint8Array = new Uint8Array()

function header(fields: readonly Field[], values: readonly number[], name: Uint8Array = NO_NAME): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((sum, [, width]) => sum + width, name.length))
  const view = new DataView(bytes.buffer)
  let at = 0
  for (let i = 0; i < fields.length; i++) {
    const width = fields[i]![1]
    if (width === 2) view.setUint16(at, values[i]!, true)
    else view.setUint32(at, values[i]!, true)
    at += width
  }
  bytes.set(name, at)
  return bytes
}

function sharedValues({ name, bytes, checksum }: Entry): readonly number[] {
  const flags = name.every((byte) => byte < 0x80) ? 0 : UTF8_NAME
  return [VERSION, flags, 0, 0, DAY, checksum, bytes.length, bytes.length, name.length, 0]
}

const localHeader = (entry: Entry) => header(LOCAL, [LOCAL_SIGNATURE, ...sharedValues(entry)], entry.name)

function centralHeader(entry: Entry): Uint8Array {
  const values = [CENTRAL_SIGNATURE, UNIX, ...sharedValues(entry), 0, 0, 0, PLAIN_FILE, entry.offset]
  return header(CENTRAL, values, entry.name)
}

const endRecord = (count: number, size: number, offset: number) =>
  header(END, [END_SIGNATURE, 0, 0, count, count, size, offset, 0])

/** Compares paths in UTF-8 as the archive sorts them. */
const compareNames = (a: Uint8Array, b: Uint8Array): number =>
  Number(isManifest(b)) - Number(isManifest(a)) || compareBytes(a, b)

const isManifest = (name: Uint8Array) => sameBytes(name, MANIFEST_NAME)
const MANIFEST_NAME = new TextEncoder().encode(MANIFEST)

/**
 * Writes files to an archive: the same bytes for the same files.
 *
 * @throws {RangeError} for an unsafe path, two paths that some file system takes for one, and beyond 10,000 files or
 * 64 MiB.
 */
export function writeArchive(files: Files): Uint8Array<ArrayBuffer> {
  if (files.size > MOST_FILES) throw new RangeError(`files: expected at most ${MOST_FILES}, got ${files.size}`)
  const paths = new PathSet()
  const named = Array.from(files, ([path, bytes]) => {
    const other = paths.add(path)
    const risk = pathRisk(path) ?? (other && `it collides with ${quoted(other)}`)
    if (risk !== undefined) throw new RangeError(`files: ${quoted(path)} cannot be stored: ${risk}`)
    return { name: new TextEncoder().encode(path), bytes }
  })
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, bytes } of named.sort((a, b) => compareNames(a.name, b.name))) {
    const entry = { name, bytes, checksum: crc32(bytes), offset }
    parts.push(localHeader(entry), bytes)
    directory.push(centralHeader(entry))
    offset += LOCAL_BYTES + name.length + bytes.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const all = offset + size + END_BYTES
  if (all > MOST_BYTES) throw new RangeError(`files: expected at most ${MOST_BYTES} bytes, got ${all}`)
  return joinBytes([...parts, ...directory, endRecord(files.size, size, offset)])
}

/** The reason that bytes are not an archive of this form, and where. */
interface ArchiveFault extends Omit<Fault, 'pointer'> {
  readonly offset: number
}

const faultAt = (rule: FindingKind, detail: string, offset: number): ArchiveFault => ({ rule, detail, offset })
const malformed = (detail: string, offset: number) => faultAt(FINDINGS.CONTAINER_FORM, detail, offset)

/** The files of an archive, as parts of its bytes, or the first fault. */
export function readArchive(archive: Uint8Array): Files | ArchiveFault {
  const { length } = archive
  if (length > MOST_BYTES) return exceeds(`it has ${length} bytes, the limit is ${MOST_BYTES}`)
  const view = new DataView(archive.buffer, archive.byteOffset, length)
  const end = length - END_BYTES
  if (end < 0 || view.getUint32(end, true) !== END_SIGNATURE) return withoutEnd(archive)
  const count = view.getUint16(end + 10, true)
  const directory = view.getUint32(end + 16, true)
  if (count > MOST_FILES) return exceeds(`it has ${count} files, the limit is ${MOST_FILES}`)
  if (directory > end) return malformed(`the directory begins at ${directory}, behind the end of the archive`, end)
  const wrong = mismatch(archive, end, END, endRecord(count, end - directory, directory))
  if (wrong !== undefined) return malformed(`in the end record, ${wrong}`, end)
  const files = new Map<string, Uint8Array>()
  const paths = new PathSet()
  let [at, offset, before] = [directory, 0, NO_NAME]
  for (let i = 0; i < count; i++) {
    const nameAt = at + CENTRAL_BYTES
    if (nameAt > end) return malformed(`the directory ends before file ${i}`, at)
    const nameBytes = view.getUint16(at + 28, true)
    const from = offset + LOCAL_BYTES + nameBytes
    const to = from + view.getUint32(at + 24, true)
    if (nameAt + nameBytes > end || to > directory) return malformed(`file ${i} reaches beyond the archive`, at)
    const name = archive.subarray(nameAt, nameAt + nameBytes)
    const bytes = archive.subarray(from, to)
    const fault =
      faultOfEntry(archive, at, { name, bytes, checksum: crc32(bytes), offset }, i) ??
      faultOfPath(name, before, paths, nameAt)
    if (fault !== undefined) return fault
    files.set(decoder.decode(name), bytes)
    ;[at, offset, before] = [nameAt + nameBytes, to, name]
  }
  if (offset !== directory) return malformed('bytes stand between the last file and the directory', offset)
  return at === end ? files : malformed('bytes stand between the directory and the end record', at)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })

const exceeds = (detail: string) => faultAt(FINDINGS.CONTAINER_SIZE, detail, 0)

function withoutEnd(archive: Uint8Array): ArchiveFault {
  for (let at = archive.lastIndexOf(0x50); at > 0; at = archive.lastIndexOf(0x50, at - 1))
    if (archive[at + 1] === 0x4b && archive[at + 2] === 5 && archive[at + 3] === 6)
      return malformed('a comment or other bytes stand behind the end record', at)
  return malformed('it does not end as a ZIP archive does: it is another file, or cut off', archive.length)
}

function faultOfEntry(archive: Uint8Array, at: number, entry: Entry, i: number): ArchiveFault | undefined {
  const own = mismatch(archive, entry.offset, LOCAL, localHeader(entry))
  if (own !== undefined) return malformed(`in the header of file ${i}, ${own}`, entry.offset)
  const listed = mismatch(archive, at, CENTRAL, centralHeader(entry))
  return listed === undefined ? undefined : malformed(`in the directory, at file ${i}, ${listed}`, at)
}

/**
 * The first number or the name that differs from the one that the writer writes. Another checksum may follow from any
 * of the others.
 */
function mismatch(archive: Uint8Array, at: number, fields: readonly Field[], expected: Uint8Array): string | undefined {
  const actual = archive.subarray(at, at + expected.length)
  if (sameBytes(actual, expected)) return undefined
  const number = (bytes: Uint8Array, from: number, width: number) =>
    bytes.subarray(from, from + width).reduceRight((value, byte) => value * 256 + byte, 0)
  let from = 0
  let last = 'the name is not that in the directory'
  for (const [name, width, why] of fields) {
    const [found, right] = [actual, expected].map((bytes) => number(bytes, from, width))
    if (found !== right) last = `the ${name} is ${found}, expected ${right}${why === undefined ? '' : `: ${why}`}`
    if (found !== right && name !== 'checksum') return last
    from += width
  }
  return last
}

function faultOfPath(name: Uint8Array, before: Uint8Array, paths: PathSet, at: number): ArchiveFault | undefined {
  let path: string
  try {
    path = strict.decode(name)
  } catch {
    return faultAt(FINDINGS.CONTAINER_PATH, `${quoted(decoder.decode(name))} is not UTF-8`, at)
  }
  const risk = pathRisk(path)
  if (risk !== undefined) return faultAt(FINDINGS.CONTAINER_PATH, `${quoted(path)} is unsafe: ${risk}`, at)
  const other = paths.add(path)
  if (other !== undefined) {
    const detail = `${quoted(path)} and ${quoted(other)} are one place on some systems`
    return faultAt(FINDINGS.CONTAINER_COLLISION, other === path ? `${quoted(path)} is there twice` : detail, at)
  }
  const isSorted = before.length === 0 || compareNames(before, name) < 0
  return isSorted ? undefined : malformed(`${quoted(path)} is out of order: paths are sorted by their bytes`, at)
}

/** Reads an archive as its manifest, whose places are in the manifest. Copies the bytes, so that nobody changes them. */
export function parseArchive(source: Uint8Array | string, options: parse.Options = {}): ParseResult {
  const { file, maxBytes = Number.POSITIVE_INFINITY } = options
  const refuse = (...diagnostics: ParseResult['diagnostics']) => ({ document: undefined, diagnostics })
  if (source.length > maxBytes) return refuse(tooLarge(source.length, maxBytes, file))
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source.slice()
  const files = readArchive(bytes)
  if ('rule' in files) {
    const { rule, detail, offset } = files
    return refuse(diagnoseNowhere(rule, { detail, offset, endOffset: offset }, file))
  }
  const manifest = files.get(MANIFEST)
  if (manifest === undefined)
    return refuse(diagnoseNowhere(FINDINGS.CONTAINER_FILES, { detail: `it has no ${MANIFEST}` }, file))
  const parsed = parse(manifest, { ...options, maxBytes: LARGEST_MANIFEST, bom: 'refuse' })
  parsed.document?.keepFiles(files)
  return parsed
}

/** A container as rules and verbs read it: its manifest, with the files of its archive. */
export class Container extends RootSubject {
  /** All files of the archive by path; undefined for a manifest alone. */
  readonly files: Files | undefined = this.document.files
}

/** How containers are parsed. */
export const CONTAINER_READING: Reading<Container> = {
  kind: 'container',
  rootObject: FINDINGS.ROOT_OBJECT,
  subject: (document) => new Container(document),
}

// The manifest of a container: what is in it, and which key signed it.

/** In bytes: a list of 10,000 files takes about two million. */
export const LARGEST_MANIFEST = 4 << 20
export const FORMAT = 'agentlang-container/1'
export const SIGNATURE = 'signature.sig'
const SEALED = '.enc'

export interface ContainerFile {
  readonly path: string
  /** The digest of the stored bytes: the encrypted ones of a prompt. */
  readonly sha256: string
  readonly size: number
  readonly encrypted?: { readonly alg: 'AES-256-GCM'; readonly key_id: string }
}

export interface Manifest {
  readonly format: typeof FORMAT
  readonly name: string
  readonly version: string
  readonly developer: string
  /** All files but the manifest and the signature, in the order of the archive. */
  readonly files: readonly ContainerFile[]
  readonly lock_sha256?: string
  readonly signer: ManifestSigner
}

interface ManifestSigner {
  readonly alg: 'Ed25519'
  /** SPKI in base64, which is a PEM without its first and last line. */
  readonly public_key: string
  /** The first eight digits of the SHA-256 of the SPKI. */
  readonly key_id: string
}

const isPrompt = (path: string) => /(?:^|[/-])prompt\.yaml$/.test(path)

/** The path of a source in the archive: prompt.yaml and *-prompt.yaml are encrypted in any folder. */
export const storedPath = (path: string): string => (isPrompt(path) ? path + SEALED : path)

export function sourcePath(path: string): string {
  const source = path.endsWith(SEALED) ? path.slice(0, -SEALED.length) : path
  return storedPath(source) === path ? source : path
}

export const nameVersion = ({ name, version }: Pick<Manifest, 'name' | 'version'>): string => `${name}@${version}`

export function signerOf(key: Key): ManifestSigner {
  const spki = writeSpki(key.kind, publicMembers(key))
  return { alg: 'Ed25519', public_key: encodeBase64(spki), key_id: toHex(sha256(spki)).slice(0, 8) }
}

/** The thumbprint of a key (RFC 7638), as `fingerprint` computes it, without the platform. */
export const thumbprintOf = (key: Key): string =>
  encodeBase64url(sha256(new TextEncoder().encode(JSON.stringify(publicMembers(key)))))

/** The thumbprint of the key that signed a container, once its signature was found to be right. */
export function signerPrint({ steps }: Pick<Proof, 'steps'>): string | undefined {
  const print = steps.find(({ name }) => name === 'signature')?.data?.['fingerprint']
  return typeof print === 'string' ? print : undefined
}

/** The SHA-256 of bytes in hexadecimal. The platform refuses shared memory with a TypeError. */
export async function digestOf(bytes: Uint8Array, subtle: Subtle): Promise<string> {
  return toHex(new Uint8Array(await subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)))
}
