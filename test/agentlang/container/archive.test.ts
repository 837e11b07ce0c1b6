// The archive: its one form, and what others read in it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 as crc32OfNode } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { readArchive, writeArchive } from '../../../bindings/agentlang/container/archive.ts'
import { MOST_BYTES } from '../../../bindings/agentlang/files.ts'
import { crc32 } from '../../../bindings/text/bytes.ts'
import { processorTime } from '../../support/effort.ts'
import { hasPrograms } from '../../support/programs.ts'
import { random } from '../../support/random.ts'
import { type HandArchive, type HandEntry, handZip } from './hand-zip.ts'

const hasReaders = hasPrograms('archives in other programs', ['unzip', '7zip', 'python3'])

const bytes = (text: string) => new TextEncoder().encode(text)
const filesOf = (files: Record<string, string>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, bytes(text)]))

const SMALL = { 'manifest.json': '{"a":1}', 'agent.yaml': 'name: x\n', 'context/ä.md': '# ä\n', 'b/c': '' }

/** The code and the words of the fault of an archive. */
function faultOf(archive: Uint8Array): string {
  const read = readArchive(archive)
  return 'rule' in read ? `${read.rule.code} ${read.detail}` : 'none'
}

const folder = mkdtempSync(join(tmpdir(), 'archive-'))
afterAll(() => rmSync(folder, { recursive: true }))
function stored(archive: Uint8Array): string {
  const path = join(folder, 'x.agent')
  writeFileSync(path, archive)
  return path
}

describe('checksums', () => {
  test('the check value is that of the catalogue of CRC algorithms', () => {
    expect(crc32(bytes('123456789'))).toBe(0xcbf43926)
  })
  test('they are those of zlib for every length and alignment', () => {
    const next = random(1)
    const all = Uint8Array.from({ length: 300 }, () => next() * 256)
    for (let from = 0; from < 9; from++)
      for (let to = from; to < 300; to += 1 + (to & 7))
        expect(crc32(all.subarray(from, to))).toBe(crc32OfNode(all.subarray(from, to)))
  })
})

