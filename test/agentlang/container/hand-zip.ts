// A naive ZIP writer in which every field can be set, to make archives as an attacker would. Its defaults follow
// docs/design/decisions/agentlang.md, and were written without the writer of bindings/.
import { crc32 } from 'node:zlib'

export interface HandEntry {
  name: string | Uint8Array
  data?: string
  flags?: number
  method?: number
  time?: number
  date?: number
  checksum?: number
  size?: number
  stored?: number
  extra?: Uint8Array
  made?: number
  attributes?: number
  offset?: number
  comment?: string
  /** Fields of the local header that differ from those in the directory. */
  local?: Partial<HandEntry>
  /** Bytes after the file. */
  after?: string
}

export interface HandArchive {
  before?: string
  between?: string
  afterDirectory?: string
  after?: string
  comment?: string
  count?: number
  countOnDisk?: number
  disk?: number
  directory?: number
}

const u16 = (value: number) => Buffer.from([value & 255, value >> 8])
const u32 = (value: number) => Buffer.from([0, 8, 16, 24].map((shift) => (value >>> shift) & 255))

function shared(entry: HandEntry): Buffer {
  const data = Buffer.from(entry.data ?? '')
  const name = Buffer.from(entry.name)
  const isAscii = name.every((byte) => byte < 128)
  return Buffer.concat([
    u16(20),
    u16(entry.flags ?? (isAscii ? 0 : 0x800)),
    u16(entry.method ?? 0),
    u16(entry.time ?? 0),
    u16(entry.date ?? 33),
    u32(entry.checksum ?? crc32(data)),
    u32(entry.stored ?? data.length),
    u32(entry.size ?? data.length),
    u16(name.length),
    u16(entry.extra?.length ?? 0),
  ])
}

/** Writes entries in the given order, whatever they are. */
export function handZip(entries: readonly HandEntry[], archive: HandArchive = {}): Uint8Array<ArrayBuffer> {
  const before = Buffer.from(archive.before ?? '')
  let body = before
  const directory: Buffer[] = []
  for (const entry of entries) {
    const { extra = new Uint8Array(), comment = '', after = '' } = entry
    const inside = { ...entry, ...entry.local }
    directory.push(
      Buffer.concat([
        Buffer.from('PK\x01\x02'),
        u16(entry.made ?? 0x0314),
        shared(entry),
        u16(comment.length),
        u16(0),
        u16(0),
        u32(entry.attributes ?? 0o100644 * 65536),
        u32(entry.offset ?? body.length),
        Buffer.from(entry.name),
        extra,
        Buffer.from(comment),
      ]),
    )
    const head = [Buffer.from('PK\x03\x04'), shared(inside), Buffer.from(inside.name), inside.extra ?? extra]
    body = Buffer.concat([body, ...head, Buffer.from(entry.data ?? ''), Buffer.from(after)])
  }
  const start = body.length + (archive.between ?? '').length
  const listed = Buffer.concat(directory)
  const whole = Buffer.concat([
    body,
    Buffer.from(archive.between ?? ''),
    listed,
    Buffer.from(archive.afterDirectory ?? ''),
    Buffer.from('PK\x05\x06'),
    u16(archive.disk ?? 0),
    u16(0),
    u16(archive.countOnDisk ?? archive.count ?? entries.length),
    u16(archive.count ?? entries.length),
    u32(listed.length),
    u32(archive.directory ?? start),
    u16((archive.comment ?? '').length),
    Buffer.from(archive.comment ?? ''),
    Buffer.from(archive.after ?? ''),
  ])
  return new Uint8Array(whole)
}