describe('writing', () => {
  test('the archive is the one of a naive writer, manifest.json first and the others by their bytes', () => {
    const order = ['manifest.json', 'A', 'a', 'a.b', 'a0', 'context/ä.md', 'context/\u{ff5e}', 'context/\u{1f600}']
    const reversed = new Map(order.toReversed().map((path) => [path, bytes(path)]))
    // 'A' and 'a' are one place for some systems.
    reversed.delete('A')
    const entries = order.filter((path) => path !== 'A').map((name) => ({ name, data: name }))
    expect(writeArchive(reversed)).toEqual(handZip(entries))
  })
  test.runIf(hasReaders)('unzip, 7-Zip and zipfile of Python read all files [agentlang/container-1]', () => {
    const path = stored(writeArchive(filesOf(SMALL)))
    expect(execFileSync('unzip', ['-t', path], { encoding: 'utf8' })).toContain('No errors detected')
    expect(execFileSync('7zz', ['t', path], { encoding: 'utf8' })).toContain('Everything is Ok')
    const script = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(json.dumps([[i.filename, z.read(i).decode(), i.date_time, i.compress_type, i.external_attr >> 16] for i in z.infolist()]))`
    const listed = JSON.parse(execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }))
    const rows = ['manifest.json', 'agent.yaml', 'b/c', 'context/ä.md'] as const
    expect(listed).toEqual(rows.map((name) => [name, SMALL[name], [1980, 1, 1, 0, 0, 0], 0, 0o100644]))
  })
  test('reading gives the files that were written', () => {
    const next = random(2)
    for (let turn = 0; turn < 50; turn++) {
      const count = Math.floor(next() * 20)
      const files = new Map<string, Uint8Array>()
      for (let i = 0; i < count; i++)
        files.set(
          `d${Math.floor(next() * 3)}/f${i}`,
          Uint8Array.from({ length: next() * 99 }, () => next() * 256),
        )
      const read = readArchive(writeArchive(files))
      expect(read).toEqual(files)
      expect(writeArchive(read as ReadonlyMap<string, Uint8Array>)).toEqual(writeArchive(files))
    }
  })
  test('a path that is not safe, and two paths at one place, are refused with RangeError', () => {
    expect(() => writeArchive(filesOf({ '../x': '' }))).toThrow(RangeError)
    expect(() => writeArchive(filesOf({ a: '', 'a/b': '' }))).toThrow(/'a\/b' cannot be stored: it collides with 'a'/)
    expect(() => writeArchive(new Map([['a', new Uint8Array(MOST_BYTES)]]))).toThrow(RangeError)
  })
})

describe('reading refuses', () => {
  test('every truncation', () => {
    const archive = writeArchive(filesOf(SMALL))
    for (let length = 0; length < archive.length; length++) {
      expect(faultOf(archive.subarray(0, length)), `${length} bytes`).toMatch(/^AL-191 /)
    }
  })
  test('every change of one byte', () => {
    const archive = writeArchive(filesOf(SMALL))
    for (let at = 0; at < archive.length; at++)
      for (const change of [1, 0x20, 0x80, 0xff]) {
        const changed = archive.slice()
        changed[at]! ^= change
        expect(faultOf(changed), `byte ${at} ^ ${change}`).toMatch(/^AL-19[0-3] .{20}/)
      }
  })

  const x: HandEntry = { name: 'x', data: 'text' }
  const y: HandEntry = { name: 'y', data: 'more' }
  test('the naive archive without a trick is accepted', () => {
    expect(faultOf(handZip([x, y]))).toBe('none')
  })
  test.each<[string, readonly HandEntry[], HandArchive, RegExp]>([
    ['a duplicate', [x, x], {}, /^AL-193 'x' is there twice/],
    ['an absolute path', [{ name: '/etc/passwd' }], {}, /^AL-192 .*absolute/],
    ['a path out of the folder', [{ name: 'a/../../b' }], {}, /^AL-192 .*has \.\. as a name/],
    ['a backslash', [{ name: '..\\b' }], {}, /^AL-192 .*backslash/],
    ['a NUL', [{ name: 'a\0.yaml' }], {}, /^AL-192 .*NUL/],
    ['a text direction', [{ name: 'a\u202Eb' }], {}, /^AL-192 .*hidden/],
    ['a device', [{ name: 'context/Nul.txt' }], {}, /^AL-192 .*device/],
    ['a drive', [{ name: 'c:x' }], {}, /^AL-192 .*Windows/],
    ['a stream', [{ name: 'x:$DATA' }], {}, /^AL-192 .*Windows/],
    ['a dot at the end', [{ name: 'agent.yaml.' }], {}, /^AL-192 .*ends with a dot/],
    ['a name in NFD', [{ name: 'a\u0308' }], {}, /^AL-192 .*NFC/],
    ['a name that is not UTF-8', [{ name: Uint8Array.of(0xc0, 0xaf) }], {}, /^AL-192 .*not UTF-8/],
    ['an empty name', [{ name: '' }], {}, /^AL-192 .*empty/],
    ['a folder', [{ name: 'a/' }], {}, /^AL-192 .*empty/],
    ['two cases', [{ name: 'Agent.yaml' }, { name: 'agent.yaml' }], {}, /^AL-193 .*one place/],
    ['two spellings of ß', [{ name: 'strasse' }, { name: 'straße' }], {}, /^AL-193/],
    ['two spellings of ẞ', [{ name: 'straße' }, { name: 'straẞe' }], {}, /^AL-193/],
    ['two cases of a folder', [{ name: 'A/x' }, { name: 'a/y' }], {}, /^AL-193/],
    ['a file and its folder', [{ name: 'a' }, { name: 'a/b' }], {}, /^AL-193/],
    ['a link', [{ name: 'a', data: '/etc/passwd', attributes: 0o120777 * 65536 }], {}, /^AL-191 .*links/],
    ['a mode', [{ name: 'a', attributes: 0o100755 * 65536 }], {}, /^AL-191 .*attributes/],
    ['encryption', [{ ...x, flags: 1 }], {}, /^AL-191 .*flags.*neither encrypted/],
    ['a data descriptor', [{ ...x, flags: 8 }], {}, /^AL-191 .*flags.*streamed/],
    ['the flag of UTF-8 without need', [{ ...x, flags: 0x800 }], {}, /^AL-191 .*only names beyond ASCII/],
    ['compression', [{ ...x, method: 8 }], {}, /^AL-191 .*method is 8, expected 0: .*not compressed/],
    ['a size that compression explains', [{ ...x, stored: 2 }], {}, /^AL-191 .*compressed size/],
    ['a time', [{ ...x, time: 1 }], {}, /^AL-191 .*time/],
    ['a date', [{ ...x, date: 0x5a21 }], {}, /^AL-191 .*date/],
    ['another system', [{ ...x, made: 20 }], {}, /^AL-191 .*system/],
    ['an extra field', [{ ...x, extra: Uint8Array.of(1, 0, 0, 0) }], {}, /^AL-191 .*extra field/],
    ['an extra field of the file', [{ ...x, local: { extra: Uint8Array.of(1, 0, 0, 0) } }], {}, /^AL-191 .*extra/],
    ['a comment on a file', [{ ...x, comment: 'hi' }], {}, /^AL-191 .*comment/],
    ['a comment', [x], { comment: 'hi' }, /^AL-191 .*comment or other bytes/],
    ['another name in the header', [{ ...x, local: { name: 'z' } }], {}, /^AL-191 .*name is not that in the dir/],
    ['a longer name in the header', [{ ...x, local: { name: 'zz' } }], {}, /^AL-191 .*length of the name/],
    ['another size in the header', [{ ...x, local: { size: 1, stored: 1 } }], {}, /^AL-191 .*header.*size/],
    ['another checksum', [{ ...x, checksum: 1 }], {}, /^AL-191 .*checksum/],
    ['another checksum in the header', [{ ...x, local: { checksum: 1 } }], {}, /^AL-191 .*header.*checksum/],
    ['bytes before', [x], { before: '#!/bin/sh\n' }, /^AL-191 .*nothing stands before/],
    ['bytes between', [{ ...x, after: 'hidden' }, y], {}, /^AL-191 .*nothing stands before, between/],
    ['bytes behind the files', [x], { between: 'hidden' }, /^AL-191 bytes stand between the last/],
    ['bytes behind the directory', [x], { afterDirectory: 'hidden' }, /^AL-191 .*size of the directory/],
    ['bytes behind', [x], { after: 'hidden' }, /^AL-191 .*behind the end record/],
    ['two files in one place', [x, { ...y, offset: 0 }], {}, /^AL-191 .*offset/],
    ['a file that the directory leaves out', [x, y], { count: 1 }, /^AL-191/],
    ['a count beyond the directory', [x], { count: 2 }, /^AL-191 the directory ends before file 1/],
    ['two counts', [x], { countOnDisk: 2 }, /^AL-191 .*number of files/],
    ['another disk', [x], { disk: 1 }, /^AL-191 .*disk/],
    ['ZIP64 in the end record', [x], { count: 0xffff, directory: 0xffffffff }, /^AL-190 it has 65535 files/],
    ['ZIP64 in the offset', [x], { directory: 0xffffffff }, /^AL-191 the directory begins at 4294967295/],
    ['ZIP64 in a size', [{ ...x, size: 0xffffffff, stored: 0xffffffff }], {}, /^AL-191 .*reaches beyond/],
    ['another order', [y, x], {}, /^AL-191 .*out of order/],
    ['manifest.json behind others', [{ name: 'agent.yaml' }, { name: 'manifest.json' }], {}, /^AL-191 .*out of order/],
  ])('%s', (_, entries, archive, expected) => {
    expect(faultOf(handZip(entries, archive))).toMatch(expected)
  })

  test('10,001 files, and more than 64 MiB', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ name: `f${String(i).padStart(5, '0')}` }))
    const named = (count: number) => new Map(many(count).map(({ name }) => [name, new Uint8Array()]))
    expect(readArchive(writeArchive(named(10_000)))).toHaveProperty('size', 10_000)
    expect(() => writeArchive(named(10_001))).toThrow(RangeError)
    const overfull = writeArchive(named(10_000))
    new DataView(overfull.buffer).setUint16(overfull.length - 12, 10_001, true)
    expect(faultOf(overfull)).toBe('AL-190 it has 10001 files, the limit is 10000')
    expect(faultOf(new Uint8Array(MOST_BYTES + 1))).toMatch(/^AL-190 it has 67108865 bytes/)
  })

  test('a megabyte of end records in linear time', () => {
    const hostile = new Uint8Array(1 << 20).fill(0x50)
    const start = processorTime()
    expect(faultOf(hostile)).toMatch(/^AL-191/)
    expect(processorTime() - start).toBeLessThan(2000)
  })
})

test('an archive of random bytes never throws', () => {
  const next = random(3)
  const archive = writeArchive(filesOf(SMALL))
  for (let turn = 0; turn < 3000; turn++) {
    const changed = archive.slice()
    for (let i = 0; i < 4; i++) changed[Math.floor(next() * changed.length)] = next() * 256
    const read = readArchive(changed)
    if (!('rule' in read)) expect(writeArchive(read)).toEqual(changed)
  }
})
